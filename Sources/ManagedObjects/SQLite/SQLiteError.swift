import CSQLite

/// SQLite's own account of why it could not do something.
///
/// Never holds the values that were bound, so it may be logged. Typed throws in this folder; above it
/// the store turns it into an error in the model's words and keeps this one as the reason.
/// Source: SQLite, "Result and Error Codes".
public struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The primary result code, such as 5 (`SQLITE_BUSY`).
  public var code: Int32 { extendedCode & 0xFF }
  /// The extended result code, such as 2067 (`SQLITE_CONSTRAINT_UNIQUE`).
  public let extendedCode: Int32
  /// SQLite's message, in English.
  public let message: String
  /// The statement that failed, or nil where none was running.
  public let sql: String?

  init(extendedCode: Int32, message: String, sql: String? = nil) {
    self.extendedCode = extendedCode
    self.message = message
    self.sql = sql
  }

  /// Reads the last error of a connection.
  init(connection: OpaquePointer?, sql: String? = nil) {
    extendedCode = connection.map { sqlite3_extended_errcode($0) } ?? SQLITE_NOMEM
    message = String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(SQLITE_NOMEM))
    self.sql = sql
  }

  /// Another connection held the store longer than was waited for.
  public var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
  /// The file is no database, or its contents contradict each other.
  public var isCorrupt: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
  /// The disk, or the room allowed to the file, is full.
  public var isFull: Bool { code == SQLITE_FULL }
  /// The file, or its folder, may not be read or written.
  public var isReadOnly: Bool { code == SQLITE_READONLY || code == SQLITE_PERM || code == SQLITE_AUTH }
  /// The file, or one beside it, could not be opened.
  public var isCannotOpen: Bool { code == SQLITE_CANTOPEN }
  /// A value stands twice where a unique index allows it once.
  public var isUniqueViolation: Bool {
    extendedCode == SQLITE_CONSTRAINT | (8 << 8) || extendedCode == SQLITE_CONSTRAINT | (6 << 8)
  }

  /// The message and the code, for a log.
  public var description: String { "SQLite error \(extendedCode): \(message)" }
}

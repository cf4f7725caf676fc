import CSQLite
import SystemLibraries

/// SQLite's own account of why it could not do something.
///
/// Never holds the values that were bound, so it may be logged. Typed throws in this folder; above
/// it the store turns it into an error in the model's words and keeps this one as the reason.
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
  /// The operating system's error number behind it, such as `EACCES`; 0 where there is none.
  public let systemErrno: Int32

  init(extendedCode: Int32, message: String, sql: String? = nil, systemErrno: Int32 = 0) {
    self.extendedCode = extendedCode
    self.message = message
    self.sql = sql
    self.systemErrno = systemErrno
  }

  /// Reads the last error of a connection.
  init(connection: OpaquePointer?, sql: String? = nil) {
    let lastErrno = errno
    let extendedCode = connection.map { sqlite3_extended_errcode($0) } ?? SQLITE_NOMEM
    // A disk that cannot be read is damage to SQLite, and none of the file's.
    if extendedCode & 0xFF == SQLITE_CORRUPT, let connection,
      case let number = csqlite_file_errno(connection), number == EIO || number == ENXIO
    {
      self.init(
        extendedCode: SQLITE_IOERR | (1 << 8),
        message: String(cString: sqlite3_errstr(SQLITE_IOERR)), sql: sql, systemErrno: number)
      return
    }
    let message = connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(SQLITE_NOMEM)
    // Only these codes come from a call to the system; with others the number is an older one's.
    let isSystems = [SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_FULL].contains(extendedCode & 0xFF)
    // Of a COMMIT that failed SQLite does not keep the number, but it is still the last one.
    let numbers = [
      connection.map { sqlite3_system_errno($0) }, lastErrno,
      connection.map { csqlite_file_errno($0) },
    ]
    let number = numbers.lazy.compactMap(\.self).first { $0 != 0 } ?? 0
    self.init(
      extendedCode: extendedCode, message: String(cString: message!), sql: sql,
      systemErrno: isSystems ? number : 0)
  }

  /// The highest primary key there can be was given away, which only a damaged store says.
  static let noKeysLeft = SQLiteError(
    extendedCode: SQLITE_CORRUPT, message: "no primary keys are left")

  /// An entry of the undo log cannot be read.
  static let damagedUndoLog = SQLiteError(
    extendedCode: SQLITE_CORRUPT, message: "the undo log is damaged")

  /// The file was moved away or replaced since it was opened.
  static let moved = SQLiteError(
    extendedCode: SQLITE_READONLY | (4 << 8), message: "the file was moved or replaced")

  /// The file contradicts itself, as a check has found.
  static func damaged(_ fault: String) -> SQLiteError {
    SQLiteError(extendedCode: SQLITE_CORRUPT, message: fault)
  }

  /// A table is not there that a store of the model has.
  static func missingTable(_ name: String) -> SQLiteError {
    SQLiteError(extendedCode: SQLITE_ERROR, message: "no such table: \(name)")
  }

  /// The file is of another kind, as SQLite says it.
  static let notADatabase = SQLiteError(
    extendedCode: SQLITE_NOTADB, message: String(cString: sqlite3_errstr(SQLITE_NOTADB)))

  /// Another connection held the store longer than was waited for.
  public var isBusy: Bool { [SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL].contains(code) }
  /// The file is no database, or its contents contradict each other.
  public var isCorrupt: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
  /// Whether the file is no database.
  var isNotADatabase: Bool { code == SQLITE_NOTADB }
  /// The file could not be made since there is no folder for it.
  public var isMissingFolder: Bool { code == SQLITE_CANTOPEN && systemErrno == ENOENT }
  /// The file was moved away or replaced since it was opened (`SQLITE_READONLY_DBMOVED`).
  public var isMoved: Bool { extendedCode == SQLITE_READONLY | (4 << 8) }
  /// Whether it is not known if a transaction that failed with this was written.
  ///
  /// Its last bytes may be in the log, or its journal gone, when the disk fails; of these only a
  /// write that fails leaves nothing behind that counts.
  var isUncertain: Bool {
    sql == "COMMIT"
      && (code == SQLITE_NOMEM || code == SQLITE_IOERR && extendedCode != SQLITE_IOERR | (3 << 8))
  }
  /// A table or column that a store of the model has is missing.
  ///
  /// Told by the message: SQLite has no code of its own for it.
  public var isMissingTable: Bool {
    extendedCode == SQLITE_ERROR
      && (message.hasPrefix("no such table") || message.hasPrefix("no such column")
        || message.contains(" has no column named "))
  }
  /// An index that a statement names (`INDEXED BY`) is missing.
  var isMissingIndex: Bool {
    extendedCode == SQLITE_ERROR && message.hasPrefix("no such index")
  }
  /// A statement was refused before it ran: a table or column is missing, or it is more than SQLite
  /// takes.
  var isRefusedStatement: Bool { extendedCode == SQLITE_ERROR || code == SQLITE_TOOBIG }
  /// The file, or one that belongs to it, could not be opened.
  var cannotOpen: Bool { code == SQLITE_CANTOPEN }
  /// The disk, or the room allowed to the file, is full.
  public var isFull: Bool {
    code == SQLITE_FULL || [ENOSPC, EDQUOT, EFBIG].contains(systemErrno)
  }
  /// The file, or its folder, may not be read or written.
  public var isReadOnly: Bool {
    [SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH].contains(code)
      || [EACCES, EPERM, EROFS].contains(systemErrno)
  }
  /// A value stands twice where a unique index allows it once.
  public var isUniqueViolation: Bool {
    extendedCode == SQLITE_CONSTRAINT | (8 << 8) || extendedCode == SQLITE_CONSTRAINT | (6 << 8)
  }

  /// The message and the code, for a log.
  public var description: String { "SQLite error \(extendedCode): \(message)" }
}

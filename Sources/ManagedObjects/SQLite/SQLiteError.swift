import CSQLite
import SystemLibraries

/// An error reported by SQLite: code, extended code, message and SQL.
///
/// Never holds bound values, so it may be logged. Functions in this folder throw it as a typed
/// error; the store above turns it into an error in terms of the model and keeps this one as the
/// underlying reason. Source: SQLite, "Result and Error Codes".
public struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The primary result code, such as 5 (`SQLITE_BUSY`); 0 for an error of the operating system at
  /// a file that SQLite does not read or write.
  public var code: Int32 { extendedCode & 0xFF }
  /// The extended result code, such as 2067 (`SQLITE_CONSTRAINT_UNIQUE`).
  public let extendedCode: Int32
  /// SQLite's or the system's message, in English.
  public let message: String
  /// The statement that failed, or nil if none was running.
  public let sql: String?
  /// The operating system's error number behind it, such as `EACCES`; 0 if there is none.
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
    // A disk that cannot be read looks like corruption to SQLite; the file itself is sound.
    if extendedCode & 0xFF == SQLITE_CORRUPT, let connection,
      case let number = csqlite_file_errno(connection), number == EIO || number == ENXIO
    {
      self.init(
        extendedCode: SQLITE_IOERR | (1 << 8),
        message: String(cString: sqlite3_errstr(SQLITE_IOERR)), sql: sql, systemErrno: number)
      return
    }
    let message = connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(SQLITE_NOMEM)
    // Only these codes come from a system call; for others the number is left over from an earlier
    // one.
    let isSystems = [SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_FULL].contains(extendedCode & 0xFF)
    // SQLite does not keep the number for a failed COMMIT, but `errno` still has it.
    let numbers = [
      connection.map { sqlite3_system_errno($0) }, lastErrno,
      connection.map { csqlite_file_errno($0) },
    ]
    let number = numbers.lazy.compactMap(\.self).first { $0 != 0 } ?? 0
    self.init(
      extendedCode: extendedCode, message: String(cString: message!), sql: sql,
      systemErrno: isSystems ? number : 0)
  }

  /// The highest possible primary key is taken, which happens only in a damaged store.
  static let noKeysLeft = SQLiteError(
    extendedCode: SQLITE_CORRUPT, message: "no primary keys are left")

  /// An entry of the undo log cannot be read.
  static let damagedUndoLog = SQLiteError(
    extendedCode: SQLITE_CORRUPT, message: "the undo log is damaged")

  /// A value is longer than a row can hold (`SQLITE_TOOBIG`).
  static let tooBig = SQLiteError(
    extendedCode: SQLITE_TOOBIG, message: String(cString: sqlite3_errstr(SQLITE_TOOBIG)))

  /// The file was moved away or replaced since it was opened.
  static let moved = SQLiteError(
    extendedCode: SQLITE_READONLY | (4 << 8), message: "the file was moved or replaced")

  /// A check found the file to be inconsistent.
  static func damaged(_ fault: String) -> SQLiteError {
    SQLiteError(extendedCode: SQLITE_CORRUPT, message: fault)
  }

  /// A table that every store of the model has is missing.
  static func missingTable(_ name: String) -> SQLiteError {
    SQLiteError(extendedCode: SQLITE_ERROR, message: "no such table: \(name)")
  }

  /// The file is not a database, with SQLite's own message.
  static let notADatabase = SQLiteError(
    extendedCode: SQLITE_NOTADB, message: String(cString: sqlite3_errstr(SQLITE_NOTADB)))

  /// Another connection held a lock for longer than the waiting time.
  public var isBusy: Bool { [SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL].contains(code) }
  /// The file is not a database, or its contents are inconsistent.
  public var isCorrupt: Bool {
    code == SQLITE_CORRUPT || code == SQLITE_NOTADB || isUnknownFormat
  }
  /// The header names a format of the schema that SQLite does not know.
  ///
  /// Recognised by the message: SQLite has no code of its own for it.
  private var isUnknownFormat: Bool {
    extendedCode == SQLITE_ERROR && message == "unsupported file format"
  }
  /// A constraint or a trigger in the file has refused a change.
  public var isRefusedChange: Bool { code == SQLITE_CONSTRAINT }
  /// Whether the file is not a database.
  var isNotADatabase: Bool { code == SQLITE_NOTADB }
  /// The file could not be created because its folder does not exist.
  public var isMissingFolder: Bool {
    [0, SQLITE_CANTOPEN].contains(code) && systemErrno == ENOENT
  }
  /// The file was moved away or replaced since it was opened (`SQLITE_READONLY_DBMOVED`).
  public var isMoved: Bool { extendedCode == SQLITE_READONLY | (4 << 8) }
  /// Whether it is unknown if the transaction that failed with this error was committed.
  ///
  /// When the disk fails during COMMIT, the last bytes may already be in the log, or the journal
  /// may already be deleted; only a failed write (`SQLITE_IOERR_WRITE`) certainly commits nothing.
  var isUncertain: Bool {
    sql == "COMMIT"
      && (code == SQLITE_NOMEM || code == SQLITE_IOERR && extendedCode != SQLITE_IOERR | (3 << 8))
  }
  /// A table or column that a store of the model has is missing.
  ///
  /// Recognised by the message: SQLite has no code of its own for it.
  public var isMissingTable: Bool {
    extendedCode == SQLITE_ERROR
      && (message.hasPrefix("no such table") || message.hasPrefix("no such column")
        || message.contains(" has no column named "))
  }
  /// An index that a statement names (`INDEXED BY`) is missing.
  var isMissingIndex: Bool {
    extendedCode == SQLITE_ERROR && message.hasPrefix("no such index")
  }
  /// A statement was refused before it ran: a table or column is missing, or the statement exceeds
  /// one of SQLite's limits.
  var isRefusedStatement: Bool { extendedCode == SQLITE_ERROR || code == SQLITE_TOOBIG }
  /// The file, or one that belongs to it such as a journal, could not be opened.
  var cannotOpen: Bool { code == SQLITE_CANTOPEN }
  /// The disk, or the size allowed for the file, is exhausted.
  public var isFull: Bool {
    code == SQLITE_FULL || [ENOSPC, EDQUOT, EFBIG].contains(systemErrno)
  }
  /// The file, or its folder, cannot be read or written: permission denied.
  public var isReadOnly: Bool {
    [SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH].contains(code)
      || [EACCES, EPERM, EROFS].contains(systemErrno)
  }
  /// A value occurs twice where a unique index or a primary key allows it once.
  public var isUniqueViolation: Bool {
    extendedCode == SQLITE_CONSTRAINT | (8 << 8) || extendedCode == SQLITE_CONSTRAINT | (6 << 8)
  }

  /// The extended code and the message, for a log.
  public var description: String {
    extendedCode == 0 ? message : "SQLite error \(extendedCode): \(message)"
  }
}

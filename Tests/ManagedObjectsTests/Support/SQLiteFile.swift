import CSQLite
import Foundation

/// A SQLite file read and changed behind the library's back, as another program would.
///
///     let file = try SQLiteFile(stack.url)
///     try file.rows("SELECT Z_PK, ZNAME FROM ZDOG")  // [["1", "Fido"]]
final class SQLiteFile {
  /// What SQLite said when it could not do something.
  struct Failure: Error {
    let message: String
  }

  private let handle: OpaquePointer

  /// Opens a file, or creates one.
  init(_ url: URL) throws {
    var handle: OpaquePointer?
    let code = sqlite3_open(url.path, &handle)
    // SQLite returns a handle unless there is no memory.
    self.handle = handle!
    guard code == SQLITE_OK else { throw Failure(message: String(cString: sqlite3_errmsg(handle))) }
    // Looking at a store must not change its files: an existing log stays.
    let hasLog = FileManager.default.fileExists(atPath: url.path + "-wal")
    _ = csqlite_keep_wal_on_close(handle, hasLog ? 1 : 0)
  }

  deinit { sqlite3_close_v2(handle) }

  func execute(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw Failure(message: String(cString: sqlite3_errmsg(handle)))
    }
  }

  /// The values of every row as text; NULL is "NULL".
  func rows(_ sql: String) throws -> [[String]] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
      throw Failure(message: String(cString: sqlite3_errmsg(handle)))
    }
    var rows: [[String]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        rows.append(
          (0..<sqlite3_column_count(statement)).map {
            sqlite3_column_text(statement, $0).map { String(cString: $0) } ?? "NULL"
          })
      case SQLITE_DONE: return rows
      default: throw Failure(message: String(cString: sqlite3_errmsg(handle)))
      }
    }
  }

  /// The first column of every row.
  func column(_ sql: String) throws -> [String] { try rows(sql).map { $0[0] } }

  /// The first column of the first row; "NULL" where there is none.
  func value(_ sql: String) throws -> String { try rows(sql).first?[0] ?? "NULL" }

  /// The first column of the first row as a number.
  func number(_ sql: String) throws -> Int { Int(try value(sql)) ?? -1 }
}

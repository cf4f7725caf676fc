import CSQLite
import Foundation
import Testing

extension Prompt {
  /// Runs SQL on the store, as another program may.
  func sql(_ text: String, location: SourceLocation = #_sourceLocation) throws {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    let path = try #require(variables["DOGWALK_STORE"])
    try #require(sqlite3_open(path, &database) == SQLITE_OK, sourceLocation: location)
    let code = sqlite3_exec(database, text, nil, nil, nil)
    try #require(
      code == SQLITE_OK, "\(text): \(String(cString: sqlite3_errmsg(database)))",
      sourceLocation: location)
  }
}

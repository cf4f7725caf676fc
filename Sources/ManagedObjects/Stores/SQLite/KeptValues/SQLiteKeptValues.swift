/// Bytes that a program keeps beside its objects, by names: a table beside Core Data's.
///
/// ```sql
/// MO_KEPT (NAME, VALUE)
/// ```
///
/// It is made with the first value. Nobody else reads it: a store with much in it opens, and is read and
/// written, as any other. Core Data leaves tables alone that are not its own.
struct SQLiteKeptValues {
  static let table = "MO_KEPT"

  /// The store's connection.
  let connection: Connection

  /// The values whose names begin with a text, in the order of their names, one after the other.
  func forEach(named prefix: String, _ body: (String, [UInt8]) throws -> Void) throws {
    let statement: Statement
    do {
      statement = try connection.statement(
        "SELECT NAME, VALUE FROM \(Self.table) WHERE substr(NAME, 1, ?) = ? ORDER BY NAME")
    } catch {
      guard error.isMissingTable else { throw error }
      return
    }
    defer { statement.reset() }
    statement.bind(Int64(prefix.unicodeScalars.count), at: 1)
    statement.bind(prefix, at: 2)
    while try statement.step() {
      guard let name = statement.string(at: 0) else { continue }
      try body(name, statement.blob(at: 1).map { Array($0) } ?? [])
    }
  }

  /// Sets values, inside the caller's transaction; nil takes one out.
  func set(_ values: [String: [UInt8]?]) throws {
    guard !values.isEmpty else { return }
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS \(Self.table) (NAME TEXT PRIMARY KEY, VALUE BLOB)")
    let insert = try connection.statement("INSERT OR REPLACE INTO \(Self.table) VALUES (?, ?)")
    let delete = try connection.statement("DELETE FROM \(Self.table) WHERE NAME = ?")
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      if let value {
        insert.bind(name, at: 1)
        insert.bind(value, at: 2)
        try insert.run()
      } else {
        delete.bind(name, at: 1)
        try delete.run()
      }
    }
  }
}

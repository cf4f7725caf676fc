/// The SQL dialect of an engine.
struct SQLDialect {
  /// Whether it is SQLite's, including this library's functions for what SQL cannot express.
  let isSQLite: Bool
  /// The prefix of table names: a PostgreSQL schema and a full stop.
  let qualifier: String

  /// The dialect of SQLite.
  static let sqlite = SQLDialect(isSQLite: true, qualifier: "")

  /// The dialect of PostgreSQL, with schema-qualified tables so that no search path is needed.
  static func postgreSQL(schema: String) -> SQLDialect {
    SQLDialect(isSQLite: false, qualifier: schema.quotedAlways + ".")
  }

  var yes: String { isSQLite ? "1" : "TRUE" }
  var no: String { isSQLite ? "0" : "FALSE" }
  /// The operators that compare two values of which either may be NULL.
  var `is`: String { isSQLite ? "IS" : "IS NOT DISTINCT FROM" }
  var isNot: String { isSQLite ? "IS NOT" : "IS DISTINCT FROM" }
  /// The separator of tables in FROM; after a comma, a join would bind only to the last table.
  var crossJoin: String { isSQLite ? ", " : " CROSS JOIN " }
  /// The maximum length of a name in bytes; nil for no limit.
  var longestName: Int? { isSQLite ? nil : 63 }

  /// The name of a table in a statement.
  func table(_ name: String) -> String { isSQLite ? name.quoted : qualifier + name.quoted }

  /// The clause that makes a statement use an index; empty if the engine chooses by itself.
  func indexed(by index: String) -> String { isSQLite ? " INDEXED BY \(index)" : "" }

  /// The expression for comparing a row's optimistic-lock count: the 32 bits that a packed row
  /// holds.
  static let lockCount = "coalesce(Z_OPT, 0) & 4294967295"
  /// The expression for an incremented lock count: always an integer, whatever the column contains.
  static let nextLockCount = "(coalesce(Z_OPT, 0) & 4611686018427387903) + 1"

  /// The direction after a column in ORDER BY; NULLs always sort first.
  func direction(isAscending: Bool) -> String {
    if isAscending { return isSQLite ? "" : " NULLS FIRST" }
    return isSQLite ? " DESC" : " DESC NULLS LAST"
  }

  /// A column of an index, in the order that statements sort by.
  func part(_ column: String, isAscending: Bool = true) -> String {
    isSQLite
      ? "\(column) COLLATE BINARY \(isAscending ? "ASC" : "DESC")"
      : column + direction(isAscending: isAscending)
  }
}

extension String {
  /// The name in double quotes.
  var quotedAlways: String {
    var quoted = "\""
    for character in self { quoted += character == "\"" ? "\"\"" : String(character) }
    return quoted + "\""
  }

  /// The name or, if it has more bytes than a limit, its beginning followed by a hash of all of it.
  func shortened(to most: Int) -> String {
    guard utf8.count > most else { return self }
    let end = "_" + String(FNV1a(self).value, radix: 16, uppercase: true)
    var start = self
    while start.utf8.count + end.utf8.count > most { start.removeLast() }
    return start + end
  }
}

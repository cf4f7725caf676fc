/// Which engine SQL is written for, where engines differ.
struct SQLDialect {
  /// Whether it is SQLite's, with functions of ours for what its SQL cannot say.
  let isSQLite: Bool
  /// What stands before a table's name: a PostgreSQL schema and a full stop.
  let qualifier: String

  /// SQLite's, of a file of its own.
  static let sqlite = SQLDialect(isSQLite: true, qualifier: "")

  /// PostgreSQL's, whose tables are named with their schema: no session need have a search path.
  static func postgreSQL(schema: String) -> SQLDialect {
    SQLDialect(isSQLite: false, qualifier: schema.quotedAlways + ".")
  }

  var yes: String { isSQLite ? "1" : "TRUE" }
  var no: String { isSQLite ? "0" : "FALSE" }
  /// Compares two values of which any may be missing.
  var `is`: String { isSQLite ? "IS" : "IS NOT DISTINCT FROM" }
  var isNot: String { isSQLite ? "IS NOT" : "IS DISTINCT FROM" }
  /// What stands between tables; joins behind them bind to the last alone where that is a comma.
  var crossJoin: String { isSQLite ? ", " : " CROSS JOIN " }
  /// The most bytes of a name; nil where there is no such bound.
  var longestName: Int? { isSQLite ? nil : 63 }

  /// A table, as a statement names it.
  func table(_ name: String) -> String { isSQLite ? name.quoted : qualifier + name.quoted }

  /// What has a statement use an index; nothing where the engine chooses by itself.
  func indexed(by index: String) -> String { isSQLite ? " INDEXED BY \(index)" : "" }

  /// What is compared of a row's optimistic-lock count: as much as a packed row has of it.
  static let lockCount = "coalesce(Z_OPT, 0) & 4294967295"
  /// The lock count of a row that is changed: one more, and a whole number whatever stands there.
  static let nextLockCount = "(coalesce(Z_OPT, 0) & 4611686018427387903) + 1"

  /// What follows a column to sort by: what is missing stands before every value.
  func direction(isAscending: Bool) -> String {
    if isAscending { return isSQLite ? "" : " NULLS FIRST" }
    return isSQLite ? " DESC" : " DESC NULLS LAST"
  }

  /// A column of an index, which has to say what statements sort by.
  func part(_ column: String, isAscending: Bool = true) -> String {
    isSQLite
      ? "\(column) COLLATE BINARY \(isAscending ? "ASC" : "DESC")"
      : column + direction(isAscending: isAscending)
  }
}

extension String {
  /// The name in double quotation marks.
  var quotedAlways: String {
    var quoted = "\""
    for character in self { quoted += character == "\"" ? "\"\"" : String(character) }
    return quoted + "\""
  }

  /// The name, or where it has more bytes than that, its beginning and a number made of all of it.
  func shortened(to most: Int) -> String {
    guard utf8.count > most else { return self }
    let end = "_" + String(FNV1a(self).value, radix: 16, uppercase: true)
    var start = self
    while start.utf8.count + end.utf8.count > most { start.removeLast() }
    return start + end
  }
}

/// Rows that contradict the model, as a condition of SQL finds them.
struct RowCondition {
  let kind: StoreFault.Kind
  /// Their table, which the condition calls `t`, or `l` where it is a join's.
  let table: String
  let condition: String
  /// What is wrong with them, behind their number: `in a list by ZDOG without a position`.
  let description: String
  let entity: EntityBinding
  var property: String?
  /// Whether they are links of a join, which have no primary keys.
  var areLinks = false

  /// What counts them.
  func count(_ dialect: SQLDialect) -> String { "SELECT count(*) \(source(dialect))" }

  /// What gives the first keys; nil of links.
  func firstKeys(_ dialect: SQLDialect) -> String? {
    areLinks
      ? nil
      : "SELECT t.Z_PK \(source(dialect)) ORDER BY t.Z_PK LIMIT \(StoreFault.mostKeys)"
  }

  private func source(_ dialect: SQLDialect) -> String {
    "FROM \(dialect.table(table)) AS \(areLinks ? "l" : "t") WHERE \(condition)"
  }
}

/// Rows that contradict the model, found by an SQL condition.
struct RowCondition {
  let kind: StoreProblem.Kind
  /// The table, with the alias `t` in the condition, or `l` for a join table.
  let table: String
  let condition: String
  /// The problem, a phrase that follows the number of rows: `without a position in the list of
  /// ZDOG`.
  let description: String
  let entity: EntityBinding
  var property: String?
  /// Whether they are links in a join table, which have no primary keys.
  var areLinks = false

  /// The statement that counts them.
  func count(_ dialect: SQLDialect) -> String { "SELECT count(*) \(source(dialect))" }

  /// The statement that selects the first keys; nil for links.
  func firstKeys(_ dialect: SQLDialect) -> String? {
    areLinks
      ? nil
      : "SELECT t.Z_PK \(source(dialect)) ORDER BY t.Z_PK LIMIT \(StoreProblem.maximumKeyCount)"
  }

  private func source(_ dialect: SQLDialect) -> String {
    "FROM \(dialect.table(table)) AS \(areLinks ? "l" : "t") WHERE \(condition)"
  }
}

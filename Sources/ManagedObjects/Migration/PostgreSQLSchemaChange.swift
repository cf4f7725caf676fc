#if PostgreSQL
  /// Changes the tables of a store on a server to those of another model, in the caller's
  /// transaction.
  ///
  /// Tables of the same name are kept, with the privileges of roles, and so are columns of the same
  /// name and type, with the views that refer to them.
  struct PostgreSQLSchemaChange {
    private let connection: PostgreSQLConnection
    private let old: SQLSchema
    private let new: SQLSchema
    private var dialect: SQLDialect { new.dialect }

    init(_ connection: PostgreSQLConnection, from old: SQLSchema, to new: SQLSchema) {
      self.connection = connection
      self.old = old
      self.new = new
    }

    /// Empties the tables and gives them the new model's columns; drops the old indexes.
    func makeTables() throws {
      try run(old.serverIndexes.map { "DROP INDEX IF EXISTS \(dialect.table($0.serverName))" })
      // Running reads of other connections still see the deleted rows; a truncated table would be
      // empty for them.
      try run(old.allTables.map { "DELETE FROM \(dialect.table($0))" })
      let keptJoins = Set(
        new.joins.filter { join in old.joins.contains { $0.hasColumns(of: join) } }.map(\.table))
      let kept = Set(new.tables.map(\.name)).union(keptJoins)
      try run(old.allTables.filter { !kept.contains($0) }.map { "DROP TABLE \(dialect.table($0))" })
      var made: [String] = []
      for table in new.tables {
        if let before = old.tables.first(where: { $0.name == table.name }) {
          try run(changes(from: before, to: table))
        } else {
          try run([new.creation(of: table)])
          made.append(table.name)
        }
      }
      for join in new.joins where !keptJoins.contains(join.table) {
        try run([new.creation(of: join)])
        made.append(join.table)
      }
      try connection.grantRights(to: made)
    }

    /// Creates the indexes, preferably after the rows.
    func makeIndexes() throws { try run(new.serverIndexes.map(new.creation(of:))) }

    private func changes(
      from before: SQLSchema.Table, to table: SQLSchema.Table
    ) -> [String] {
      let gone = before.columns.filter { !table.columns.contains($0) }
      let added = table.columns.filter { !before.columns.contains($0) }
      let steps =
        gone.map { "DROP COLUMN \($0.name.quoted)" }
        + added.map { "ADD COLUMN \($0.name.quoted) \($0.serverType)" }
      guard !steps.isEmpty else { return [] }
      return ["ALTER TABLE \(dialect.table(table.name)) \(steps.joined(separator: ", "))"]
    }

    private func run(_ statements: [String]) throws {
      if !statements.isEmpty { try connection.runAll(statements.joined(separator: ";\n")) }
    }
  }

  extension SQLSchema.Join {
    /// Whether the table of another join is the same.
    fileprivate func hasColumns(of other: SQLSchema.Join) -> Bool {
      table == other.table && keys == other.keys && orders == other.orders
    }
  }
#endif

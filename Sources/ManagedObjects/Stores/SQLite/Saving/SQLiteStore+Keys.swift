import DataModel

/// Assigning the primary keys of a table (Z_PRIMARYKEY).
extension SQLiteStore {
  /// The highest key ever assigned in a table; even with a wrong Z_MAX in a damaged store, no key
  /// is assigned twice.
  func highestKey(of entity: EntityBinding) throws -> Int64 {
    let root = binding(at: entity.root)
    let statement = try connection.statement(
      """
      SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(root.number)
      UNION ALL SELECT max(Z_PK) FROM \(table(root))
      """)
    defer { statement.reset() }
    var highest: Int64 = 0
    while try statement.step() { highest = max(highest, statement.integer(at: 0)) }
    return highest
  }

  func setHighestKey(_ highest: Int64, of root: EntityBinding) throws {
    let statement = try connection.statement("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?")
    statement.bind(highest, at: 1)
    statement.bind(Int64(root.number), at: 2)
    try statement.run()
  }

  /// Raises the highest key by a count, in one transaction; returns the first new key.
  func takeKeys(_ count: Int, of root: EntityBinding) throws -> Int64 {
    try connection.part {
      let last = try highestKey(of: root)
      // Only a damaged store contains such a number.
      guard last <= Int64.max - Int64(count) else { throw SQLiteError.noKeysLeft }
      try setHighestKey(last + Int64(count), of: root)
      return last + 1
    }
  }
}

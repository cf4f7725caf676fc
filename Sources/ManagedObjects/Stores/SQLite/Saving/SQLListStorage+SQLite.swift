extension SQLListStorage where Store == SQLiteStore {
  func lastOrderKey() throws -> Int64? {
    let statement = try store.connection.statement(
      "SELECT max(\(keyColumn)) FROM \(table) WHERE \(ownerColumn) = ?")
    defer { statement.reset() }
    statement.bind(owner, at: 1)
    return try statement.step() && !statement.isNull(at: 0) ? statement.integer(at: 0) : nil
  }

  func storedMembers() throws -> [StoredMember] {
    let statement = try store.connection.statement(
      """
      SELECT \(memberColumn), \(keyColumn), \(version) FROM \(table)
      WHERE \(ownerColumn) = ? ORDER BY \(keyColumn), \(memberColumn)
      """)
    defer { statement.reset() }
    statement.bind(owner, at: 1)
    var members: [StoredMember] = []
    while try statement.step() {
      members.append(
        StoredMember(
          key: statement.integer(at: 0),
          orderKey: statement.isNull(at: 1) ? nil : statement.integer(at: 1),
          version: UInt32(truncatingIfNeeded: statement.integer(at: 2))))
    }
    return members
  }
}

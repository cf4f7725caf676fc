/// One ordered to-many in a SQLite store, by its index on owner and order key.
struct SQLiteOrderedList: OrderedListStorage {
  let store: SQLiteStore
  let list: SaveRequest.OrderedList
  let owner: Int64
  let orderKeySlot: Int

  private var table: String { store.table(list.memberEntity) }
  private var ownerColumn: String { store.column(list.toOne.slot, of: list.memberEntity) }
  private var keyColumn: String { store.column(orderKeySlot, of: list.memberEntity) }

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
      SELECT Z_PK, \(keyColumn), coalesce(Z_OPT, 0) FROM \(table)
      WHERE \(ownerColumn) = ? ORDER BY \(keyColumn), Z_PK
      """)
    defer { statement.reset() }
    statement.bind(owner, at: 1)
    var members: [StoredMember] = []
    while try statement.step() {
      members.append(
        StoredMember(
          key: statement.integer(at: 0),
          orderKey: statement.isNull(at: 1) ? nil : statement.integer(at: 1),
          version: statement.integer(at: 2)))
    }
    return members
  }

  func move(_ key: Int64, version: Int64, to orderKey: Int64) throws -> SaveResult.Move {
    let statement = try store.updateStatement(list.memberEntity, slots: [orderKeySlot])
    statement.bind(orderKey, at: 1)
    statement.bind(version + 1, at: 2)
    statement.bind(key, at: 3)
    statement.bind(version, at: 4)
    try statement.run()
    return SaveResult.Move(
      entity: list.memberEntity, key: key, slot: orderKeySlot, orderKey: orderKey,
      version: version + 1)
  }
}

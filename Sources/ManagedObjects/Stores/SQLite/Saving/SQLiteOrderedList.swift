/// One ordered to-many whose order keys stand in its members, by the index on owner and order key.
struct SQLiteOrderedList: OrderedListStorage {
  let store: SQLiteStore
  let toOne: EntityBinding.ToOne
  let orderKeySlot: Int
  let entity: EntityBinding
  let owner: Int64
  let recorder: TransactionRecorder?

  private var table: String { store.table(entity) }
  private var ownerColumn: String { store.column(toOne.slot, of: entity) }
  private var keyColumn: String { store.column(orderKeySlot, of: entity) }

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
      SELECT Z_PK, \(keyColumn), \(SQLiteStore.lockCount) FROM \(table)
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
          version: UInt32(truncatingIfNeeded: statement.integer(at: 2))))
    }
    return members
  }

  func write(
    _ orderKey: Int64, to member: SaveRequest.Member, version: UInt32
  ) throws -> SaveResult.Move? {
    if let row = member.writtenRow {
      row.setBits(UInt64(bitPattern: orderKey), orderKeySlot)
      return nil
    }
    if let recorder {
      try store.recordMove(entity, member.key, slot: orderKeySlot, recorder)
    }
    let statement = try store.updateStatement(entity, slots: [orderKeySlot])
    statement.bind(orderKey, at: 1)
    statement.bind(member.key, at: 2)
    statement.bind(Int64(version), at: 3)
    try statement.run()
    return SaveResult.Move(
      entity: entity, key: member.key, slot: orderKeySlot, orderKey: orderKey,
      version: version &+ 1)
  }
}

/// One ordered to-many whose order keys stand in the rows of a join.
struct SQLiteJoinList: OrderedListStorage {
  let store: SQLiteStore
  let join: Int
  let isFirst: Bool
  let owner: Int64
  let recorder: TransactionRecorder?

  private var names: SQLSchema.Join { store.schema.joins[join] }
  private var ownerColumn: String { (isFirst ? names.firstKey : names.secondKey).quoted }
  private var memberColumn: String { (isFirst ? names.secondKey : names.firstKey).quoted }
  // Only ordered ends have lists.
  private var keyColumn: String { (isFirst ? names.secondOrder : names.firstOrder)!.quoted }

  func lastOrderKey() throws -> Int64? {
    let statement = try store.connection.statement(
      "SELECT max(\(keyColumn)) FROM \(names.table.quoted) WHERE \(ownerColumn) = ?")
    defer { statement.reset() }
    statement.bind(owner, at: 1)
    return try statement.step() && !statement.isNull(at: 0) ? statement.integer(at: 0) : nil
  }

  func storedMembers() throws -> [StoredMember] {
    let statement = try store.connection.statement(
      """
      SELECT \(memberColumn), \(keyColumn) FROM \(names.table.quoted)
      WHERE \(ownerColumn) = ? ORDER BY \(keyColumn), \(memberColumn)
      """)
    defer { statement.reset() }
    statement.bind(owner, at: 1)
    var members: [StoredMember] = []
    while try statement.step() {
      members.append(
        StoredMember(
          key: statement.integer(at: 0),
          orderKey: statement.isNull(at: 1) ? nil : statement.integer(at: 1), version: 0))
    }
    return members
  }

  func write(
    _ orderKey: Int64, to member: SaveRequest.Member, version: UInt32
  ) throws -> SaveResult.Move? {
    if let recorder {
      let (first, second) = isFirst ? (owner, member.key) : (member.key, owner)
      for link in try store.storedLinks(join, first: first, second: second) {
        // The order of an owner's members stands beside the members' column.
        recorder.moved(
          join, first, second, isFirst: !isFirst,
          order: isFirst ? link.secondOrder : link.firstOrder)
      }
    }
    let statement = try store.connection.statement(
      """
      UPDATE \(names.table.quoted) SET \(keyColumn) = ?
      WHERE \(ownerColumn) = ? AND \(memberColumn) = ?
      """)
    statement.bind(orderKey, at: 1)
    statement.bind(owner, at: 2)
    statement.bind(member.key, at: 3)
    try statement.run()
    return nil
  }
}

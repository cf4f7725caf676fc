/// One ordered to-many in a SQLite table; all names are quoted SQL.
protocol SQLiteListStorage: OrderedListStorage {
  var store: SQLiteStore { get }
  /// The key of the owner.
  var owner: Int64 { get }
  /// The table that has a row for each member.
  var table: String { get }
  var ownerColumn: String { get }
  var memberColumn: String { get }
  /// The column of the order keys.
  var keyColumn: String { get }
  /// The SQL expression for a member's lock count.
  var version: String { get }
}

extension SQLiteListStorage {
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

/// One ordered to-many with the order keys in its members' rows, read by the index on owner and
/// order key.
struct SQLiteOrderedList: SQLiteListStorage {
  let store: SQLiteStore
  let toOne: EntityBinding.ToOne
  let orderKeySlot: Int
  let entity: EntityBinding
  let owner: Int64
  let recorder: TransactionRecorder?

  var table: String { store.table(entity) }
  var ownerColumn: String { store.column(toOne.slot, of: entity) }
  var memberColumn: String { "Z_PK" }
  var keyColumn: String { store.column(orderKeySlot, of: entity) }
  var version: String { SQLDialect.lockCount }

  func write(_ orderKey: Int64, to member: Int64, version: UInt32) throws -> SaveResult.Move? {
    if let recorder {
      try store.recordMove(entity, member, slot: orderKeySlot, recorder)
    }
    let statement = try store.updateStatement(entity, slots: [orderKeySlot])
    statement.bind(orderKey, at: 1)
    statement.bind(member, at: 2)
    statement.bind(Int64(version), at: 3)
    try statement.run()
    return SaveResult.Move(
      entity: entity, key: member, slot: orderKeySlot, orderKey: orderKey,
      version: version &+ 1)
  }
}

/// One ordered to-many with the order keys in the rows of a join table.
struct SQLiteJoinList: SQLiteListStorage {
  let store: SQLiteStore
  let join: Int
  let isFirst: Bool
  let owner: Int64
  let recorder: TransactionRecorder?

  private var names: SQLSchema.Join { store.schema.joins[join] }
  var table: String { names.table.quoted }
  var ownerColumn: String { (isFirst ? names.firstKey : names.secondKey).quoted }
  var memberColumn: String { (isFirst ? names.secondKey : names.firstKey).quoted }
  // Only ordered ends have lists.
  var keyColumn: String { (isFirst ? names.secondOrder : names.firstOrder)!.quoted }
  // Rows of a join table have no lock count.
  var version: String { "0" }

  func write(_ orderKey: Int64, to member: Int64, version: UInt32) throws -> SaveResult.Move? {
    if let recorder {
      let (first, second) = isFirst ? (owner, member) : (member, owner)
      for link in try store.storedLinks(join, first: first, second: second) {
        // The order of an owner's members is stored next to the members' column.
        recorder.moved(
          join, first, second, isFirst: !isFirst,
          order: isFirst ? link.secondOrder : link.firstOrder)
      }
    }
    let statement = try store.connection.statement(
      """
      UPDATE \(table) SET \(keyColumn) = ?
      WHERE \(ownerColumn) = ? AND \(memberColumn) = ?
      """)
    statement.bind(orderKey, at: 1)
    statement.bind(owner, at: 2)
    statement.bind(member, at: 3)
    try statement.run()
    return nil
  }
}

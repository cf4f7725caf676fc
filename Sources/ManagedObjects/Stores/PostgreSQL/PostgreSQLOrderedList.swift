#if PostgreSQL
  import DataModel

  /// One ordered to-many in a PostgreSQL table; all names are quoted SQL.
  protocol PostgreSQLListStorage: OrderedListStorage {
    var store: PostgreSQLStore { get }
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
    /// The highest order key, if it was queried ahead.
    var lastOrderKeyAhead: LastOrderKey? { get }
  }

  /// The highest order key of a list, to be received from the server.
  final class LastOrderKey {
    /// nil if it is not received yet; an inner nil if the list has none.
    fileprivate(set) var value: Int64??
  }

  @available(*, unavailable) extension LastOrderKey: Sendable {}

  extension PostgreSQLListStorage {
    private var lastOrderKeySQL: String {
      "SELECT max(\(keyColumn)) FROM \(table) AS t WHERE \(ownerColumn) = ?"
    }

    /// Queues the query for the highest order key, to be sent with the next statement.
    func queueLastOrderKey() -> LastOrderKey {
      let key = LastOrderKey()
      store.connection.queue(
        lastOrderKeySQL, [.integer(owner)],
        onResult: { key.value = .some($0.isNull(0, 0) ? nil : $0.integer(0, 0)) })
      return key
    }

    func lastOrderKey() throws -> Int64? {
      if let ahead = lastOrderKeyAhead {
        if ahead.value == nil { try store.connection.sendQueued() }
        if let value = ahead.value { return value }
      }
      let found = try store.connection.run(lastOrderKeySQL, [.integer(owner)])
      return found.isNull(0, 0) ? nil : found.integer(0, 0)
    }

    func storedMembers() throws -> [StoredMember] {
      let found = try store.connection.run(
        """
        SELECT \(memberColumn), \(keyColumn), \(version) FROM \(table) AS t
        WHERE \(ownerColumn) = ? ORDER BY \(keyColumn) NULLS FIRST, \(memberColumn)
        """, [.integer(owner)])
      return (0..<found.count).map { row in
        StoredMember(
          key: found.integer(row, 0),
          orderKey: found.isNull(row, 1) ? nil : found.integer(row, 1),
          version: UInt32(truncatingIfNeeded: found.integer(row, 2)))
      }
    }
  }

  /// One ordered to-many with the order keys in its members' rows, read by the index on owner and
  /// order key.
  struct PostgreSQLOrderedList: PostgreSQLListStorage {
    let store: PostgreSQLStore
    let toOne: EntityBinding.ToOne
    let orderKeySlot: Int
    let entity: EntityBinding
    let owner: Int64
    let recorder: TransactionRecorder?
    var lastOrderKeyAhead: LastOrderKey?

    var table: String { store.table(entity) }
    var ownerColumn: String { store.column(toOne.slot, of: entity) }
    var memberColumn: String { "Z_PK" }
    var keyColumn: String { store.column(orderKeySlot, of: entity) }
    var version: String { PostgreSQLStore.lockCount }

    func write(_ orderKey: Int64, to member: Int64, version: UInt32) throws -> SaveResult.Move? {
      if let recorder {
        try store.recordMove(entity, member, slot: orderKeySlot, recorder)
      }
      try store.connection.run(
        """
        UPDATE \(table) AS t SET \(keyColumn) = ?, Z_OPT = \(PostgreSQLStore.nextLockCount)
        WHERE Z_PK = ? AND \(PostgreSQLStore.lockCount) = ?
        """, [.integer(orderKey), .integer(member), .integer(Int64(version))])
      return SaveResult.Move(
        entity: entity, key: member, slot: orderKeySlot, orderKey: orderKey,
        version: version &+ 1)
    }
  }

  /// One ordered to-many with the order keys in the rows of a join table.
  struct PostgreSQLJoinList: PostgreSQLListStorage {
    let store: PostgreSQLStore
    let join: Int
    let isFirst: Bool
    let owner: Int64
    let recorder: TransactionRecorder?
    var lastOrderKeyAhead: LastOrderKey? { nil }

    private var names: SQLSchema.Join { store.schema.joins[join] }
    var table: String { store.schema.dialect.table(names.table) }
    var ownerColumn: String { (isFirst ? names.firstKey : names.secondKey).quoted }
    var memberColumn: String { (isFirst ? names.secondKey : names.firstKey).quoted }
    // Only ordered ends have lists.
    var keyColumn: String { (isFirst ? names.secondOrder : names.firstOrder)!.quoted }
    // Rows of a join table have no lock count.
    var version: String { "0::int8" }

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
      try store.connection.run(
        """
        UPDATE \(table) SET \(keyColumn) = ?
        WHERE \(ownerColumn) = ? AND \(memberColumn) = ?
        """, [.integer(orderKey), .integer(owner), .integer(member)])
      return nil
    }
  }
#endif

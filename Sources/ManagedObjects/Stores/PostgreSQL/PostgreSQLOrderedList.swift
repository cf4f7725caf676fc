#if PostgreSQL
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
#endif

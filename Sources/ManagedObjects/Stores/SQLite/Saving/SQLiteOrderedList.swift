/// One ordered to-many with the order keys in its members' rows, read by the index on owner and
/// order key.
struct SQLiteOrderedList: SQLListStorage {
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

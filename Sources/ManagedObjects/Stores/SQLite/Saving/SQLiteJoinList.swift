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

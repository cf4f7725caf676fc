/// One ordered to-many with the order keys in the rows of a join table.
protocol SQLJoinListStorage: SQLListStorage {
  /// The number of the join.
  var join: Int { get }
  /// Whether the owner is the join's first object.
  var isFirst: Bool { get }
  var recorder: TransactionRecorder? { get }
}

extension SQLJoinListStorage {
  private var names: SQLSchema.Join { store.schema.joins[join] }
  var table: String { store.schema.dialect.table(names.table) }
  var ownerColumn: String { (isFirst ? names.firstKey : names.secondKey).quoted }
  var memberColumn: String { (isFirst ? names.secondKey : names.firstKey).quoted }
  // Only ordered ends have lists.
  var keyColumn: String { (isFirst ? names.secondOrder : names.firstOrder)!.quoted }

  /// The statement that writes an order key; its parameters are that, the owner and the member.
  var updateSQL: String {
    """
    UPDATE \(table) SET \(keyColumn) = ?
    WHERE \(ownerColumn) = ? AND \(memberColumn) = ?
    """
  }

  /// Records the order key that reordering the list overwrites.
  func recordMove(of member: Int64) throws {
    guard let recorder else { return }
    let (first, second) = isFirst ? (owner, member) : (member, owner)
    for link in try store.storedLinks(join, first: first, second: second) {
      // The order of an owner's members is stored next to the members' column.
      recorder.moved(
        join, first, second, isFirst: !isFirst,
        order: isFirst ? link.secondOrder : link.firstOrder)
    }
  }
}

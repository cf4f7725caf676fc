import DataModel

extension SaveRequest {
  /// The updates of a save request, found by what they change: each is looked at once, however many
  /// lists and new objects ask.
  final class UpdateIndex {
    /// A row, by the hierarchy of its entity.
    private struct Row: Hashable {
      let root: Int
      let key: Int64
    }

    /// A to-one relationship, by the hierarchy of the entity that has it.
    private struct ToOne: Hashable {
      let root: Int
      let slot: Int
    }

    private let updates: ContiguousArray<Update>
    private lazy var indexes: [Row: Int] = Dictionary(
      updates.enumerated().map { (Row(root: $1.entity.root, key: $1.key), $0) },
      uniquingKeysWith: { first, _ in first })
    private var leaving: [ToOne: [Int64: Set<Int64>]] = [:]

    init(_ updates: ContiguousArray<Update>) { self.updates = updates }

    /// Whether a row gets another value in this save than the one it has in a slot.
    func givesAway(_ slot: Int, of entity: EntityBinding, _ key: Int64) -> Bool {
      guard let index = indexes[Row(root: entity.root, key: key)] else { return false }
      let update = updates[index]
      return !update.row.isEqual(slot, to: update.snapshot, isTail: entity.kinds[slot].isTail)
    }

    /// The members that leave an owner's list by being given another owner, or none.
    func membersLeaving(
      _ owner: Int64, by toOne: EntityBinding.ToOne, of entity: EntityBinding
    ) -> Set<Int64> {
      let (slot, asked) = (toOne.slot, ToOne(root: entity.root, slot: toOne.slot))
      if let known = leaving[asked] { return known[owner] ?? [] }
      var found: [Int64: Set<Int64>] = [:]
      for update in updates
      where update.entity.root == entity.root && update.snapshot.hasValue(slot) {
        let old = update.snapshot.integer(slot)
        guard !(update.row.hasValue(slot) && update.row.integer(slot) == old) else { continue }
        found[old, default: []].insert(update.key)
      }
      leaving[asked] = found
      return found[owner] ?? []
    }
  }
}

@available(*, unavailable) extension SaveRequest.UpdateIndex: Sendable {}

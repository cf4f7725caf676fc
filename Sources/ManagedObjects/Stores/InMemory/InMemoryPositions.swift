import DataModel

/// The positions of rows in the ordered inverses of their to-ones, found once for all rows.
final class InMemoryPositions {
  private let contents: InMemoryStore.Contents
  private let store: InMemoryStore
  /// The positions by list and key.
  private var found: [EntityBinding.ToOne.OrderedInverse: [Int64: Int]] = [:]

  init(_ contents: InMemoryStore.Contents, store: InMemoryStore) {
    self.contents = contents
    self.store = store
  }

  /// The position of a row, from 1, in the ordered inverse of its to-one; nil if it has none.
  func of(_ key: Int64, _ toOne: EntityBinding.ToOne) -> Int? {
    guard let list = toOne.orderedInverse, let orderKey = toOne.orderKeySlot else { return nil }
    let positions = found[list] ?? all(of: list, toOne.slot, orderKey)
    if found[list] == nil { found[list] = positions }
    return positions[key]
  }

  private func all(
    of list: EntityBinding.ToOne.OrderedInverse, _ slot: Int, _ orderKey: Int
  ) -> [Int64: Int] {
    let toMany = store.binding(at: list.owner).toManys[list.number]
    let member = store.binding(at: toMany.destination)
    var members: [(owner: Int64, order: Int64, key: Int64)] = []
    for (key, stored) in contents.rows[member.root] ?? [:]
    where member.family.contains(stored.entity.index) && stored.row.hasValue(slot) {
      let order = stored.row.hasValue(orderKey) ? stored.row.integer(orderKey) : 0
      members.append((stored.row.integer(slot), order, key))
    }
    members.sort { $0 < $1 }
    var positions = [Int64: Int](minimumCapacity: members.count)
    var position = 0
    for (index, (owner, _, key)) in members.enumerated() {
      position = index > 0 && members[index - 1].owner == owner ? position + 1 : 1
      positions[key] = position
    }
    return positions
  }
}

@available(*, unavailable) extension InMemoryPositions: Sendable {}

/// The keys of the members of lists in an in-memory store, found once for all owners.
///
/// While it is used, the destinations of to-ones and the links must not change; order keys may.
struct InMemoryListedKeys {
  private enum Relationship: Hashable {
    /// The root entity of the members, and the slot of their inverse to-one.
    case toOne(root: Int, slot: Int)
    case join(Int, isFirst: Bool)

    init(_ list: SaveRequest.OrderedList.Storage) {
      switch list {
      case .foreignKey(let toOne, let entity): self = .toOne(root: entity.root, slot: toOne.slot)
      case .join(let end): self = .join(end.join, isFirst: end.isFirst)
      }
    }
  }

  /// The owners whose lists will be requested.
  private var owners: [Relationship: Set<Int64>] = [:]
  private var found: [Relationship: [Int64: [Int64]]] = [:]

  /// Creates an empty lookup for no lists.
  init() {}

  /// - Parameter lists: the lists that will be requested.
  init(of lists: [(list: SaveRequest.OrderedList.Storage, owner: Int64)]) {
    for (list, owner) in lists { owners[Relationship(list), default: []].insert(owner) }
  }

  /// The keys of an owner's members, unordered.
  mutating func keys(
    of owner: Int64, in list: SaveRequest.OrderedList.Storage, _ contents: InMemoryStore.Contents
  ) -> [Int64] {
    let relationship = Relationship(list)
    let all = found[relationship] ?? keys(in: relationship, contents)
    if found[relationship] == nil { found[relationship] = all }
    return all[owner] ?? []
  }

  private func keys(
    in relationship: Relationship, _ contents: InMemoryStore.Contents
  ) -> [Int64: [Int64]] {
    let owners = owners[relationship] ?? []
    var keys: [Int64: [Int64]] = [:]
    func note(_ key: Int64, of owner: Int64) {
      if owners.contains(owner) { keys[owner, default: []].append(key) }
    }
    switch relationship {
    case .toOne(let root, let slot):
      for (key, stored) in contents.rows[root] ?? [:] where stored.row.hasValue(slot) {
        note(key, of: stored.row.integer(slot))
      }
    case .join(let join, let isFirst):
      for link in (contents.links[join] ?? [:]).keys {
        if isFirst { note(link.second, of: link.first) } else { note(link.first, of: link.second) }
      }
    }
    return keys
  }
}

import DataModel

/// The members of to-manys in a store in memory, found once for all owners.
final class InMemoryMembers {
  private let contents: InMemoryStore.Contents
  private let store: InMemoryStore
  /// By relationship, then by the owner's key.
  private var found: [Relationship: [Int64: [RowEvaluation.Member]]] = [:]

  private struct Relationship: Hashable {
    let destination: Int
    /// The slot of the to-one that leads back, or the join.
    let index: Int
    /// Which end of the join; nil for a to-one.
    let isFirst: Bool?
  }

  init(_ contents: InMemoryStore.Contents, store: InMemoryStore) {
    self.contents = contents
    self.store = store
  }

  /// The members of one object's to-many, in their order where they have one.
  func of(_ toMany: EntityBinding.ToMany, owner: Int64) -> [RowEvaluation.Member] {
    let relationship: Relationship
    switch toMany.storage {
    case .foreignKey(let slot):
      relationship = Relationship(destination: toMany.destination, index: slot, isFirst: nil)
    case .join(let end):
      relationship = Relationship(
        destination: toMany.destination, index: end.join, isFirst: end.isFirst)
    case .memory: return []
    }
    if found[relationship] == nil { found[relationship] = all(of: relationship) }
    return found[relationship]?[owner] ?? []
  }

  private func all(of relationship: Relationship) -> [Int64: [RowEvaluation.Member]] {
    let destination = store.binding(at: relationship.destination)
    let rows = contents.rows[destination.root] ?? [:]
    var members: [Int64: [(order: Int64, member: RowEvaluation.Member)]] = [:]
    if let isFirst = relationship.isFirst {
      for (link, order) in contents.links[relationship.index] ?? [:] {
        let (owner, key) = isFirst ? (link.first, link.second) : (link.second, link.first)
        guard let stored = rows[key] else { continue }
        members[owner, default: []].append(
          ((isFirst ? order.second : order.first) ?? 0, .init(row: stored.row, key: key)))
      }
    } else {
      let orderKey = destination.toOnesBySlot[relationship.index]?.orderKeySlot
      for (key, stored) in rows
      where destination.family.contains(stored.entity.index)
        && stored.row.hasValue(relationship.index)
      {
        let order = orderKey.flatMap { stored.row.hasValue($0) ? stored.row.integer($0) : nil }
        members[stored.row.integer(relationship.index), default: []]
          .append((order ?? 0, .init(row: stored.row, key: key)))
      }
    }
    return members.mapValues { list in
      list.sorted { ($0.order, $0.member.key) < ($1.order, $1.member.key) }.map(\.member)
    }
  }
}

@available(*, unavailable) extension InMemoryMembers: Sendable {}

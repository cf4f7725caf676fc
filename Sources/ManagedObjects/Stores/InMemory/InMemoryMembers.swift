/// The members of to-many relationships in an in-memory store, found once for all owners.
final class InMemoryMembers {
  private let contents: InMemoryStore.Contents
  private let bindings: [EntityBinding]
  private let offset: Int
  /// The members by relationship and owner's key.
  private var found: [Relationship: [Int64: [RowEvaluation.Member]]] = [:]

  private struct Relationship: Hashable {
    let destination: Int
    /// The slot of the inverse to-one, or the index of the join.
    let index: Int
    /// Which end of the join the owners are; nil for a to-one.
    let isFirst: Bool?

    /// nil for a relationship that is not stored.
    init?(_ toMany: EntityBinding.ToMany) {
      destination = toMany.destination
      switch toMany.storage {
      case .foreignKey(let slot): (index, isFirst) = (slot, nil)
      case .join(let end): (index, isFirst) = (end.join, end.isFirst)
      case .memory: return nil
      }
    }
  }

  init(_ contents: InMemoryStore.Contents, store: InMemoryStore) {
    self.contents = contents
    (bindings, offset) = (store.bindings, store.offset)
  }

  /// The members of an object's to-many, in order if it is ordered.
  func of(_ toMany: EntityBinding.ToMany, owner: Int64) -> [RowEvaluation.Member] {
    guard let relationship = Relationship(toMany) else { return [] }
    if found[relationship] == nil { found[relationship] = all(of: relationship) }
    return found[relationship]?[owner] ?? []
  }

  private func all(of relationship: Relationship) -> [Int64: [RowEvaluation.Member]] {
    let destination = bindings[relationship.destination - offset]
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
        // Members without an order key come first, as NULL does in SQL.
        members[stored.row.integer(relationship.index), default: []]
          .append((order ?? .min, .init(row: stored.row, key: key)))
      }
    }
    return members.mapValues { list in
      list.sorted { ($0.order, $0.member.key) < ($1.order, $1.member.key) }.map(\.member)
    }
  }
}

@available(*, unavailable) extension InMemoryMembers: Sendable {}

import DataModel

/// The checks that a save makes before its contents replace the store's.
extension InMemorySave {
  // MARK: Unique values

  /// Checks that no written row violates a uniqueness constraint.
  ///
  /// Called after all writes: values may move from one row to another within a save.
  func checkUniqueness() throws {
    for (root, keys) in written {
      let rows = contents.rows[root] ?? [:]
      // The keys of the written rows by constraint and hash of the constrained values.
      var groups: [Constraint: [Int: [Int64]]] = [:]
      for key in keys {
        guard let stored = rows[key] else { continue }
        for unique in stored.entity.uniqueness {
          guard let hash = stored.hash(of: unique) else { continue }
          groups[Constraint(unique), default: [:]][hash, default: []].append(key)
        }
      }
      for (constraint, written) in groups {
        for (key, stored) in rows { try constraint.check(key, stored, against: written, rows) }
      }
    }
  }

  /// A uniqueness constraint, compared by the entities and slots it covers.
  private struct Constraint: Hashable {
    let unique: EntityBinding.Uniqueness

    init(_ unique: EntityBinding.Uniqueness) { self.unique = unique }

    static func == (one: Constraint, other: Constraint) -> Bool {
      one.unique.family == other.unique.family && one.unique.slots == other.unique.slots
    }

    func hash(into hasher: inout Hasher) { hasher.combine(unique.slots) }

    /// Checks that a row's values differ from those of the written rows with the same hash.
    func check(
      _ key: Int64, _ stored: InMemoryStore.StoredRow, against written: [Int: [Int64]],
      _ rows: [Int64: InMemoryStore.StoredRow]
    ) throws {
      guard unique.family.contains(stored.entity.index), let hash = stored.hash(of: unique) else {
        return
      }
      for other in written[hash] ?? [] where other != key {
        guard let twin = rows[other],
          unique.slots.allSatisfy({
            twin.row.isSameValue($0, in: stored.row, kind: twin.entity.kinds[$0])
          })
        else { continue }
        throw PersistentStoreError.uniquenessViolation(
          entity: twin.entity.name, properties: unique.properties)
      }
    }
  }

  // MARK: Delete rules

  /// Checks that no row keeps a to-one to a deleted row, unless the delete rule is No Action.
  func checkMembersLeft() throws {
    try checkLeft { entity, toMany, owners in
      guard case .foreignKey(let slot) = toMany.storage else { return [] }
      let destination = store.binding(at: toMany.destination)
      return Set(
        (contents.rows[destination.root] ?? [:]).values.lazy
          .filter { destination.family.contains($0.entity.index) && $0.row.hasValue(slot) }
          .map { $0.row.integer(slot) }
          .filter { owners.contains($0) })
    }
  }

  /// Checks that the links along which deletions cascaded still exist.
  func checkFollowedLinks() throws {
    for link in request.followedLinks where contents.links[link.join]?[link] == nil {
      throw link.conflict(in: store, joins)
    }
  }

  /// Checks that no link of a deleted row leads to a member that should have been deleted too
  /// (Cascade) or that prevents the deletion (Deny).
  func checkLinksLeft() throws {
    try checkLeft { entity, toMany, owners in
      guard case .join(let end) = toMany.storage else { return [] }
      let members = contents.rows[store.binding(at: toMany.destination).root] ?? [:]
      return Set(
        (contents.links[end.join] ?? [:]).keys.lazy
          .map { end.isFirst ? ($0.first, $0.second) : ($0.second, $0.first) }
          .filter { owners.contains($0.0) && members[$0.1] != nil }
          .map(\.0))
    }
  }

  /// - Parameter left: returns the owners among some that still have members.
  private func checkLeft(
    _ left: (EntityBinding, EntityBinding.ToMany, Set<Int64>) -> Set<Int64>
  ) throws {
    var unknown = UnknownMembers()
    let deletes = Dictionary(grouping: request.deletes, by: \.entity.index)
    for deletes in deletes.values {
      let entity = deletes[0].entity
      let owners = Set(deletes.map(\.key))
      for toMany in entity.toManys where toMany.bindsMembers {
        unknown.lists += left(entity, toMany, owners).map { (entity, $0, toMany.number) }
      }
    }
    if !unknown.lists.isEmpty { throw unknown }
  }

  // MARK: Destinations

  /// Checks that the destinations of new to-ones and links exist.
  func checkDestinations() throws {
    let destinations = request.destinations(in: store.bindings, joins, but: result.adopted)
    for (place, keys) in destinations {
      let entity = store.binding(at: place)
      for key in keys where stored(entity, key) == nil {
        throw ConflictError(objectID: ManagedObjectID(binding: entity, key: key))
      }
    }
  }
}

extension InMemoryStore.StoredRow {
  /// A hash of the values that a constraint covers; nil if one is missing.
  fileprivate func hash(of unique: EntityBinding.Uniqueness) -> Int? {
    var hasher = Hasher()
    for slot in unique.slots {
      guard row.hasValue(slot) else { return nil }
      switch entity.kinds[slot] {
      case let kind where kind.isTail: hasher.combine(bytes: row.bytes(slot))
      case .real: hasher.combine(row.real(slot))
      default: hasher.combine(row.bits(slot))
      }
    }
    return hasher.finalize()
  }
}

import DataModel

/// What a save makes sure of before its contents become the store's.
extension InMemorySave {
  // MARK: Unique values

  /// Makes sure that no row written has values that another one has too where the model allows them
  /// once.
  ///
  /// When all is written: values may pass from one row to another in one save.
  func checkUniqueness() throws {
    for (root, keys) in written {
      let rows = contents.rows[root] ?? [:]
      // What each constraint bears on, by the first entity of its family and its properties.
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

  /// A uniqueness constraint, known by whom it binds.
  private struct Constraint: Hashable {
    let unique: EntityBinding.Uniqueness

    init(_ unique: EntityBinding.Uniqueness) { self.unique = unique }

    static func == (one: Constraint, other: Constraint) -> Bool {
      one.unique.family == other.unique.family && one.unique.slots == other.unique.slots
    }

    func hash(into hasher: inout Hasher) { hasher.combine(unique.slots) }

    /// Makes sure that a row has other values than any of those written, by the hashes of theirs.
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

  /// Makes sure that no row is left with a to-one to a deleted one, but where its rule is No
  /// Action.
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

  /// Makes sure that the links along which deletions cascaded are still there.
  func checkFollowedLinks() throws {
    for link in request.followedLinks where contents.links[link.join]?[link] == nil {
      throw link.conflict(in: store, joins)
    }
  }

  /// Makes sure that of the links which go with deleted rows none leads to one that should go too,
  /// or denies it.
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

  /// - Parameter left: which of some owners have members left.
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

  /// Makes sure that the rows are there which new to-ones and links lead to.
  func checkDestinations() throws {
    let destinations = request.destinations(in: store.bindings, joins, but: result.takenOver)
    for (place, keys) in destinations {
      let entity = store.binding(at: place)
      for key in keys where stored(entity, key) == nil {
        throw ConflictError(objectID: ManagedObjectID(binding: entity, key: key))
      }
    }
  }
}

extension InMemoryStore.StoredRow {
  /// A number made of the values that a constraint bears on; nil where one is missing.
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

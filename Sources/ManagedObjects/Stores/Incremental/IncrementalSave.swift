import DataModel

/// A save into an ``IncrementalStore``: converts the rows into the store's save request.
struct IncrementalSave {
  private let request: SaveRequest
  private let updateIndex: SaveRequest.UpdateIndex
  private let store: IncrementalStore
  private let rows: IncrementalRows
  private(set) var result: SaveResult
  /// The members of to-many relationships in the save, by the owner's key and the relationship's
  /// name.
  private var lists: [Int64: [String: [Int64]]] = [:]

  /// Obtains the permanent IDs of the new objects.
  init(_ request: SaveRequest, to store: IncrementalStore) throws {
    self.request = request
    updateIndex = SaveRequest.UpdateIndex(request.updates)
    self.store = store
    rows = IncrementalRows(store)
    result = SaveResult(of: request)
    var new: [SaveRequest.Insert] = []
    for (index, insert) in request.inserts.enumerated() where insert.temporaryKey < 0 {
      if let key = try existing(insert) {
        result.keys[insert.temporaryKey] = key
        result.adopted.append(index)
      } else {
        new.append(insert)
      }
    }
    for (insert, key) in zip(new, try store.permanentKeys(for: new)) {
      result.keys[insert.temporaryKey] = key
    }
  }

  /// The key of a row with a new object's unique value, if one was created in the meantime.
  private func existing(_ insert: SaveRequest.Insert) throws -> Int64? {
    guard let slot = insert.lookUp?.slot, insert.row.hasValue(slot),
      let value = Scalar(insert.row, slot: slot, kind: insert.entity.kinds[slot]),
      let found = try store.row(with: value, at: slot, of: insert.entity)
    else { return nil }
    found.row.free(slotCount: found.entity.slotCount)
    return found.entity === insert.entity ? found.key : nil
  }

  /// The save request for the store.
  mutating func changes() throws -> SaveChangesRequest {
    try collectLists()
    var inserted: Set<ManagedObjectSnapshot> = []
    var updated: Set<ManagedObjectSnapshot> = []
    let adopted = Set(result.adopted)
    for (index, insert) in request.inserts.enumerated() where !adopted.contains(index) {
      guard let id = id(of: insert.temporaryKey) else { continue }
      let values = insert.entity.values(of: insert.row) { key, _ in self.id(of: key) }
      inserted.insert(
        ManagedObjectSnapshot(
          objectID: id, values: values.merging(takeLists(of: id.key)) { $1 }, version: 0))
    }
    for update in request.updates {
      let version = store.versions.inNode(update.snapshot.version, of: update.key)
      var names = update.entity.namesOfChanges(from: update.snapshot, to: update.row)
      let lists = takeLists(of: update.key)
      names.formUnion(lists.keys)
      // The store is expected to increment the version.
      let next = names.isEmpty ? version : version &+ 1
      result.versions.append(store.versions.inRow(next, of: update.key))
      guard !names.isEmpty, let id = store.objectID(of: update.key) else { continue }
      let values = update.entity.values(of: update.row) { key, _ in self.id(of: key) }
      updated.insert(
        ManagedObjectSnapshot(
          objectID: id, values: values.merging(lists) { $1 }, version: version,
          changedKeys: names))
    }
    for key in lists.keys {
      guard let id = store.objectID(of: key) else { continue }
      guard let row = try rows.row(key) else { throw ConflictError(objectID: id) }
      let values = row.entity.values(of: row.row) { key, _ in store.objectID(of: key) }
      let lists = takeLists(of: key)
      let version = store.versions.inNode(row.row.version, of: key)
      updated.insert(
        ManagedObjectSnapshot(
          objectID: id, values: values.merging(lists) { $1 }, version: version,
          changedKeys: Set(lists.keys)))
      result.moves.append(
        SaveResult.Move(
          entity: row.entity, key: key, version: store.versions.inRow(version &+ 1, of: key)))
    }
    return SaveChangesRequest(
      inserted: inserted, updated: updated,
      deleted: snapshots(request.deletes.map { ($0.key, $0.version) }),
      locked: snapshots(request.checks.filter { $0.version != nil }.map { ($0.key, $0.version) }))
  }

  private func snapshots(_ rows: [(key: Int64, version: UInt32?)]) -> Set<ManagedObjectSnapshot> {
    Set(
      rows.compactMap { row in
        store.objectID(of: row.key).map { id in
          let version = row.version.map { store.versions.inNode($0, of: row.key) }
          return ManagedObjectSnapshot(objectID: id, values: [:], version: version ?? 0)
        }
      })
  }

  /// The key of an object after the save.
  private func permanent(_ key: Int64) -> Int64 { key < 0 ? result.keys[key] ?? key : key }

  private func id(of key: Int64) -> ManagedObjectID? { store.objectID(of: permanent(key)) }

  // MARK: Lists

  private mutating func takeLists(of owner: Int64) -> [String: PropertyValue] {
    (lists.removeValue(forKey: owner) ?? [:]).mapValues { keys in
      .toMany(keys.compactMap { store.objectID(of: $0) })
    }
  }

  /// Collects the to-many relationships whose links or order have changed.
  private mutating func collectLists() throws {
    let deleted = Set(request.deletes.map(\.key))
    var links = changedLinks()
    for list in request.lists {
      guard let id = id(of: list.owner), !deleted.contains(id.key),
        let toMany = toMany(of: id, list.storage)
      else { continue }
      let members = list.members.map { permanent($0.key) }
      let name = toMany.description.name
      let change = links[id.key]?.removeValue(forKey: name)
      guard !list.isWhole else {
        lists[id.key, default: [:]][name] = members
        continue
      }
      var leaving = Set(members).union(change?.removed ?? [])
      if case .foreignKey(let toOne, let entity) = list.storage {
        leaving.formUnion(updateIndex.membersLeaving(list.owner, by: toOne, of: entity))
      }
      lists[id.key, default: [:]][name] =
        try stored(toMany, of: id, isNew: list.owner < 0)
        .filter { !leaving.contains($0) && !deleted.contains($0) } + members
    }
    let inserted = Set(request.inserts.map { permanent($0.temporaryKey) })
    for (owner, changes) in links where !deleted.contains(owner) {
      guard let id = store.objectID(of: owner) else { continue }
      let isNew = inserted.contains(owner)
      for (name, change) in changes {
        let leaving = change.added.union(change.removed)
        let stored = try stored(change.toMany, of: id, isNew: isNew)
        lists[owner, default: [:]][name] =
          stored.filter { !leaving.contains($0) && !deleted.contains($0) } + change.added.sorted()
      }
    }
    if !request.checksDestinations { collectListsByOrderKeys() }
  }

  private func stored(
    _ toMany: EntityBinding.ToMany, of owner: ManagedObjectID, isNew: Bool
  ) throws -> [Int64] {
    isNew ? [] : try rows.members(of: toMany, owner: owner)
  }

  /// The to-many to which a list in the save belongs.
  private func toMany(
    of owner: ManagedObjectID, _ storage: SaveRequest.OrderedList.Storage
  ) -> EntityBinding.ToMany? {
    switch storage {
    case .foreignKey(let toOne, _):
      guard case .toMany(let number) = toOne.inverse else { return nil }
      return owner.binding.toManys[number]
    case .join(let end): return toMany(of: owner, end.join, isFirst: end.isFirst)
    }
  }

  private func toMany(
    of owner: ManagedObjectID, _ join: Int, isFirst: Bool
  ) -> EntityBinding.ToMany? {
    owner.binding.toManys.first {
      if case .join(let end) = $0.storage {
        end.join == join && end.isFirst == isFirst
      } else {
        false
      }
    }
  }

  /// The members that changed links add to and remove from a to-many.
  private struct LinkChange {
    let toMany: EntityBinding.ToMany
    var added: Set<Int64> = []
    var removed: Set<Int64> = []
  }

  /// The added and removed links, by the owner at either end and the name of its to-many.
  private func changedLinks() -> [Int64: [String: LinkChange]] {
    var changes: [Int64: [String: LinkChange]] = [:]
    func note(
      _ links: Set<SaveRequest.Link>, _ members: WritableKeyPath<LinkChange, Set<Int64>>
    ) {
      for link in links {
        let ends = [permanent(link.first), permanent(link.second)]
        for isFirst in [true, false] {
          let (owner, member) = isFirst ? (ends[0], ends[1]) : (ends[1], ends[0])
          guard let id = store.objectID(of: owner),
            let toMany = toMany(of: id, link.join, isFirst: isFirst)
          else { continue }
          let name = toMany.description.name
          changes[owner, default: [:]][name, default: LinkChange(toMany: toMany)][
            keyPath: members
          ].insert(member)
        }
      }
    }
    note(request.addedLinks, \.added)
    note(request.removedLinks, \.removed)
    return changes
  }

  /// Collects ordered to-many relationships from the order keys that rows of another store have.
  private mutating func collectListsByOrderKeys() {
    var keys: [Int64: [String: [(order: Int64, key: Int64)]]] = [:]
    for insert in request.inserts {
      for toOne in insert.entity.toOnes where insert.row.hasValue(toOne.slot) {
        guard let slot = toOne.orderKeySlot, insert.row.hasValue(slot),
          case .toMany(let number) = toOne.inverse
        else { continue }
        let name = store.binding(at: toOne.destination).toManys[number].description.name
        keys[permanent(insert.row.integer(toOne.slot)), default: [:]][name, default: []]
          .append((insert.row.integer(slot), permanent(insert.temporaryKey)))
      }
    }
    for (owner, named) in keys {
      for (name, members) in named {
        lists[owner, default: [:]][name] =
          members.sorted { ($0.order, $0.key) < ($1.order, $1.key) }.map(\.key)
      }
    }
  }
}

@available(*, unavailable) extension IncrementalSave: Sendable {}

import DataModel

/// The objects that differ between two contents of an in-memory store.
struct CacheNodeChanges {
  private(set) var inserted: [Int64] = []
  private(set) var deleted: [Int64] = []
  /// The names of the changed properties, by the objects' keys.
  private(set) var updated: [Int64: Set<String>] = [:]

  /// Compares contents whose keys are unique across entities; O(rows).
  init(
    from old: InMemoryStore.Contents, to new: InMemoryStore.Contents, in store: InMemoryStore
  ) {
    for (root, rows) in new.rows {
      let before = old.rows[root] ?? [:]
      for (key, stored) in rows {
        guard let known = before[key] else {
          inserted.append(key)
          noteOwners(of: nil, stored, in: store)
          continue
        }
        guard known !== stored else { continue }
        updated[key, default: []]
          .formUnion(stored.entity.namesOfChanges(from: known.row, to: stored.row))
        noteOwners(of: known, stored, in: store)
      }
      for (key, known) in before where rows[key] == nil {
        deleted.append(key)
        noteOwners(of: known, nil, in: store)
      }
    }
    for entity in store.bindings {
      for toMany in entity.toManys {
        guard case .join(let end) = toMany.storage else { continue }
        note(toMany, end, old.links[end.join] ?? [:], new.links[end.join] ?? [:])
      }
    }
    inserted.sort()
    deleted.sort()
    for key in inserted + deleted { updated[key] = nil }
  }

  /// Records the lists that a row joins, leaves or is moved in.
  private mutating func noteOwners(
    of old: InMemoryStore.StoredRow?, _ new: InMemoryStore.StoredRow?, in store: InMemoryStore
  ) {
    guard let entity = (new ?? old)?.entity else { return }
    for toOne in entity.toOnes where toOne.slot < entity.storedSlotCount {
      guard case .toMany(let number) = toOne.inverse else { continue }
      let slots = [toOne.slot, toOne.orderKeySlot].compactMap { $0 }
      if let old, let new, slots.allSatisfy({ new.row.isEqual($0, to: old.row, isTail: false) }) {
        continue
      }
      let name = store.binding(at: toOne.destination).toManys[number].description.name
      for row in [old?.row, new?.row].compactMap({ $0 }) where row.hasValue(toOne.slot) {
        updated[row.integer(toOne.slot), default: []].insert(name)
      }
    }
  }

  private mutating func note(
    _ toMany: EntityBinding.ToMany, _ end: EntityBinding.JoinEnd,
    _ old: [SaveRequest.Link: InMemoryStore.LinkOrder],
    _ new: [SaveRequest.Link: InMemoryStore.LinkOrder]
  ) {
    func note(_ link: SaveRequest.Link) {
      let owner = end.isFirst ? link.first : link.second
      updated[owner, default: []].insert(toMany.description.name)
    }
    for (link, order) in new where old[link] != order { note(link) }
    for link in old.keys where new[link] == nil { note(link) }
  }
}

extension ManagedObjectContext {
  /// Fetches what relationships of some objects lead to, one query for each on the way.
  func prefetch(_ keyPaths: [String], of objects: [ManagedObject]) throws {
    let remains = fetchRemains ?? FetchRemains()
    fetchRemains = remains
    remains.prefetched = []
    // What one key path has fetched another that begins alike does not fetch again.
    var levels: [String: [ManagedObject]] = [:]
    for keyPath in keyPaths {
      var level = objects
      var way = ""
      for name in keyPath.split(separator: ".").map(String.init) {
        way += "." + name
        if let known = levels[way] {
          level = known
        } else {
          level = try prefetch(name, of: level)
          levels[way] = level
        }
      }
    }
  }

  /// Fetches what one relationship of some objects leads to, and gives it; one query.
  ///
  /// - Precondition: every object has the relationship.
  private func prefetch(
    _ name: String, of objects: [ManagedObject]
  ) throws -> [ManagedObject] {
    // The entities among the objects mostly have it from one superentity; else there are several lists.
    var lists: [(toMany: EntityBinding.ToMany, owners: [ManagedObject])] = []
    var leading: [ManagedObject] = []
    for object in objects where object._state.isDisjoint(with: [.deleted, .gone]) {
      guard let number = object._entity.binding.toManysByName[name] else {
        leading.append(object)
        continue
      }
      let toMany = object._entity.binding.toManys[number]
      if let place = lists.lastIndex(where: { $0.toMany.isStored(as: toMany) }) {
        lists[place].owners.append(object)
      } else {
        lists.append((toMany, [object]))
      }
    }
    var found: [ManagedObject] = []
    for (toMany, owners) in lists { found += try members(of: toMany, owners: owners) }
    if !leading.isEmpty {
      let ends = try fireFaults(forRelationshipNamed: name, of: leading)
      fetchRemains?.prefetched += ends
      found += ends
    }
    return found
  }

  /// The members of a to-many of some objects, which know them from then on.
  private func members(
    of toMany: EntityBinding.ToMany, owners: [ManagedObject]
  ) throws -> [ManagedObject] {
    let unread = owners.filter {
      $0._key > 0 && $0._side?.toManys[toMany.number].isLoaded != true
    }
    if parent != nil {
      // The parent has them in memory, or reads them one by one.
      for owner in unread { owner.loaded(owner._entity.binding.toManys[toMany.number]) }
    } else if !unread.isEmpty {
      var lists = try storedMembers(of: toMany, owners: unread.map(\._key))
      for owner in unread {
        install(
          lists.removeValue(forKey: owner._key) ?? [],
          in: owner._entity.binding.toManys[toMany.number], of: owner)
      }
    }
    return owners.flatMap { owner in
      owner._side.map { $0.toManys[toMany.number].members } ?? []
    }
  }

  /// The members of a to-many of some objects as they are stored, in their order: one query.
  private func storedMembers(
    of toMany: EntityBinding.ToMany, owners: [Int64]
  ) throws -> [Int64: [ManagedObject]] {
    var plan = FetchPlan(entity: binding(at: toMany.destination))
    var ownerSlot: Int?
    switch toMany.storage {
    case .foreignKey(let slot):
      let back = BoundKeyPath(hops: [], slot: slot, type: nil)
      plan.predicate = .leads(back, to: BoundKeys(owners))
      plan.sorts = [BoundSort(keyPath: back, isAscending: true)]
      if let orderKey = plan.entity.toOnesBySlot[slot]?.orderKeySlot {
        let keyPath = BoundKeyPath(hops: [], slot: orderKey, type: nil)
        plan.sorts.append(BoundSort(keyPath: keyPath, isAscending: true))
      }
      ownerSlot = slot
    case .join(let end):
      plan.link = FetchPlan.Link(end: end, owners: owners)
    case .memory: return [:]
    }
    var lists: [Int64: [ManagedObject]] = [:]
    // One owner's members come one after the other.
    var list: (owner: Int64, members: [ManagedObject]) = (0, [])
    func endList() { if !list.members.isEmpty { lists[list.owner] = list.members } }
    try read(plan) { cursor in
      while try cursor.next() {
        let entity = entities[cursor.entity]
        let row = try cursor.makeRow(of: entity.binding)
        // A plan with one owner has no column for it.
        let owner =
          ownerSlot.map { row.integer($0) } ?? (owners.count == 1 ? owners[0] : cursor.owner)
        if owner != list.owner {
          endList()
          list = (owner, [])
        }
        list.members.append(object(cursor.key, of: entity, taking: row))
      }
    }
    endList()
    return lists
  }

  /// The object of a row that was read: a new one, or the one that is known, which takes the row where
  /// it has none.
  func object(
    _ key: Int64, of entity: ContextEntity, taking row: PackedRow
  ) -> ManagedObject {
    guard let known = entity.table.object(for: key) else {
      return makeObject(key, entity: entity, row: row)
    }
    if known._slots == nil {
      fill(known, with: row)
    } else {
      row.free(slotCount: entity.binding.slotCount)
    }
    return known
  }
}

extension EntityBinding.ToMany {
  /// Whether the members of both are found by the same column, and both have the same place.
  fileprivate func isStored(as other: EntityBinding.ToMany) -> Bool {
    guard number == other.number, destination == other.destination else { return false }
    switch (storage, other.storage) {
    case (.foreignKey(let one), .foreignKey(let other)): return one == other
    case (.join(let one), .join(let other)):
      return one.join == other.join && one.isFirst == other.isFirst
    default: return false
    }
  }
}

extension ManagedObjectContext {
  /// Fetches the destinations of a relationship of some objects, with one query.
  ///
  /// - Precondition: every object has the relationship.
  package func prefetch(_ relationship: String, of objects: [ManagedObject]) throws {
    fetchBatching = fetchBatching ?? FetchBatching()
    fetchBatching?.prefetched = []
    _ = try prefetch(relationship, of: objects, givesEnds: false)
  }

  /// Prefetches the relationships of a request's objects, one query for each step of a key path.
  func prefetch<Result>(for request: FetchRequest<Result>, of objects: [ManagedObject]) throws {
    let keyPaths = request.relationshipKeyPathsForPrefetching
    guard !keyPaths.isEmpty else { return }
    // The objects of a whole entity have most rows of the other entity as members.
    let areAll =
      request.predicate == nil && request.fetchLimit == 0 && request.fetchOffset == 0
    let batching = fetchBatching ?? FetchBatching()
    fetchBatching = batching
    batching.prefetched = []
    // Key paths with a common prefix fetch it once.
    var levels: [String: [ManagedObject]] = [:]
    for keyPath in keyPaths {
      var level = objects
      var way = ""
      var names = keyPath.split(separator: ".").map(String.init)[...]
      while let name = names.popFirst() {
        way += "." + name
        if let known = levels[way] {
          level = known
        } else {
          // At the end of the key path the list of all destinations is not needed.
          level = try prefetch(name, of: level, areAll: areAll, givesEnds: !names.isEmpty)
          if !names.isEmpty { levels[way] = level }
        }
      }
    }
  }

  /// Fetches the destinations of a relationship of some objects with one query; returns them if
  /// needed.
  ///
  /// - Precondition: every object has the relationship.
  func prefetch(
    _ name: String, of objects: [ManagedObject], areAll: Bool = false, givesEnds: Bool
  ) throws -> [ManagedObject] {
    // The objects' entities mostly inherit it from one superentity; otherwise there are several
    // lists.
    var lists: [(toMany: EntityBinding.ToMany, owners: [ManagedObject])] = []
    var leading: [ManagedObject] = []
    for object in objects where object._state.isDisjoint(with: [.deleted, .detached]) {
      guard let number = object._entity.binding.toManysByName[name] else {
        leading.append(object)
        continue
      }
      let toMany = object._entity.binding.toManys[number]
      if let index = lists.lastIndex(where: { $0.toMany.isStored(as: toMany) }) {
        lists[index].owners.append(object)
      } else {
        lists.append((toMany, [object]))
      }
    }
    var found: [ManagedObject] = []
    for (toMany, owners) in lists {
      try loadMembers(of: toMany, owners: owners, areAll: areAll)
      guard givesEnds else { continue }
      for owner in owners {
        if let lists = owner._lists { found += lists.toManys[toMany.number].members }
      }
    }
    if !leading.isEmpty {
      let ends = try fireFaults(forRelationshipNamed: name, of: leading)
      fetchBatching?.prefetched += ends
      if givesEnds { found += ends }
    }
    return found
  }

  /// Fetches the members of a to-many of some objects, which are loaded from then on.
  private func loadMembers(
    of toMany: EntityBinding.ToMany, owners: [ManagedObject], areAll: Bool
  ) throws {
    let unread = owners.filter {
      $0._key > 0 && $0._lists?.toManys[toMany.number].isLoaded != true
    }
    if let parent {
      // The parent reads the members it has not loaded; then each list is copied from memory.
      let counterparts = try parent.prefetchForChild(toMany, owners: unread, areAll: areAll)
      for owner in unread { owner.loaded(owner._entity.binding.toManys[toMany.number]) }
      withExtendedLifetime(counterparts) {}
    } else if !unread.isEmpty {
      var lists = MemberLists(owners: unread.map(\._key))
      try fill(&lists, with: toMany, areAll: areAll && unread.count == owners.count)
      for owner in unread {
        install(
          lists.take(owner._key), in: owner._entity.binding.toManys[toMany.number], of: owner)
      }
    }
  }

  /// Fetches the members of a to-many of a child's objects: one query for owners, one for members.
  ///
  /// Returns the counterparts that retain the lists, to be kept until the child has copied them.
  private func prefetchForChild(
    _ toMany: EntityBinding.ToMany, owners: [ManagedObject], areAll: Bool
  ) throws -> [ManagedObject] {
    var counterparts: [ManagedObject] = []
    var unread: [Int64] = []
    for owner in owners {
      let known = registeredObject(owner._key, of: owner._entity.binding.index)
      if let known, known._slots != nil {
        counterparts.append(known)
      } else {
        unread.append(owner._key)
      }
    }
    if let root = owners.first?._entity.binding.root {
      try readRows(unread, root: root) { cursor, entity in
        counterparts.append(
          object(cursor.key, of: entity, taking: try cursor.makeRow(of: entity.binding)))
      }
    }
    counterparts.removeAll { !$0._state.isDisjoint(with: [.deleted, .detached]) }
    try loadMembers(of: toMany, owners: counterparts, areAll: areAll)
    return counterparts
  }

  /// Fetches the stored members of a to-many of some objects with one query.
  ///
  /// Rows with foreign keys are read in the order of their table and sorted by the lists: reading
  /// them in an index's order would access every one of them elsewhere in the file.
  ///
  /// - Parameter areAll: whether most rows are members of one of the objects; then the table is
  ///   scanned.
  private func fill(
    _ lists: inout MemberLists, with toMany: EntityBinding.ToMany, areAll: Bool
  ) throws {
    let owners = lists.owners
    var plan = FetchPlan(entity: binding(at: toMany.destination))
    plan.members = (toMany, owners)
    switch toMany.storage {
    case .foreignKey(let slot):
      if !areAll || owners.count == 1 {
        let back = BoundKeyPath(hops: [], slot: slot, type: nil)
        plan.predicate = .relationship(back, isIn: BoundKeys(owners))
        if owners.count > 1 { plan.findsKeysFirst = true }
      }
      let orderKeySlot = plan.entity.toOnesBySlot[slot]?.orderKeySlot
      try read(plan) { cursor in
        while try cursor.next() {
          let entity = entities[cursor.entity]
          let row = try cursor.makeRow(of: entity.binding)
          guard row.hasValue(slot), let index = lists.index(of: row.integer(slot)) else {
            row.free(slotCount: entity.binding.slotCount)
            continue
          }
          let orderKey = orderKeySlot.map { row.hasValue($0) ? row.integer($0) : .min } ?? 0
          lists.add(
            object(cursor.key, of: entity, taking: row), at: index, orderKey: orderKey)
        }
      }
    case .join(let end):
      plan.link = FetchPlan.Link(end: end, owners: owners)
      try read(plan) { cursor in
        while try cursor.next() {
          let entity = entities[cursor.entity]
          let row = try cursor.makeRow(of: entity.binding)
          // A plan with one owner has no column for it, and members are read in their order.
          let owner = owners.count == 1 ? owners[0] : cursor.owner
          let member = object(cursor.key, of: entity, taking: row)
          if let index = lists.index(of: owner) {
            lists.add(member, at: index, orderKey: 0)
          }
        }
      }
    case .memory: break
    }
  }
}

extension EntityBinding.ToMany {
  /// Whether the members of both are found by the same column, and both have the same number.
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

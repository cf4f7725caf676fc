import DataModel

/// Several stores of one coordinator.
extension ManagedObjectContext {
  /// Assigns a new object to a store.
  ///
  ///     let note = Note(context: context)
  ///     context.assign(note, to: privateStore)
  ///
  /// For entities that several stores have; by default an object goes to the first of them that is
  /// not read-only. Relationships stay within a store, so call this before setting them. Follows
  /// Core Data's `assign(_:to:)`.
  ///
  /// - Precondition: the object is new, of this context, has no permanent ID and no relationships
  ///   yet, and the store has its entity.
  public func assign(_ object: ManagedObject, to store: PersistentStore) {
    require(object._entity.context === self, "The object belongs to another context.")
    let binding = object._entity.binding
    require(
      object.isInserted && object._key < 0,
      "This \(binding.name) is already in a store: only new objects can be assigned to one.")
    adoptNewStores()
    let entity = self.entity(named: binding.name, in: store)
    guard entity !== object._entity else { return }
    require(
      object.hasNoRelationships,
      "This \(binding.name) already has relationships, which cannot cross stores: assign it to a store first."
    )
    object._entity.table.remove(object)
    object._entity = entity
    entity.table.insert(object)
    // From now on look-ups by value find it among the entity's objects in that store.
    for values in unsavedValues { values.willWrite(object) }
    // A value that was not found in one store may exist in another.
    if let lookUp = object._side?.lookUp {
      object.side.lookUp = SaveRequest.LookUp(slot: lookUp.slot, state: nil)
    }
  }

  /// The entity with a name in a store.
  func entity(named name: String, in store: PersistentStore) -> ContextEntity {
    let entity = entities.first {
      $0.binding.store === store.identity && $0.binding.name == name
    }
    guard let entity else { fatalError("The store has no entity \(name).") }
    return entity
  }

  /// Whether the coordinator has more than one store.
  var hasSeveralStores: Bool {
    guard let first = entities.first, let last = entities.last else { return false }
    return first.binding.store !== last.binding.store
  }

  /// The entity of new objects with a name: that of the first store that can be written.
  func entityForNewObjects(_ entity: ContextEntity) -> ContextEntity {
    guard hasSeveralStores else { return entity }
    let readOnly = persistentStoreCoordinator.readOnlyStores
    return entities(named: entity.binding.name).first { candidate in
      !readOnly.contains { $0 === candidate.binding.store }
    } ?? entity
  }

  /// The entity with a name in every store that has it.
  ///
  /// Removed stores are omitted, unless there are no others: reading from them throws.
  func entities(named name: String) -> [ContextEntity] {
    let found = entities.filter { $0.binding.name == name }
    guard found.contains(where: { $0.binding.store.isRemoved }) else { return found }
    let there = found.filter { !$0.binding.store.isRemoved }
    return there.isEmpty ? found : there
  }

  /// Saves the objects of each store, all or nothing; returns the combined result.
  ///
  /// If a store fails to commit after others have, the changes of those are saved.
  ///
  /// - Parameters: the objects; on return without those that could not be saved, and in the order
  ///   of the stores, to which the result refers.
  /// - Returns: the result, and the error because of which it is incomplete.
  func saveInParts(
    _ inserted: inout [ManagedObject], _ updated: inout [ManagedObject],
    _ deleted: inout [ManagedObject]
  ) throws -> (result: SaveResult, error: (any Error)?) {
    func of(_ store: PersistentStoreIdentity, _ objects: [ManagedObject]) -> [ManagedObject] {
      objects.filter { $0._entity.binding.store === store }
    }
    var stores: [PersistentStoreIdentity] = []
    for entity in entities where stores.last !== entity.binding.store {
      stores.append(entity.binding.store)
    }
    let changed = inserted + updated + deleted + (conflictChecks ?? []).map(\.object)
    stores.removeAll { store in !changed.contains { $0._entity.binding.store === store } }
    let requests = stores.map { store in
      (
        store: store,
        request: request(
          inserted: of(store, inserted), updated: of(store, updated),
          deleted: of(store, deleted), in: store)
      )
    }
    try checkEverythingRead()
    let saved = try persistentStoreCoordinator.save(requests)
    var whole = SaveResult(of: SaveRequest())
    var done = ObjectChanges()
    for (part, result) in zip(requests, saved.results) {
      guard let result else { continue }
      let (new, changed) = (of(part.store, inserted), of(part.store, updated))
      finishSave(of: new, changed, part.request, with: result)
      whole.moves += result.moves
      whole.adopted += result.adopted.map { $0 + done.inserted.count }
      done.inserted += new
      done.updated += changed
      done.deleted += of(part.store, deleted)
      removeChecks { $0.object._entity.binding.store === part.store }
    }
    (inserted, updated, deleted) = (done.inserted, done.updated, done.deleted)
    return (whole, saved.error)
  }

  /// Counts the rows of several stores that a plan matches.
  func count(for plans: [FetchPlan], pending: Bool) throws -> Int {
    guard let first = plans.first else { return 0 }
    var count = 0
    for var plan in plans {
      (plan.limit, plan.offset) = (0, 0)
      let found =
        if pending, hasPendingChanges {
          try objects(for: plan, pending: true).count
        } else {
          try storedCount(of: plan)
        }
      count += found
    }
    let rest = max(count - first.offset, 0)
    return first.limit > 0 ? min(rest, first.limit) : rest
  }

  /// The objects of all stores in one order, with the plan's offset and limit applied.
  ///
  /// - Parameters:
  ///   - plans: one for each store, otherwise equal.
  ///   - asFaults: whether objects that were not registered become faults, if the stores alone can
  ///     determine the order.
  func objects(
    for plans: [FetchPlan], pending: Bool, asFaults: Bool = false
  ) throws -> [ManagedObject] {
    guard var plan = plans.first else { return [] }
    let asFaults = asFaults && !needsMemory(plan, pending: pending)
    guard plans.count > 1 else {
      plan.keysOnly = asFaults
      return try objects(for: plan, pending: pending)
    }
    guard asFaults else { return try mergedObjects(for: plans, pending: pending) }
    let rows =
      if let parent {
        try parent.objects(for: plans, pending: true, asFaults: true).map(\.rowIdentity)
      } else {
        try mergedRows(for: plans)
      }
    return rows.map { row in
      let entity = contextEntity(at: row.entity)
      return registeredObject(row.key, of: entity)
        ?? makeObject(row.key, entity: entity, row: nil)
    }
  }

  /// The objects of several stores in one order, with their values.
  private func mergedObjects(for plans: [FetchPlan], pending: Bool) throws -> [ManagedObject] {
    // Unsaved values that are not taken into account must not affect the order.
    let areStored = !pending || !hasPendingChanges
    let lookup = areStored ? storedRows() : rowEvaluation().toOne
    var found: [FetchPlan.Keyed<ManagedObject>] = []
    for plan in plans.map(\.fromFirst) {
      for object in try objects(for: plan, pending: pending) {
        let row = areStored ? object._side?.snapshot ?? object.row : object.row
        found.append(.init(found: object, keys: plan.sorts.keys(of: row, lookup: lookup)))
      }
    }
    return plans[0].picked(from: found)
  }

  /// The identities of rows of several stores, in one order.
  ///
  /// Only the values to sort by are read.
  private func mergedRows(for plans: [FetchPlan]) throws -> [RowIdentity] {
    var found: [FetchPlan.Keyed<RowIdentity>] = []
    for var plan in plans.map(\.fromFirst) {
      guard plan.sorts.isEmpty else {
        plan.returnsEntities = true
        let sorted = plan.sorts.map { BoundExpression.value(scope: 0, $0.keyPath) }
        try persistentStoreCoordinator.values(plan, sorted) { row, values in
          found.append(.init(found: row, keys: values))
        }
        continue
      }
      plan.keysOnly = true
      var rows: [RowIdentity] = []
      try persistentStoreCoordinator.read(plan) { cursor in
        while try cursor.next() {
          rows.append(RowIdentity(key: cursor.key, entity: cursor.entity))
        }
      }
      if plan.isUnordered { rows.sort { $0.key < $1.key } }
      found += rows.map { .init(found: $0, keys: []) }
    }
    return plans[0].picked(from: found)
  }
}

extension FetchPlan {
  /// A result of a store, and its sort keys.
  fileprivate struct Keyed<Found> {
    let found: Found
    let keys: SortKeys
  }

  /// The results of several stores in one order, with offset and limit applied; the sort is stable.
  fileprivate func picked<Found>(from found: [Keyed<Found>]) -> [Found] {
    let order = found.indices.sorted { one, other in
      sorts.areInOrder(found[one].keys, found[other].keys) ?? (one < other)
    }
    let rest = order.dropFirst(offset)
    return (limit > 0 ? rest.prefix(limit) : rest).map { found[$0].found }
  }
}

extension ManagedObject {
  /// Whether no relationship has a destination yet.
  fileprivate var hasNoRelationships: Bool {
    _entity.binding.toOnes.allSatisfy { !row.hasValue($0.slot) }
      && (_lists?.toManys.indices.allSatisfy { _lists!.toManys[$0].count == 0 } ?? true)
  }
}

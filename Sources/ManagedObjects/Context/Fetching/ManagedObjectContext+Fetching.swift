import DataModel

extension ManagedObjectContext {
  /// Fetches the objects that a request matches, with their values.
  ///
  ///     var request = Walk.fetchRequest()
  ///     request.sortDescriptors = [.init(key: "date", ascending: false)]
  ///     for walk in try context.fetch(request) { print(walk.date) }
  ///
  /// One query. A registered object keeps its values, unless `shouldRefreshRefetchedObjects` is
  /// set. Unsaved changes are taken into account: matching inserted objects are included, deleted
  /// ones are not. For batches, faults and prefetching, see `FetchRequest`.
  ///
  /// - Throws: `PredicateBindingError` if the predicate, or a key to sort by, does not fit the
  ///   entity; `PersistentStoreError` if the store cannot be read.
  public func fetch<Result: ManagedObject>(_ request: FetchRequest<Result>) throws -> [Result] {
    try pullChanges()
    let plans = try plans(request)
    var found = try objects(for: plans, of: request)
    if request.shouldRefreshRefetchedObjects {
      try mergeStoredRows(into: found)
      found.removeAll { !$0.exists }
    }
    try prefetch(for: request, of: found)
    // All elements were checked to be of the class, and arrays of class references have the same
    // layout.
    return unsafeBitCast(found, to: [Result].self)
  }

  /// Fetches only the IDs of the objects that a request matches.
  ///
  ///     let ids = try context.fetchIDs(Walk.fetchRequest())
  ///
  /// IDs of inserted objects are temporary. Follows Core Data's result type
  /// `managedObjectIDResultType`.
  ///
  /// - Throws: As `fetch(_:)` does.
  public func fetchIDs<Result: ManagedObject>(
    _ request: FetchRequest<Result>
  ) throws -> [ManagedObjectID] {
    try pullChanges()
    let plans = try plans(request)
    guard plans.count == 1, var plan = plans.first,
      !needsMemory(plan, pending: request.includesPendingChanges)
    else {
      return try objects(
        for: plans, pending: request.includesPendingChanges, asFaults: true
      ).map(\.objectID)
    }
    plan.keysOnly = true
    return try read(plan) { cursor in
      var ids: [ManagedObjectID] = []
      var order = KeyOrder()
      while try cursor.next() {
        ids.append(ManagedObjectID(binding: entities[cursor.entity].binding, key: cursor.key))
        order.add(cursor.key)
      }
      if order.isBroken, mustOrderKeys(of: plan) { ids.sort { $0.key < $1.key } }
      return ids
    }
  }

  /// Counts the objects that a request matches, in the store if nothing is unsaved.
  ///
  ///     let count = try context.count(for: Walk.fetchRequest())
  ///
  /// - Throws: As `fetch(_:)` does.
  public func count<Result: ManagedObject>(for request: FetchRequest<Result>) throws -> Int {
    try pullChanges()
    let plans = try plans(request)
    guard plans.count == 1, let plan = plans.first else {
      return try count(for: plans, pending: request.includesPendingChanges)
    }
    if request.includesPendingChanges, hasPendingChanges {
      return try objects(for: plan, pending: true).count
    }
    return try storedCount(of: plan)
  }

  /// Counts the rows that a plan matches in the store or in the parent.
  func storedCount(of plan: FetchPlan) throws -> Int {
    guard parent != nil else { return try persistentStoreCoordinator.count(plan) }
    return try read(plan) { cursor in
      var count = 0
      while try cursor.next() { count += 1 }
      return count
    }
  }

  /// The plans of a request: one for each store to fetch from that has the entity.
  ///
  /// - Throws: `PredicateBindingError`; `PersistentStoreError.noPersistentStore` if no store was
  ///   added yet.
  func plans<Result>(_ request: FetchRequest<Result>) throws -> [FetchPlan] {
    let asked = try entities(askedBy: request)
    let values = try valuesOfAllObjects(
      request.predicate, among: asked, pending: request.includesPendingChanges,
      subentities: request.includesSubentities)
    // An incremental store receives the request and has an order of its own; any will do for the
    // others.
    let byIndex = !asked.contains { $0.binding.store.isIncremental }
    return try asked.map { try plan(request, $0, values, byIndex: byIndex) }
  }

  /// The entity of a request, in each store to fetch from that has it.
  ///
  /// - Throws: `PersistentStoreError.noPersistentStore` if no store was added yet.
  func entities<Result>(askedBy request: FetchRequest<Result>) throws -> [ContextEntity] {
    require(request.fetchOffset >= 0, "The fetch offset cannot be \(request.fetchOffset).")
    try adoptStoresOrThrow()
    let entity =
      request.entityName.map { contextEntity(named: $0) } ?? contextEntity(of: Result.self)
    require(
      entity.binding.family.allSatisfy { binding(at: $0).objectClass is Result.Type },
      "The entity \(entity.binding.name) has objects that are not of the class \(Result.self).")
    let entities = hasSeveralStores ? self.entities(named: entity.binding.name) : [entity]
    guard let stores = request.affectedStores else { return entities }
    return entities.filter { entity in stores.contains { $0.identity === entity.binding.store } }
  }

  private func plan<Result>(
    _ request: FetchRequest<Result>, _ entity: ContextEntity, _ values: [String: Scalar?],
    byIndex: Bool
  ) throws(PredicateBindingError) -> FetchPlan {
    var binder = PredicateBinder(
      entity: entity.binding, bindings: persistentStoreCoordinator.bindings)
    binder.valuesOfAllObjects = values
    var plan = FetchPlan(entity: entity.binding)
    plan.includesSubentities = request.includesSubentities
    if let predicate = request.predicate { plan.predicate = try binder.bind(predicate) }
    for sort in request.sortDescriptors { plan.sorts.append(try binder.bind(sort)) }
    plan.limit = request.fetchLimit
    plan.offset = request.fetchOffset
    guard entity.binding.store.isIncremental else {
      plan.decideOrder(among: persistentStoreCoordinator.bindings, byIndex: byIndex)
      return plan
    }
    // Without sort descriptors the order is the store's.
    plan.unbound = UnboundFetch(
      predicate: request.predicate, sortDescriptors: request.sortDescriptors,
      dictionaries: .init(
        propertiesToFetch: request.propertiesToFetch,
        propertiesToGroupBy: request.propertiesToGroupBy,
        havingPredicate: request.havingPredicate,
        returnsDistinctResults: request.returnsDistinctResults, limit: request.fetchLimit,
        offset: request.fetchOffset))
    return plan
  }

  /// Whether a plan is completed in memory: for unsaved changes, or for an order that SQL cannot
  /// express.
  func needsMemory(_ plan: FetchPlan, pending: Bool) -> Bool {
    pending && hasPendingChanges || plan.sorts.needsMemory
  }

  /// The objects that a request matches, as faults or in batches if it is set so.
  private func objects<Result>(
    for plans: [FetchPlan], of request: FetchRequest<Result>
  ) throws -> [ManagedObject] {
    let pending = request.includesPendingChanges
    let areFaults =
      request.fetchBatchSize > 0 || !request.includesPropertyValues
      || request.returnsObjectsAsFaults
    guard areFaults, !plans.contains(where: { needsMemory($0, pending: pending) }) else {
      return try objects(for: plans, pending: pending)
    }
    let found = try objects(for: plans, pending: pending, asFaults: true)
    if request.fetchBatchSize > 0, request.includesPropertyValues {
      try batch(found, by: request.fetchBatchSize)
    }
    return found
  }

  /// The objects of the rows that a plan matches.
  func objects(for plan: FetchPlan) throws -> [ManagedObject] {
    var entity = contextEntity(at: plan.entity.index)
    return try read(plan) { cursor in
      var found: [ManagedObject] = []
      var order = KeyOrder()
      let keysOnly = plan.keysOnly || !cursor.hasValuesInMemory
      while try cursor.next() {
        if entity.binding.index != cursor.entity { entity = entities[cursor.entity] }
        found.append(try object(of: cursor, entity: entity, keysOnly: keysOnly))
        order.add(cursor.key)
      }
      if order.isBroken, mustOrderKeys(of: plan) { found.sort { $0._key < $1._key } }
      return found
    }
  }

  /// Whether rows that a store returns in any order must be sorted by primary key.
  ///
  /// A parent returns them in order.
  func mustOrderKeys(of plan: FetchPlan) -> Bool { plan.isUnordered && parent == nil }
}

extension RowCursor {
  /// A new row with the cursor's values; transient attributes have their defaults.
  func makeRow(of binding: EntityBinding) throws -> PackedRow {
    let row = try makeRow()
    return binding.slotCount == binding.storedSlotCount || includesTransientValues
      ? row : binding.settingTransientDefaults(row)
  }
}

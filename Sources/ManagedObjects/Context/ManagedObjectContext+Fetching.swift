import DataModel

extension ManagedObjectContext {
  /// Fetches the objects that a request asks for, their values with them.
  ///
  ///     let request = Walk.fetchRequest()
  ///     request.sortDescriptors = [.init(key: "date", ascending: false)]
  ///     for walk in try context.fetch(request) { … }
  ///
  /// One query. An object that is registered already keeps the values it has. Unsaved changes
  /// count: inserted objects that fit are among the result, deleted ones are not.
  ///
  /// - Throws: `PredicateBindingError` where the predicate does not fit the entity;
  ///   `PersistentStoreError` where the store cannot be read.
  public func fetch<Result: ManagedObject>(_ request: FetchRequest<Result>) throws -> [Result] {
    try pullChanges()
    adoptNewStores()
    let plan = try plan(request)
    precondition(
      plan.entity.family.allSatisfy { binding(at: $0).objectClass is Result.Type },
      "The entity \(plan.entity.name) has objects that are no \(Result.self).")
    let plans = try plans(for: request, beside: plan)
    let found =
      if plans.isEmpty {
        try objects(for: plan, pending: request.includesPendingChanges)
      } else {
        try objects(for: plans, pending: request.includesPendingChanges)
      }
    // All elements are of the class, as just checked, and arrays of class references are laid out
    // alike.
    return unsafeBitCast(found, to: [Result].self)
  }

  /// Counts the objects that a request asks for, without fetching them where nothing is unsaved.
  ///
  /// - Throws: As `fetch(_:)` does.
  public func count<Result: ManagedObject>(for request: FetchRequest<Result>) throws -> Int {
    try pullChanges()
    adoptNewStores()
    var plan = try plan(request)
    let plans = try plans(for: request, beside: plan)
    if !plans.isEmpty { return try count(for: plans, pending: request.includesPendingChanges) }
    if request.includesPendingChanges, hasPendingChanges {
      return try objects(for: plan, pending: true).count
    }
    plan.keysOnly = true
    plan.sorts = []
    return try read(plan) { cursor in
      var count = 0
      while try cursor.next() { count += 1 }
      return count
    }
  }

  private func plan<Result>(
    _ request: FetchRequest<Result>
  ) throws(PredicateBindingError) -> FetchPlan {
    try plan(
      request,
      request.entityName.map { contextEntity(named: $0) } ?? contextEntity(of: Result.self))
  }

  /// The plans for each store, where several have the entity; else none.
  private func plans<Result>(
    for request: FetchRequest<Result>, beside plan: FetchPlan
  ) throws(PredicateBindingError) -> [FetchPlan] {
    guard hasSeveralStores else { return [] }
    let others = entities(named: plan.entity.name)
    guard others.count > 1 else { return [] }
    var plans: [FetchPlan] = []
    for other in others { plans.append(try self.plan(request, other)) }
    return plans
  }

  private func plan<Result>(
    _ request: FetchRequest<Result>, _ entity: ContextEntity
  ) throws(PredicateBindingError) -> FetchPlan {
    let binder = PredicateBinder(
      entity: entity.binding, bindings: persistentStoreCoordinator.bindings)
    var plan = FetchPlan(entity: entity.binding)
    plan.includesSubentities = request.includesSubentities
    if let predicate = request.predicate { plan.predicate = try binder.bind(predicate) }
    plan.sorts = request.sortDescriptors.map(binder.bind)
    plan.limit = request.fetchLimit
    plan.offset = request.fetchOffset
    return plan
  }

  /// The objects of the rows that a plan asks for.
  func objects(for plan: FetchPlan) throws -> [ManagedObject] {
    _ = contextEntity(at: plan.entity.index)
    return try read(plan) { cursor in
      var found: [ManagedObject] = []
      while try cursor.next() { found.append(try object(of: cursor)) }
      return found
    }
  }

  /// The object of the row at hand, with its values: the registered one, or a new one.
  ///
  /// What an ID or a damaged to-one took for an object of another entity makes way for it: neither
  /// its class nor the shape of its row is right.
  private func object(of cursor: any RowCursor) throws -> ManagedObject {
    let entity = entities[cursor.entity]
    let key = cursor.key
    let known = entity.table.object(for: key)
    guard let known, known._entity === entity else {
      known?.leaveTable()
      return makeObject(key, entity: entity, row: try cursor.makeRow(of: entity.binding))
    }
    if known._slots == nil { fill(known, with: try cursor.makeRow(of: entity.binding)) }
    return known
  }
}

extension RowCursor {
  /// A new row with the values, those of transient attributes as in a new object.
  func makeRow(of binding: EntityBinding) throws -> PackedRow {
    let row = try makeRow()
    return binding.slotCount == binding.storedSlotCount || rowsAreWhole
      ? row : binding.settingTransientDefaults(row)
  }
}

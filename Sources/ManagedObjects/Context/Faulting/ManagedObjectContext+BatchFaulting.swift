import DataModel

extension ManagedObjectContext {
  /// Fetches the values of many faults, one query for each family of entities.
  ///
  ///     let walks = ids.map { context.object(with: $0) }
  ///     try context.fireFaults(walks)
  ///
  /// Read one by one, each fault costs a query of its own. Objects that have their values are left
  /// alone. A row that is gone leaves its object as reading it would: see
  /// `shouldDeleteInaccessibleFaults`. Core Data does this with a fetch of `SELF IN %@`.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read.
  /// - Precondition: the objects belong to this context.
  public func fireFaults(_ objects: some Sequence<ManagedObject>) throws {
    var faults: [Int: [ManagedObject]] = [:]
    for object in objects where object._slots == nil {
      require(object._entity.context === self, "The object belongs to another context.")
      faults[object._entity.binding.root, default: []].append(object)
    }
    for (root, objects) in faults {
      try readRows(objects.map(\._key), root: root) { cursor, entity in
        guard let object = entity.table.object(for: cursor.key), object._slots == nil,
          object._entity === entity
        else { return }
        fill(object, with: try cursor.makeRow(of: entity.binding))
      }
      for object in objects where object._slots == nil {
        guard shouldDeleteInaccessibleFaults || object._state.contains(.leftStore) else {
          throw PersistentStoreError.objectNotFound(object.objectID)
        }
        object.becomeInaccessible()
      }
    }
  }

  /// Fetches what a to-one of many objects leads to, with one query.
  ///
  ///     let walks = try context.fetch(Walk.fetchRequest())
  ///     let dogs = try context.fireFaults(forRelationshipNamed: "dog", of: walks)
  ///     for walk in walks { print(walk.dog?.name ?? "") }  // no further query
  ///     withExtendedLifetime(dogs) {}
  ///
  /// A to-one does not hold the object at its other end: keep the result as long as you read it.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read.
  /// - Precondition: every object has a to-one of that name.
  @discardableResult
  public func fireFaults(
    forRelationshipNamed name: String, of objects: some Sequence<ManagedObject>
  ) throws -> [ManagedObject] {
    let objects = Array(objects)
    try fireFaults(objects)
    var destinations: Set<ManagedObject> = []
    for object in objects {
      let binding = object._entity.binding
      guard let slot = binding.slotsByName[name], binding.toOnesBySlot[slot] != nil else {
        fatalError("\(binding.name) has no to-one \(name).")
      }
      if let destination = object.toOne(slot) { destinations.insert(destination) }
    }
    try fireFaults(destinations)
    return Array(destinations)
  }

  /// Whether the context holds every object it knows, not just those that have changes.
  ///
  ///     context.retainsRegisteredObjects = true
  ///     _ = try context.fetch(Dog.fetchRequest())   // all dogs stay, whoever uses them
  ///
  /// False at first: unchanged objects go when nobody uses them. Follows Core Data's
  /// `retainsRegisteredObjects`.
  public var retainsRegisteredObjects: Bool {
    get { retainedObjects != nil }
    set { retainedObjects = newValue ? retainedObjects ?? registeredObjects : nil }
  }

  /// Reads the rows of some keys, however many, with one query.
  func readRows(
    _ keys: [Int64], root: Int, _ body: (any RowCursor, ContextEntity) throws -> Void
  ) throws {
    guard !keys.isEmpty else { return }
    var plan = FetchPlan(entity: binding(at: root))
    plan.predicate = .object(isIn: BoundKeys(keys))
    try read(plan) { cursor in
      while try cursor.next() { try body(cursor, entities[cursor.entity]) }
    }
  }

  /// Runs a plan where this context's rows come from.
  func read<Result>(_ plan: FetchPlan, _ body: (any RowCursor) throws -> Result) throws -> Result {
    // Who is told of it may read more, so the cursor ends first.
    defer { sendAwakeFromFetch() }
    if let parent { return try parent.readForChild(plan, body) }
    return try persistentStoreCoordinator.read(plan, body)
  }
}

extension ManagedObject {
  /// Whether a relationship has not been read: the members of a to-many, the values at a to-one's
  /// end.
  ///
  ///     dog.hasFault(forRelationshipNamed: "walks")
  ///
  /// Reads no relationship. A to-one that leads nowhere is none. Follows Core Data's
  /// `hasFault(forRelationshipNamed:)`.
  ///
  /// - Precondition: the entity has a relationship of that name.
  public func hasFault(forRelationshipNamed name: String) -> Bool {
    let binding = _entity.binding
    if let number = binding.toManysByName[name] {
      guard _state.isDisjoint(with: [.inserted, .gone]) else { return false }
      if binding.toManys[number].description.isTransient { return false }
      return _lists?.toManys[number].isLoaded != true
    }
    guard let slot = binding.slotsByName[name], binding.toOnesBySlot[slot] != nil else {
      fatalError("\(binding.name) has no relationship \(name).")
    }
    return _slots == nil ? !_state.contains(.gone) : toOne(slot)?.isFault ?? false
  }

  /// Has the row of an object whose row is gone: no values, and zeros where one is required.
  func becomeInaccessible() {
    _slots = PackedRow.empty(slotCount: _entity.binding.slotCount).slots
    // One that others have deleted is deleted until the next save.
    guard !_state.contains(.leftStore) else { return }
    _entity.context?.observers?.note(self)
    _state.insert(.gone)
  }
}

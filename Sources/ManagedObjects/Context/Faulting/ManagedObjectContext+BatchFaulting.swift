import DataModel

extension ManagedObjectContext {
  /// Fetches the values of many faults, one query for each entity hierarchy.
  ///
  ///     let walks = ids.map { context.object(with: $0) }
  ///     try context.fireFaults(walks)
  ///
  /// Read one by one, each fault costs a query of its own. Objects that are no faults are left
  /// alone. An object whose row is missing is left as reading it would leave it: see
  /// `shouldDeleteInaccessibleFaults`. Core Data does this with a fetch of `SELF IN %@`.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read.
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
        guard shouldDeleteInaccessibleFaults || object._state.contains(.deletedExternally) else {
          throw PersistentStoreError.objectNotFound(object.objectID)
        }
        object.becomeInaccessible()
      }
    }
  }

  /// Fetches the destinations of a to-one of many objects, with one query.
  ///
  ///     let walks = try context.fetch(Walk.fetchRequest())
  ///     let dogs = try context.fireFaults(forRelationshipNamed: "dog", of: walks)
  ///     for walk in walks { print(walk.dog?.name ?? "") }  // no further query
  ///     withExtendedLifetime(dogs) {}
  ///
  /// A to-one does not retain its destination: keep the result as long as you read it.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read.
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

  /// Whether the context retains all registered objects, not just those with changes.
  ///
  ///     context.retainsRegisteredObjects = true
  ///     _ = try context.fetch(Dog.fetchRequest())   // all dogs stay, whoever uses them
  ///
  /// False by default: unchanged objects are deallocated once they are not referenced elsewhere.
  /// Follows Core Data's `retainsRegisteredObjects`.
  public var retainsRegisteredObjects: Bool {
    get { retainedObjects != nil }
    set { retainedObjects = newValue ? retainedObjects ?? registeredObjects : nil }
  }

  /// Reads the rows of any number of keys with one query.
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

  /// Runs a plan on the source of this context's rows: its parent or the coordinator.
  func read<Result>(_ plan: FetchPlan, _ body: (any RowCursor) throws -> Result) throws -> Result {
    // `awakeFromFetch` may read more, so the cursor ends first.
    defer { sendAwakeFromFetch() }
    if let parent { return try parent.readForChild(plan, body) }
    return try persistentStoreCoordinator.read(plan, body)
  }
}

extension ManagedObject {
  /// Whether a relationship's members, or the values of its destination, have not been read.
  ///
  ///     dog.hasFault(forRelationshipNamed: "walks")
  ///
  /// Reads no relationship. A to-one without a destination is no fault. Follows Core Data's
  /// `hasFault(forRelationshipNamed:)`.
  ///
  /// - Precondition: the entity has a relationship of that name.
  public func hasFault(forRelationshipNamed name: String) -> Bool {
    let binding = _entity.binding
    if let number = binding.toManysByName[name] {
      guard _state.isDisjoint(with: [.inserted, .detached]) else { return false }
      if binding.toManys[number].description.isTransient { return false }
      return _lists?.toManys[number].isLoaded != true
    }
    guard let slot = binding.slotsByName[name], binding.toOnesBySlot[slot] != nil else {
      fatalError("\(binding.name) has no relationship \(name).")
    }
    return _slots == nil ? !_state.contains(.detached) : toOne(slot)?.isFault ?? false
  }

  /// Gives the object an empty row, as its row is missing: no values, and zeros if one is required.
  func becomeInaccessible() {
    _slots = PackedRow.empty(slotCount: _entity.binding.slotCount).slots
    // An object that was deleted elsewhere counts as deleted until the next save.
    guard !_state.contains(.deletedExternally) else { return }
    _entity.context?.observers?.note(self)
    _state.insert(.detached)
  }
}

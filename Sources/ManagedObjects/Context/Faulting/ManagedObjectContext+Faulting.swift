import DataModel

extension ManagedObjectContext {
  /// The object with an ID: the registered one, or a new fault.
  ///
  ///     walk.dog = context.object(with: dogID) as? Dog   // without reading the dog
  ///
  /// Reads nothing, unless the ID's entity has subentities: then the row determines the object's
  /// entity.
  ///
  /// The row may not exist; `existingObject(with:)` checks that.
  ///
  /// - Precondition: the ID is of a store of this context, and permanent or of this context.
  public func object(with id: ManagedObjectID) -> ManagedObject {
    checkCaller()
    if let registered = registeredObject(for: id) { return registered }
    require(
      !id.isTemporaryID || parent != nil,
      "A temporary ID is valid only in the context that assigned it.")
    guard let index = index(of: id) else {
      fatalError("\(id) belongs to a store that this context does not have.")
    }
    return object(id.key, ofFamily: contextEntity(at: index))
  }

  /// The object with an ID; its values are fetched if it is a fault.
  ///
  ///     guard let dog = try? context.existingObject(with: id) else { return }   // It was deleted.
  ///
  /// - Throws: `PersistentStoreError.objectNotFound` if its row does not exist, or belongs to no
  ///   store of this context; any other error of reading.
  public func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
    let object = registeredObject(for: id)
    guard object?._state.isDisjoint(with: [.deleted, .detached]) != false else {
      throw PersistentStoreError.objectNotFound(id)
    }
    if let object, object._slots != nil { return object }
    guard !id.isTemporaryID || parent != nil, let index = index(of: id),
      let fetched = try fetchRow(id.key, entity: contextEntity(at: index))
    else { throw PersistentStoreError.objectNotFound(id) }
    return fetched
  }

  /// The object with an ID if it is registered with this context, or nil.
  ///
  ///     for id in changes.updated { context.registeredObject(for: id).map(redraw) }
  ///
  /// Reads nothing. Also nil for an ID of a store that this context does not have.
  public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
    index(of: id).flatMap { registeredObject(id.key, of: $0) }
  }

  func registeredObject(_ key: Int64, of entity: Int) -> ManagedObject? {
    contextEntity(at: entity).table.object(for: key)
  }

  /// The index of an ID's entity in this context; nil if its store is not one of this context's.
  ///
  /// IDs are passed between contexts of several coordinators.
  func index(of id: ManagedObjectID) -> Int? {
    let bindings = persistentStoreCoordinator.bindings
    if bindings.indices.contains(id.binding.index), bindings[id.binding.index] === id.binding {
      return id.binding.index
    }
    return bindings.index(named: id.binding.name, ofStore: id.binding.store.identifier)
  }

  /// The object at the other end of a to-one: the registered one, or a new fault.
  func object(_ key: Int64, at toOne: EntityBinding.ToOne, in row: PackedRow) -> ManagedObject {
    var entity = contextEntity(at: toOne.destination)
    if let registered = entity.table.object(for: key) { return registered }
    guard let slot = toOne.entitySlot else { return makeObject(key, entity: entity, row: nil) }
    let number = row.hasValue(slot) ? row.integer(slot) : 0
    let family = entity.binding.family.map { contextEntity(at: $0) }
    guard let known = family.first(where: { $0.binding.number == number }) else {
      return object(key, ofFamily: entity)
    }
    entity = known
    return makeObject(key, entity: entity, row: nil)
  }

  /// The object of a row of an entity or of one of its subentities; a fault if it has no
  /// subentities.
  func object(_ key: Int64, ofFamily entity: ContextEntity) -> ManagedObject {
    if entity.binding.family.count > 1 {
      do {
        if let found = try fetchRow(key, entity: entity) { return found }
      } catch {
        // Which entity the row is of is not known now: it is taken for one of the superentity.
        faultingError = faultingError ?? error
      }
    }
    return makeObject(key, entity: entity, row: nil)
  }

  // MARK: Rows and objects

  /// The object of a row that was read: a new one, or the registered one.
  ///
  /// A registered fault takes the row's values. Every row reaches its object here or in
  /// `object(of:entity:keysOnly:)`. An object that was registered as one of another entity, because
  /// of an ID or a damaged to-one, is replaced: neither its class nor the layout of its row is
  /// right.
  func object(
    _ key: Int64, of entity: ContextEntity, taking row: PackedRow
  ) -> ManagedObject {
    guard let known = registeredObject(key, of: entity) else {
      return makeObject(key, entity: entity, row: row)
    }
    if known._slots == nil {
      fill(known, with: row)
    } else {
      row.free(slotCount: entity.binding.slotCount)
    }
    return known
  }

  /// The object of the cursor's current row, with its values unless only keys were requested.
  func object(
    of cursor: any RowCursor, entity: ContextEntity, keysOnly: Bool
  ) throws -> ManagedObject {
    let key = cursor.key
    guard let known = registeredObject(key, of: entity) else {
      let row = keysOnly ? nil : try cursor.makeRow(of: entity.binding)
      return makeObject(key, entity: entity, row: row)
    }
    if known._slots == nil, !keysOnly {
      fill(known, with: try cursor.makeRow(of: entity.binding))
    }
    return known
  }

  /// The registered object of a row; one of another entity is unregistered.
  func registeredObject(_ key: Int64, of entity: ContextEntity) -> ManagedObject? {
    guard let known = entity.table.object(for: key) else { return nil }
    if known._entity === entity { return known }
    known.leaveTable()
    return nil
  }

  func makeObject(_ key: Int64, entity: ContextEntity, row: PackedRow?) -> ManagedObject {
    let object = entity.objectClass.init(
      _fault: key, of: ManagedObject._Fault(entity: entity, slots: row?.slots))
    entity.table.insert(object)
    if row != nil, entity.overridden.contains(.awakeFromFetch) { awakened.append(object) }
    retainedObjects?.insert(object)
    return object
  }

  /// Gives a fault its values.
  ///
  /// - Precondition: the row is of the object's own entity.
  func fill(_ object: ManagedObject, with row: PackedRow) {
    object._slots = row.slots
    if object._entity.overridden.contains(.awakeFromFetch) { awakened.append(object) }
  }

  /// Fetches the values of a fault.
  ///
  /// An object whose row is missing gets no values and counts as deleted, as Core Data does with
  /// `shouldDeleteInaccessibleFaults`. If the store cannot be read, see `faultingError`.
  func fire(_ object: ManagedObject) {
    checkCaller(object._entity.binding.name)
    do {
      if object._state.contains(.batched), try fireBatch(of: object) { return }
      // The row may turn out to belong to another object.
      if !object._state.contains(.detached),
        try fetchRow(object._key, entity: object._entity) != nil,
        object._slots != nil
      {
        return
      }
    } catch {
      object.becomeInaccessible()
      return didFail(toRead: .row, of: object, error)
    }
    require(
      shouldDeleteInaccessibleFaults || object._state.contains(.deletedExternally),
      "The row of \(object.objectID) was deleted, so its values cannot be read.")
    object.becomeInaccessible()
  }

  /// The object of a key, its values fetched; nil if its row does not exist.
  func fetchRow(_ key: Int64, entity: ContextEntity) throws -> ManagedObject? {
    defer { sendAwakeFromFetch() }
    let found =
      if let parent {
        try parent.rowForChild(key, of: entity.binding.index)
      } else {
        try persistentStoreCoordinator.row(key, of: entity.binding)
      }
    guard let found else { return nil }
    let entity = entities[found.entity]
    let row = parent == nil ? entity.binding.settingTransientDefaults(found.row) : found.row
    return object(key, of: entity, taking: row)
  }

  /// Fetches the members of a to-many that was not loaded yet.
  func load(_ toMany: EntityBinding.ToMany, of owner: ManagedObject) {
    let stored: [ManagedObject?]
    do {
      stored = try storedMembers(of: toMany, owner: owner)
    } catch {
      stored = []
      didFail(toRead: .toMany(toMany.number), of: owner, error)
    }
    install(stored, in: toMany, of: owner)
  }

  /// Stores the fetched members of a to-many.
  ///
  /// Changes made here since take precedence over the stored members.
  func install(
    _ stored: [ManagedObject?], in toMany: EntityBinding.ToMany, of owner: ManagedObject
  ) {
    let lists = owner.lists
    // Without unsaved changes no member can have been removed.
    guard hasPendingChanges else { return lists.toManys[toMany.number].load(stored) }
    let visible = stored.filter { member in
      member.map { isStill($0, in: toMany, of: owner) } ?? false
    }
    lists.toManys[toMany.number].load(stored, visible: visible)
    if visible.count != stored.count { didUpdate(owner) }
  }

  /// The stored members of a to-many in their order, read with one query.
  func storedMembers(
    of toMany: EntityBinding.ToMany, owner: ManagedObject
  ) throws -> [ManagedObject] {
    if let parent { return try membersInParent(parent, of: toMany, owner: owner) }
    if case .memory = toMany.storage { return [] }
    return try objects(
      for: FetchPlan(
        membersOf: toMany, owners: [owner._key], in: binding(at: toMany.destination)))
  }

  /// Whether a stored member still is one, by its own relationship.
  func keeps(
    _ member: ManagedObject, in toMany: EntityBinding.ToMany, of owner: ManagedObject
  ) -> Bool {
    // Every read takes deleted members out of a list without an inverse.
    if case .none = toMany.inverse { return true }
    guard
      member._state.isDisjoint(with: [.deleted, .detached]) || member === owner && toMany.isLinked
    else { return false }
    guard member._state.contains(.updated), case .foreignKey(let slot) = toMany.storage else {
      return true
    }
    let row = member.row
    return row.hasValue(slot) && row.integer(slot) == owner._key
  }

  /// Whether a stored member remains in a list, at its index, despite unsaved changes.
  private func isStill(
    _ member: ManagedObject, in toMany: EntityBinding.ToMany, of owner: ManagedObject
  ) -> Bool {
    guard keeps(member, in: toMany, of: owner) else { return false }
    let lists = owner.lists
    if lists.toManys[toMany.number].count > 0, lists.toManys[toMany.number].contains(member) {
      guard !member._state.contains(.updated), case .foreignKey = toMany.storage else {
        return false
      }
      // After an undo, a member that was added again has the stored values.
      lists.toManys[toMany.number].forgetAdded(member)
    }
    guard member._state.contains(.updated) else { return true }
    guard case .join = toMany.storage else { return true }
    return !lists.toManys[toMany.number].removed.contains { $0 === member }
  }
}

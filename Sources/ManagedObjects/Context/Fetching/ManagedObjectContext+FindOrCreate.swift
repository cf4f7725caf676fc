public import DataModel

extension ManagedObjectContext {
  /// The object that has a unique value: an existing one, or a new one with that value.
  ///
  ///     let fido = try context.findOrCreate(Dog.self, where: "nameKey", equals: .string("fido"))
  ///
  /// Free of races: if another process inserts an object with that value before this one is saved,
  /// `save()` adopts that object's row, with its values and its permanent ID, instead of inserting
  /// a duplicate. The new object is `isInserted` until then. If a row of another entity of the
  /// hierarchy has the value by then, `save()` throws `PersistentStoreError.uniquenessViolation`:
  /// call this again. Conversely, if an object that was found is deleted by another process before
  /// it is given members here, `save()` inserts it again under its old ID; if another object has
  /// that value by then, it throws `ConflictError`: refresh, and call this again.
  ///
  /// - Precondition: the attribute alone is a uniqueness constraint of the entity.
  /// - Throws: `PersistentStoreError` if there is no store yet, or it cannot be read.
  public func findOrCreate<Object: ManagedObject>(
    _ type: Object.Type, where attribute: String, equals value: AttributeValue
  ) throws -> Object {
    let wanted = try lookUp(type, where: attribute, equals: value)
    if let found = wanted.found {
      found._state.insert(.findsOrCreates)
      // The entity's objects are of its class.
      return unsafeDowncast(found, to: Object.self)
    }
    let (entity, slot) = (wanted.entity, wanted.slot)
    let object = Object(_inserted: insertion(of: entity))
    object._slots =
      object.row.setting(
        value, at: slot, kinds: entity.binding.kinds, tailSlots: entity.binding.tailSlots
      ).slots
    object._state.insert(.findsOrCreates)
    object.side.lookUp = SaveRequest.LookUp(slot: slot, state: wanted.state)
    return object
  }

  /// The object that has a unique value; nil if there is none.
  ///
  ///     let fido = try context.find(Dog.self, where: "nameKey", equals: .string("fido"))
  ///
  /// The result is that of a fetch with that condition, unsaved changes included, in a fraction of
  /// its time: no predicate is parsed or bound, and the statement is the one of
  /// `findOrCreate(_:where:equals:)`.
  ///
  /// - Precondition: the attribute alone is a uniqueness constraint of the entity.
  /// - Throws: `PersistentStoreError` if there is no store yet, or it cannot be read.
  public func find<Object: ManagedObject>(
    _ type: Object.Type, where attribute: String, equals value: AttributeValue
  ) throws -> Object? {
    // The entity's objects are of its class.
    try lookUp(type, where: attribute, equals: value).found.map {
      unsafeDowncast($0, to: Object.self)
    }
  }

  /// The result of looking up a unique value.
  private struct LookedUp {
    let entity: ContextEntity
    let slot: Int
    let found: ManagedObject?
    /// The state of the only store, in which there is no such object.
    let state: UInt32?
  }

  private func lookUp(
    _ type: ManagedObject.Type, where attribute: String, equals value: AttributeValue
  ) throws -> LookedUp {
    try adoptStoresOrThrow()
    let entity = contextEntity(of: type)
    guard let slot = entity.binding.slotsByName[attribute],
      entity.binding.uniqueness.contains(where: { $0.slots.count == 1 && $0.slots[0] == slot })
    else {
      fatalError("\(entity.binding.name).\(attribute) is not a uniqueness constraint.")
    }
    try pullChanges()
    let wanted = Scalar(value, kind: entity.binding.kinds[slot])
    var (found, state) = try find(wanted, at: slot, of: entity)
    if found == nil, hasSeveralStores {
      for other in entities(named: entity.binding.name) where found == nil && other !== entity {
        found = try find(wanted, at: slot, of: other).object
      }
      // With several stores, the save determines the new object's store.
      state = nil
    }
    return LookedUp(entity: entity, slot: slot, found: found, state: state)
  }

  /// The object that has a value, among those with unsaved changes or in the store.
  ///
  /// Unsaved objects are compared by bytes: a fetch would evaluate its predicate for each. Then one
  /// query is made, with a prepared text.
  private func find(
    _ value: Scalar, at slot: Int, of entity: ContextEntity
  ) throws -> (object: ManagedObject?, state: UInt32?) {
    let binding = entity.binding
    func fits(_ object: ManagedObject) -> Bool {
      guard let slots = object._slots, binding.family.contains(object._entity.binding.index) else {
        return false
      }
      return PackedRow(slots: slots).has(value, at: slot)
        && object._state.isDisjoint(with: [.deleted, .detached])
    }
    if let found = unsavedObject(of: binding, with: value, at: slot, where: fits) {
      return (found, nil)
    }
    let found: ManagedObject?
    var state: UInt32?
    if parent != nil {
      found = try objects(for: FetchPlan(lookingUp: value, at: slot, of: binding)).first
    } else {
      let stored = try persistentStoreCoordinator.row(with: value, at: slot, of: binding)
      state = stored.state
      found = stored.found.map { key, binding, row in
        object(
          key, of: contextEntity(at: binding.index),
          taking: binding.settingTransientDefaults(row))
      }
      sendAwakeFromFetch()
    }
    // An object that was changed here and has the value would have been found above.
    guard let found, found._state.isDisjoint(with: [.deleted, .detached, .updated]) else {
      return (nil, state)
    }
    return (found, nil)
  }
}

extension Scalar {
  /// A value in the form in which a slot holds it: integers become floating-point numbers if
  /// needed.
  init(_ value: AttributeValue, kind: SlotKind) {
    self.init(value)
    if case .integer(let number) = self, kind == .real { self = .real(Double(number)) }
  }
}

extension PackedRow {
  /// Whether a slot has a value.
  fileprivate func has(_ value: Scalar, at slot: Int) -> Bool {
    guard hasValue(slot) else { return false }
    switch value {
    case .integer(let number): return integer(slot) == number
    case .real(let number): return real(slot) == number
    case .text(let wanted), .bytes(let wanted):
      return wanted.withUnsafeBytes { $0.isEqual(to: bytes(slot)) }
    }
  }
}

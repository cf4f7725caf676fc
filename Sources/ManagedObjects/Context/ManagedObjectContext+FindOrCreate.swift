public import DataModel

extension ManagedObjectContext {
  /// The object that has a unique value: one that is there, or a new one with that value.
  ///
  ///     let fido = try context.findOrCreate(Dog.self, where: "nameKey", equals: .string("fido"))
  ///
  /// No race: where another process makes the same object before this one is saved, `save()` takes
  /// that one's row over, with its values and its permanent ID, instead of making a second. The new
  /// object is `isInserted` until then. The other way round, where one that was found is deleted by
  /// another process before it is given members here, `save()` makes it anew under its old ID.
  ///
  /// - Precondition: the attribute alone is a uniqueness constraint of the entity.
  /// - Throws: `PersistentStoreError` where the store cannot be read.
  public func findOrCreate<Object: ManagedObject>(
    _ type: Object.Type, where attribute: String, equals value: AttributeValue
  ) throws -> Object {
    let entity = contextEntity(of: type)
    precondition(
      entity.binding.description.uniquenessConstraints.contains([attribute]),
      "\(entity.binding.name).\(attribute) is no uniqueness constraint.")
    try pullChanges()
    // The attribute is one of the entity's, or there would be no such constraint.
    let slot = entity.binding.slotsByName[attribute]!
    for entity in hasSeveralStores ? entities(named: entity.binding.name) : [entity] {
      guard let found = try object(of: entity, with: value, at: slot) else { continue }
      found._state.insert(.findsOrCreates)
      // The entity's objects are of its class.
      return unsafeDowncast(found, to: Object.self)
    }
    let object = Object(entity: entity.binding.description, insertInto: self)
    object._slots =
      object.row.setting(
        value, at: slot, kinds: entity.binding.kinds, tailSlots: entity.binding.tailSlots
      ).slots
    object._state.insert(.findsOrCreates)
    object.side.uniqueSlot = slot
    return object
  }

  /// The object that has a value, among those with unsaved changes or in the store.
  ///
  /// Among the former by comparing bytes: a fetch would evaluate its predicate for each.
  private func object(
    of entity: ContextEntity, with value: AttributeValue, at slot: Int
  ) throws -> ManagedObject? {
    let binding = entity.binding
    let wanted = binding.newRow().setting(
      value, at: slot, kinds: binding.kinds, tailSlots: binding.tailSlots)
    defer { wanted.free(slotCount: binding.slotCount) }
    let isTail = binding.kinds[slot].isTail
    func fits(_ object: ManagedObject) -> Bool {
      guard let slots = object._slots, binding.family.contains(object._entity.binding.index) else {
        return false
      }
      return PackedRow(slots: slots).isEqual(slot, to: wanted, isTail: isTail)
        && object._state.isDisjoint(with: [.deleted, .gone])
    }
    if let found = pendingInserts.first(where: fits) ?? pendingUpdates.first(where: fits) {
      return found
    }
    var plan = FetchPlan(entity: binding)
    let binder = PredicateBinder(entity: binding, bindings: persistentStoreCoordinator.bindings)
    plan.predicate = try binder.bind(
      .comparison(binding.slots[slot].name, .equal, value))
    plan.limit = 1
    // One that was changed here and has the value was found before.
    return try objects(for: plan).first {
      $0._state.isDisjoint(with: [.deleted, .gone, .updated])
    }
  }
}

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
    var request = FetchRequest<Object>()
    request.predicate = .comparison(attribute, .equal, value)
    request.fetchLimit = 1
    if let found = try fetch(request).first {
      found._state.insert(.findsOrCreates)
      return found
    }
    let object = Object(entity: entity.binding.description, insertInto: self)
    // The attribute is one of the entity's, or there would be no such constraint.
    let slot = entity.binding.slotsByName[attribute]!
    object._slots =
      object.row.setting(
        value, at: slot, kinds: entity.binding.kinds, tailSlots: entity.binding.tailSlots
      ).slots
    object._state.insert(.findsOrCreates)
    object.side.uniqueSlot = slot
    return object
  }
}

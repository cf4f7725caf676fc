/// The names that properties and classes cannot have, because the Swift around them has them.
enum ReservedNames {
  /// The members of every managed object, Core Data's and those that written accessors call.
  static let properties: Set<String> = [
    // Swift's own.
    "self", "init",
    // What every Cocoa object has: a model with such a name would not work on Apple's systems.
    "class", "copy", "debugDescription", "description", "hash", "hashValue", "isEqual",
    "mutableCopy", "observationInfo", "superclass", "zone",
    // NSManagedObject's.
    "awake", "awakeFromFetch", "awakeFromInsert", "changedValues",
    "changedValuesForCurrentEvent", "committedValues", "didSave", "didTurnIntoFault", "entity",
    "faultingState", "fetchRequest", "hasChanges", "hasFault", "hasPersistentChangedValues",
    "isDeleted", "isFault", "isInserted", "isUpdated", "managedObjectContext", "objectID",
    "objectIDs", "objectWillChange", "prepareForDeletion", "primitiveValue", "setPrimitiveValue",
    "setValue", "validateForDelete", "validateForInsert", "validateForUpdate", "validateValue",
    "value", "willAccessValue", "willChangeValue", "willSave", "willTurnIntoFault",
    // The calls inside accessors.
    "add", "insert", "optionalValue", "orderedToMany", "remove", "replace", "requiredValue",
    "scalarValue", "setOptionalValue", "setOrderedToMany", "setRequiredValue", "setToOne",
    "setUnorderedToMany", "toOne", "unorderedToMany",
  ]

  /// The types that the written Swift names, and the words that cannot name a type.
  static let classes: Set<String> = [
    "Any", "Protocol", "Self", "Type", "AnyClass",
    "Bool", "Data", "Date", "Decimal", "Double", "Float", "Int", "Int16", "Int32", "Int64",
    "RangeSet", "Set", "String", "URL", "UUID",
    "AttributeDescription", "EntityDescription", "FetchIndexDescription", "ManagedObject",
    "ManagedObjectModel", "OrderedSet", "PropertyDescription", "PropertySlot",
    "RelationshipDescription", "VersionHash",
  ]
}

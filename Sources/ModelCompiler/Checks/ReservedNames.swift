/// The names that properties and classes cannot have, because the Swift around them has them.
enum ReservedNames {
  /// The members without parameters of every managed object, there or on Apple's systems.
  ///
  /// Core Data refuses properties with the name of "any no-parameter method name of NSObject or
  /// NSManagedObject", so a model with one would be of no use to an app.
  static let properties: Set<String> = [
    // NSObject's.
    "autorelease", "class", "copy", "dealloc", "debugDescription", "description", "hash",
    "hashValue", "init", "isProxy", "mutableCopy", "release", "retain", "retainCount", "self",
    "superclass",
    // NSManagedObject's.
    "awakeFromFetch", "awakeFromInsert", "changedValues", "changedValuesForCurrentEvent",
    "didSave", "didTurnIntoFault", "entity", "faultingState", "hasPersistentChangedValues",
    "managedObjectContext", "objectID", "prepareForDeletion", "validateForDelete",
    "validateForInsert", "validateForUpdate", "willSave", "willTurnIntoFault",
  ]

  /// Members that models of apps all the same have properties named like: Core Data lets them pass,
  /// or only some of Apple's systems have them.
  static let memberNames: Set<String> = [
    "classForCoder", "className", "fetchRequest", "finalize", "hasChanges", "isDeleted", "isFault",
    "isInserted", "isUpdated", "objectWillChange", "observationInfo", "zone",
  ]

  /// The types that the written Swift names.
  static let classes: Set<String> = [
    "AnyClass", "AnyHashable", "Bool", "Data", "Date", "Decimal", "Double", "Float", "Int", "Int16",
    "Int32", "Int64",
    "RangeSet", "Set", "String", "URL", "UUID",
    "AttributeDescription", "EntityDescription", "FetchIndexDescription",
    "FetchRequestDescription", "FetchedPropertyDescription", "ManagedObject",
    "ManagedObjectModel", "OrderedSet", "PropertyDescription", "PropertySlot",
    "RelationshipDescription", "VersionHash",
  ]
}

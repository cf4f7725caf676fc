/// The names that properties and classes cannot have, since they already exist in Swift.
enum ReservedNames {
  /// The members without parameters of every managed object, here or on Apple's systems.
  ///
  /// Core Data refuses properties with the name of "any no-parameter method name of NSObject or
  /// NSManagedObject", so a model with one could not be used in an app.
  static let properties: Set<String> = [
    // Those of NSObject.
    "autorelease", "class", "copy", "dealloc", "debugDescription", "description", "hash",
    "hashValue", "init", "isProxy", "mutableCopy", "release", "retain", "retainCount", "self",
    "superclass",
    // Those of NSManagedObject.
    "awakeFromFetch", "awakeFromInsert", "changedValues", "changedValuesForCurrentEvent",
    "didSave", "didTurnIntoFault", "entity", "faultingState", "hasPersistentChangedValues",
    "managedObjectContext", "objectID", "prepareForDeletion", "validateForDelete",
    "validateForInsert", "validateForUpdate", "willSave", "willTurnIntoFault",
  ]

  /// Further members, which existing models use as names of properties.
  ///
  /// Core Data allows these, or only some of Apple's systems have them.
  static let memberNames: Set<String> = [
    "classForCoder", "className", "fetchRequest", "finalize", "hasChanges", "isDeleted", "isFault",
    "isInserted", "isUpdated", "objectWillChange", "observationInfo", "zone",
  ]

  /// Whether a type with a name is used or declared by the generated Swift.
  static func isClass(_ name: String) -> Bool {
    classes.contains(name) || isVersion(name)
  }

  /// Whether a name is that of the type of a version of the model: `ModelVersion1`.
  private static func isVersion(_ name: String) -> Bool {
    let prefix = "ModelVersion"
    return name.hasPrefix(prefix) && Int(name.dropFirst(prefix.count)) != nil
  }

  /// The types that the generated Swift uses.
  static let classes: Set<String> = [
    "AnyClass", "AnyHashable", "Bool", "Data", "Date", "Decimal", "Double", "Float", "Int", "Int16",
    "Int32", "Int64",
    "RangeSet", "Set", "String", "URL", "UUID",
    "AttributeDescription", "EntityDescription", "FetchIndexDescription",
    "FetchRequestDescription", "FetchedPropertyDescription", "ManagedObject",
    "ManagedObjectModel", "OrderedSet", "OverriddenMethods", "PropertyDescription", "PropertySlot",
    "RelationshipDescription", "VersionHash",
  ]
}

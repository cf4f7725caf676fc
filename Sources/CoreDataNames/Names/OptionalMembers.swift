public import DataModel
public import ManagedObjects

// What is optional in Core Data, as it is there: `entity.name!`, `if let name = entity.name`. A
// file that imports ManagedObjects too has the members of that.

extension EntityDescription {
  /// The entity's name, which it always has.
  ///
  ///     NSFetchRequest<Dog>(entityName: Dog.entity().name!)
  public var name: String? {
    get { storedName }
    set { storedName = newValue ?? "" }
  }

  /// What the model says of the entity besides.
  public var userInfo: [AnyHashable: Any]? {
    get { storedUserInfo }
    set { storedUserInfo = texts(newValue) }
  }
}

extension AttributeDescription {
  /// The attribute's type, by its first name.
  ///
  ///     attribute.attributeType == .dateAttributeType
  public var attributeType: NSAttributeType {
    get { NSAttributeType(type) }
    set { type = newValue.type ?? .undefined }
  }

  /// What the model says of the attribute besides.
  public var userInfo: [AnyHashable: Any]? {
    get { storedUserInfo }
    set { storedUserInfo = texts(newValue) }
  }
}

extension RelationshipDescription {
  /// What the model says of the relationship besides.
  public var userInfo: [AnyHashable: Any]? {
    get { storedUserInfo }
    set { storedUserInfo = texts(newValue) }
  }
}

extension MappingModel {
  /// What becomes of each entity.
  public var entityMappings: [EntityMapping]? {
    get { storedEntityMappings }
    set { storedEntityMappings = newValue ?? [] }
  }
}

extension EntityMapping {
  /// Where the destination's attributes have their values from.
  ///
  ///     for property in mapping.attributeMappings ?? [] { print(property.name ?? "") }
  public var attributeMappings: [PropertyMapping]? {
    get { storedAttributeMappings }
    set { storedAttributeMappings = newValue ?? [] }
  }

  /// Where the destination's relationships have their objects from.
  public var relationshipMappings: [PropertyMapping]? {
    get { storedRelationshipMappings }
    set { storedRelationshipMappings = newValue ?? [] }
  }
}

extension PropertyMapping {
  /// The property's name in the destination.
  public var name: String? {
    get { storedName }
    set { storedName = newValue ?? "" }
  }
}

extension PersistentHistoryTransaction {
  /// What it changed; empty where that was not asked for.
  ///
  ///     for change in transaction.changes ?? [] { print(change.changedObjectID) }
  public var changes: [PersistentHistoryChange]? { storedChanges }
}

extension PersistentHistoryChange {
  /// The last values of a deleted object, by the names of its attributes; nil where none were kept.
  ///
  ///     change.tombstone?["name"] as? String
  public var tombstone: [AnyHashable: Any]? {
    storedTombstone.isEmpty ? nil : storedTombstone.mapValues(\.foundationValue)
  }
}

extension MergeConflict {
  /// The values that the object was read with, numbers as `NSNumber`.
  public var objectSnapshot: [String: Any]? { storedObjectSnapshot.mapValues(foundationValue) }

  /// The values that were known of the store, likewise.
  public var cachedSnapshot: [String: Any]? { storedObjectSnapshot.mapValues(foundationValue) }

  /// The values that the store has now, likewise; nil where the row is gone.
  ///
  ///     conflict.persistedSnapshot?["age"] as? Int
  public var persistedSnapshot: [String: Any]? {
    storedPersistedSnapshot?.mapValues(foundationValue)
  }
}

/// What a model can say besides: texts.
private func texts(_ userInfo: [AnyHashable: Any]?) -> [String: String] {
  var texts: [String: String] = [:]
  for case (let key as String, let value as String) in userInfo ?? [:] { texts[key] = value }
  return texts
}

public import DataModel
public import ManagedObjects

// Members that are optional in Core Data, with the same type: `entity.name!`,
// `if let name = entity.name`. A file that also imports ManagedObjects has that module's members as
// well.

extension EntityDescription {
  /// The entity's name, which is never nil.
  ///
  ///     NSFetchRequest<Dog>(entityName: Dog.entity().name!)
  public var name: String? {
    get { storedName }
    set { storedName = newValue ?? "" }
  }

  /// The entity's user info in the model.
  public var userInfo: [AnyHashable: Any]? {
    get { storedUserInfo }
    set { storedUserInfo = texts(newValue) }
  }
}

extension AttributeDescription {
  /// The attribute's type, by its older name.
  ///
  ///     attribute.attributeType == .dateAttributeType
  public var attributeType: NSAttributeType {
    get { NSAttributeType(type) }
    set { type = newValue.type ?? .undefined }
  }

  /// The attribute's user info in the model.
  public var userInfo: [AnyHashable: Any]? {
    get { storedUserInfo }
    set { storedUserInfo = texts(newValue) }
  }
}

extension RelationshipDescription {
  /// The relationship's user info in the model.
  public var userInfo: [AnyHashable: Any]? {
    get { storedUserInfo }
    set { storedUserInfo = texts(newValue) }
  }
}

extension MappingModel {
  /// The mapping of each entity.
  public var entityMappings: [EntityMapping]? {
    get { storedEntityMappings }
    set { storedEntityMappings = newValue ?? [] }
  }
}

extension EntityMapping {
  /// The sources of the values of the destination's attributes.
  ///
  ///     for property in mapping.attributeMappings ?? [] { print(property.name ?? "") }
  public var attributeMappings: [PropertyMapping]? {
    get { storedAttributeMappings }
    set { storedAttributeMappings = newValue ?? [] }
  }

  /// The sources of the objects of the destination's relationships.
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
  /// The changes of the transaction; empty if they were not requested.
  ///
  ///     for change in transaction.changes ?? [] { print(change.changedObjectID) }
  public var changes: [PersistentHistoryChange]? { storedChanges }
}

extension PersistentHistoryChange {
  /// The last values of a deleted object, by the names of its attributes; nil if none were
  /// preserved.
  ///
  ///     change.tombstone?["name"] as? String
  public var tombstone: [AnyHashable: Any]? {
    storedTombstone.isEmpty ? nil : storedTombstone.mapValues(\.foundationValue)
  }
}

extension MergeConflict {
  /// The values when the object was read, with numbers as `NSNumber`.
  public var objectSnapshot: [String: Any]? { storedObjectSnapshot.mapValues(foundationValue) }

  /// The same values as `objectSnapshot`, likewise.
  public var cachedSnapshot: [String: Any]? { storedObjectSnapshot.mapValues(foundationValue) }

  /// The values that are stored now, likewise; nil if the row was deleted.
  ///
  ///     conflict.persistedSnapshot?["age"] as? Int
  public var persistedSnapshot: [String: Any]? {
    storedPersistedSnapshot?.mapValues(foundationValue)
  }
}

/// The entries of a user info that a model can contain: strings.
private func texts(_ userInfo: [AnyHashable: Any]?) -> [String: String] {
  var texts: [String: String] = [:]
  for case (let key as String, let value as String) in userInfo ?? [:] { texts[key] = value }
  return texts
}

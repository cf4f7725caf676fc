/// An entity of a model: a type of objects, their properties and their rules.
///
///     EntityDescription(
///       name: "Dog",
///       properties: [.attribute(AttributeDescription(name: "name", type: .string))])
///
/// Follows Core Data's `NSEntityDescription`; a value here, so a model cannot change while a store
/// uses it.
public struct EntityDescription: Sendable, Hashable {
  /// The entity's name, unique in its model.
  public var name: String
  /// The name of the class of its objects; the entity's own name by default.
  public var managedObjectClassName: String
  /// Whether only its subentities have objects.
  public var isAbstract: Bool
  /// The name of the entity whose properties it inherits, or nil.
  public var superentityName: String?
  /// Its own properties, without inherited ones.
  public var properties: [PropertyDescription]
  /// Sets of attributes whose combined values must be unique.
  ///
  ///     entity.uniquenessConstraints = [["nameKey"]]   // no two dogs of one name
  public var uniquenessConstraints: [[String]]
  /// The indexes that the store has for it.
  ///
  ///     entity.indexes = [FetchIndexDescription(name: "byDate", elements: [.init(propertyName: "date")])]
  public var indexes: [FetchIndexDescription]
  /// Sets of attributes that the store indexes together, as specified in models before Xcode 9.
  public var compoundIndexes: [[String]]
  /// A string that changes the version hash although nothing else did, or nil.
  public var versionHashModifier: String?
  /// The entity's name in the previous model version, or nil for the same.
  ///
  ///     entity.renamingIdentifier = "Hound"   // its rows become those of this entity
  public var renamingIdentifier: String?
  /// The user info of the entity.
  public var userInfo: [String: String]
  /// The inherited properties, set by its model; empty outside of a model.
  var inherited = InheritedProperties()

  /// Its own attributes.
  ///
  ///     dog.attributes.map(\.name)   // ["name"]
  public var attributes: [AttributeDescription] {
    properties.compactMap { if case .attribute(let attribute) = $0 { attribute } else { nil } }
  }

  /// Its own relationships.
  ///
  ///     dog.relationships.filter(\.isToMany).map(\.name)   // ["walks"]
  public var relationships: [RelationshipDescription] {
    properties.compactMap {
      if case .relationship(let relationship) = $0 { relationship } else { nil }
    }
  }

  /// Its own fetched properties.
  public var fetchedProperties: [FetchedPropertyDescription] {
    properties.compactMap { if case .fetchedProperty(let property) = $0 { property } else { nil } }
  }

  /// Creates an entity.
  public init(
    name: String,
    managedObjectClassName: String? = nil,
    isAbstract: Bool = false,
    superentityName: String? = nil,
    properties: [PropertyDescription] = [],
    uniquenessConstraints: [[String]] = [],
    indexes: [FetchIndexDescription] = [],
    versionHashModifier: String? = nil,
    renamingIdentifier: String? = nil,
    compoundIndexes: [[String]] = [],
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.managedObjectClassName = managedObjectClassName ?? name
    self.isAbstract = isAbstract
    self.superentityName = superentityName
    self.properties = properties
    self.uniquenessConstraints = uniquenessConstraints
    self.indexes = indexes
    self.versionHashModifier = versionHashModifier
    self.renamingIdentifier = renamingIdentifier
    self.compoundIndexes = compoundIndexes
    self.userInfo = userInfo
  }
}

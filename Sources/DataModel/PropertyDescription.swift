/// A property of an entity: an attribute, a relationship or a fetched property.
///
///     if case .relationship(let walks) = dog.propertiesByName["walks"] { walks.deleteRule }
public indirect enum PropertyDescription: Sendable, Hashable {
  /// A value.
  case attribute(AttributeDescription)
  /// Objects of another entity.
  case relationship(RelationshipDescription)
  /// Objects that a fetch request finds.
  case fetchedProperty(FetchedPropertyDescription)

  /// The property's name, unique in its entity.
  public var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    case .fetchedProperty(let property): property.name
    }
  }

  /// Whether the property lives in memory only and is never stored, as every fetched property.
  public var isTransient: Bool {
    switch self {
    case .attribute(let attribute): attribute.isTransient
    case .relationship(let relationship): relationship.isTransient
    case .fetchedProperty: true
    }
  }
}

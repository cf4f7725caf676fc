/// A property of an entity: an attribute, a relationship or a fetched property.
///
///     if case .relationship(let walks) = dog.propertiesByName["walks"] { walks.deleteRule }
public indirect enum PropertyDescription: Sendable, Hashable {
  /// An attribute, with a value.
  case attribute(AttributeDescription)
  /// A relationship to objects of another entity.
  case relationship(RelationshipDescription)
  /// A fetched property, with the results of a fetch request.
  case fetchedProperty(FetchedPropertyDescription)

  /// The property's name, unique in its entity.
  public var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    case .fetchedProperty(let property): property.name
    }
  }

  /// Whether the property exists in memory only and is never stored, like every fetched property.
  public var isTransient: Bool {
    switch self {
    case .attribute(let attribute): attribute.isTransient
    case .relationship(let relationship): relationship.isTransient
    case .fetchedProperty: true
    }
  }
}

/// A property of an entity: an attribute or a relationship.
public enum PropertyDescription: Sendable, Hashable {
  /// A value.
  case attribute(AttributeDescription)
  /// Objects of another entity.
  case relationship(RelationshipDescription)

  /// The property's name, unique in its entity.
  public var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    }
  }

  /// Whether the property lives in memory only and is never stored.
  public var isTransient: Bool {
    switch self {
    case .attribute(let attribute): attribute.isTransient
    case .relationship(let relationship): relationship.isTransient
    }
  }
}

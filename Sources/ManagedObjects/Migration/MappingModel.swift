public import DataModel

/// How the objects of one version of a model become those of another.
///
///     let mapping = try MappingModel.inferred(from: old, to: new)
///     for entity in mapping.entityMappings { print(entity.name) }   // IEM_Transform_Dog, …
///
/// Follows Core Data's `NSMappingModel`.
public struct MappingModel: Sendable, Hashable {
  /// What becomes of each entity: those of the destination in the order of their numbers, then
  /// those that are removed.
  public let entityMappings: [EntityMapping]

  init(entityMappings: [EntityMapping]) { self.entityMappings = entityMappings }

  /// The mappings by their names.
  public var entityMappingsByName: [String: EntityMapping] {
    Dictionary(entityMappings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// What becomes of one entity.
///
/// Follows Core Data's `NSEntityMapping`.
public struct EntityMapping: Sendable, Hashable {
  /// What a mapping does with the objects of its entity.
  public enum MappingType: Sendable, Hashable {
    /// There were none: the entity is new.
    case add
    /// They go: the destination has no such entity.
    case remove
    /// They stay as they are: both sides have the same version hash.
    case copy
    /// They stay, and something of them changes.
    case transform
  }

  /// The mapping's name: `IEM_Add_`, `IEM_Remove_`, `IEM_Copy_` or `IEM_Transform_`, and the
  /// entity's name in the destination; of one that is removed, in the source.
  public let name: String
  /// What it does.
  public let mappingType: MappingType
  /// The entity's name in the source; nil where it is new.
  public let sourceEntityName: String?
  /// The entity's name in the destination; nil where it is removed.
  public let destinationEntityName: String?
  /// The entity's version hash in the source; nil where it is new.
  public let sourceEntityVersionHash: VersionHash?
  /// The entity's version hash in the destination; nil where it is removed.
  public let destinationEntityVersionHash: VersionHash?
  /// Where the destination's attributes have their values from, inherited ones included, by name.
  public let attributeMappings: [PropertyMapping]
  /// Where the destination's relationships have their objects from, likewise.
  public let relationshipMappings: [PropertyMapping]
}

/// Where a property of the destination has its value from.
///
/// Follows Core Data's `NSPropertyMapping`.
public struct PropertyMapping: Sendable, Hashable {
  /// The property's name in the destination.
  public let name: String
  /// Its name in the source; nil where it is new and begins with its default value, or without one.
  public let sourceName: String?
}

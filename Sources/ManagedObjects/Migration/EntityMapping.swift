/// A mapping of one entity.
///
///     var walks = EntityMapping(name: "WalkToOuting", from: "Walk", to: "Outing")
///     walks.sourcePredicate = try FetchPredicate(format: "duration > 0")
///
/// Follows Core Data's `NSEntityMapping`.
public struct EntityMapping: Sendable, Hashable {
  /// How a mapping handles the objects of its entity.
  public enum MappingType: Int, Sendable, Hashable {
    /// Not specified: treated as ``custom``.
    case undefined
    /// The objects are created by its policy and its property mappings.
    case custom
    /// The entity is new, and has no objects in the source.
    case add
    /// The objects are removed: the destination has no such entity.
    case remove
    /// The objects are unchanged.
    ///
    /// In an inferred mapping: both entities have the same version hash. Xcode uses it for every
    /// entity in which all attributes keep their names, even if its relationships change.
    case copy
    /// The objects are kept with changes.
    case transform
  }

  /// The mapping's name, by which relationships refer to its objects.
  ///
  /// In an inferred mapping: `IEM_Add_`, `IEM_Remove_`, `IEM_Copy_` or `IEM_Transform_`, and the
  /// entity's name in the destination, or for a removed one, in the source.
  public var name: String
  /// The type of the mapping.
  public var mappingType: MappingType
  /// The entity's name in the source; nil if it is new.
  public var sourceEntityName: String?
  /// The entity's name in the destination; nil if it is removed.
  public var destinationEntityName: String?
  /// The entity's version hash in the source; nil if it is new, or for any version.
  public var sourceEntityVersionHash: VersionHash?
  /// The entity's version hash in the destination; nil if it is removed, or for any version.
  public var destinationEntityVersionHash: VersionHash?
  /// The condition on objects of the source; nil for all.
  ///
  /// Objects of subentities are not included: they have mappings of their own.
  public var sourcePredicate: FetchPredicate?
  /// The sources of the values of the destination's attributes, including inherited ones.
  ///
  /// Attributes that are not included get their default values.
  public var attributeMappings: [PropertyMapping]
  /// The sources of the objects of the destination's relationships, likewise.
  public var relationshipMappings: [PropertyMapping]
  /// The name of the policy that creates the objects, as registered with a ``MigrationManager``.
  ///
  /// nil for ``EntityMigrationPolicy`` itself.
  public var entityMigrationPolicyClassName: String?
  /// Custom values for a policy.
  public var userInfo: [String: String]

  /// Creates a mapping of an entity; property mappings are set afterwards.
  ///
  /// - Parameters:
  ///   - name: by which relationships refer to its objects.
  ///   - source: the entity's name in the source; nil if its policy creates objects from
  ///     nothing.
  ///   - destination: the entity's name in the destination; nil if its objects are removed.
  public init(name: String, from source: String?, to destination: String?) {
    self.name = name
    mappingType = source == nil ? .add : destination == nil ? .remove : .custom
    sourceEntityName = source
    destinationEntityName = destination
    attributeMappings = []
    relationshipMappings = []
    userInfo = [:]
  }
}

public import DataModel

/// A mapping of the objects of one version of a model to another.
///
///     let mapping = try MappingModel.inferred(from: old, to: new)
///     for entity in mapping.entityMappings { print(entity.name) }   // IEM_Transform_Dog, …
///
/// An inferred mapping is executed in the store, in place. A custom one is executed by a
/// ``MigrationManager``, object by object:
///
///     var dogs = EntityMapping(name: "DogToDog", from: "Dog", to: "Dog")
///     dogs.attributeMappings = [PropertyMapping(name: "name", sourceName: "title")]
///     let mapping = MappingModel(entityMappings: [dogs])
///
/// A file written by Xcode or its compiler is read by
/// ``init(contentsOf:leavingValuesToPolicies:)``. Follows Core Data's `NSMappingModel`.
public struct MappingModel: Sendable, Hashable {
  /// The mapping of each entity, in the order of execution.
  ///
  /// In an inferred mapping: the destination's entities in the order of their numbers, then removed
  /// ones.
  public var entityMappings: [EntityMapping] {
    didSet { isInferred = false }
  }
  /// Whether it is an unmodified inferred mapping, so that a store is migrated in place.
  public private(set) var isInferred: Bool

  /// Creates a mapping that a ``MigrationManager`` executes.
  public init(entityMappings: [EntityMapping]) {
    self.entityMappings = entityMappings
    isInferred = false
  }

  init(inferred entityMappings: [EntityMapping]) {
    self.entityMappings = entityMappings
    isInferred = true
  }

  /// The mappings by their names.
  public var entityMappingsByName: [String: EntityMapping] {
    Dictionary(entityMappings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether it maps one model to another, judging by its entities' names and version hashes.
  ///
  ///     mappings.first { $0.leads(from: old, to: new) }
  ///
  /// An entity without a hash matches any version of its name. Entities that have no mapping are
  /// ignored: their objects are not migrated, or there are none.
  package func leads(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> Bool {
    func fits(_ name: String?, _ hash: VersionHash?, _ model: ManagedObjectModel) -> Bool {
      guard let name else { return true }
      guard let known = model.entityVersionHashesByName[name] else { return false }
      return hash == nil || hash == known
    }
    return entityMappings.allSatisfy {
      fits($0.sourceEntityName, $0.sourceEntityVersionHash, source)
        && fits($0.destinationEntityName, $0.destinationEntityVersionHash, destination)
    }
  }

  /// The mapping for parts of its models; nil where it does not map one to the other.
  ///
  /// A store with a configuration contains a part of its model. Entity mappings of entities that
  /// are in neither part are omitted; the rest must include every entity of the source, otherwise
  /// the mapping is for another model.
  package func restricted(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> MappingModel? {
    if leads(from: source, to: destination) { return self }
    let kept = entityMappings.filter { mapping in
      [mapping.sourceEntityName, mapping.destinationEntityName].contains { name in
        guard let name else { return false }
        return source.entitiesByName[name] != nil || destination.entitiesByName[name] != nil
      }
    }
    let part = isInferred ? MappingModel(inferred: kept) : MappingModel(entityMappings: kept)
    let names = Set(kept.compactMap(\.sourceEntityName))
    let isWhole = source.entities.allSatisfy { $0.isAbstract || names.contains($0.name) }
    return !kept.isEmpty && isWhole && part.leads(from: source, to: destination) ? part : nil
  }
}

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
  /// The entity's name in the source; nil where it is new.
  public var sourceEntityName: String?
  /// The entity's name in the destination; nil where it is removed.
  public var destinationEntityName: String?
  /// The entity's version hash in the source; nil where it is new, or for any version.
  public var sourceEntityVersionHash: VersionHash?
  /// The entity's version hash in the destination; nil where it is removed, or for any version.
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
  ///   - source: the entity's name in the source; nil where its policy creates objects from
  ///     nothing.
  ///   - destination: the entity's name in the destination; nil where its objects are removed.
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

/// The source of the value of a property of the destination.
///
///     PropertyMapping(name: "name", sourceName: "title")
///     PropertyMapping(name: "walks", sourceName: "walks", mappedBy: "WalkToOuting")
///     PropertyMapping(name: "hours", value: .expression(
///       .function(.divide, [.property(of: .variable("source"), "seconds"), .constant(.double(3600))])))
///
/// Follows Core Data's `NSPropertyMapping`.
public struct PropertyMapping: Sendable, Hashable {
  /// The source of a property's value.
  public enum Value: Sendable, Hashable {
    /// The value of an expression, in which `$source` is the source's object.
    ///
    /// Key paths after it are evaluated by `value(forKeyPath:)`; any other expression must be
    /// supported in a fetch of dictionaries.
    case expression(FetchExpression)
    /// The destination's objects for the source objects that an expression evaluates to.
    ///
    /// With a name, only those of the mapping with that name.
    case destinationInstances(of: FetchExpression, mappedBy: String?)
    /// The result of a method of the policy for some arguments, by its selector in the mapping
    /// model.
    ///
    /// ``EntityMigrationPolicy/value(forFunction:arguments:of:manager:)`` is called for it. An
    /// argument is an expression on `$source`, or just one of the variables `$destination`,
    /// `$manager`, `$entityMapping` and `$propertyMapping`. Xcode writes
    /// `FUNCTION($entityPolicy, "sizeFromWeight:", $source.weight)`.
    case policyFunction(String, arguments: [FetchExpression])
  }

  /// The property's name in the destination.
  public var name: String
  /// The source of its value; nil where it keeps its default value, or its policy sets it.
  public var value: Value?
  /// Custom values for a policy.
  public var userInfo: [String: String] = [:]

  /// Creates a mapping with any value.
  public init(name: String, value: Value?) {
    self.name = name
    self.value = value
  }

  /// Creates a mapping of an attribute to one of the source; nil where it is new.
  public init(name: String, sourceName: String?) {
    self.init(name: name, value: sourceName.map { .expression(Self.source($0)) })
  }

  /// Creates a mapping of a relationship to the destination's objects for one of the source.
  public init(name: String, sourceName: String?, mappedBy mapping: String?) {
    self.init(
      name: name,
      value: sourceName.map { .destinationInstances(of: Self.source($0), mappedBy: mapping) })
  }

  private static func source(_ name: String) -> FetchExpression {
    .property(of: .variable("source"), name)
  }

  /// The property's name in the source, if its value is that of one property; otherwise nil.
  public var sourceName: String? {
    guard
      let expression: FetchExpression =
        switch value {
        case .expression(let expression)?, .destinationInstances(let expression, _)?: expression
        case .policyFunction?, nil: nil
        },
      case .property(let base, let names) = expression.kind,
      base.kind == .variable("source"), !names.contains(".")
    else { return nil }
    return names
  }
}

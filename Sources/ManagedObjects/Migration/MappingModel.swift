public import DataModel

/// How the objects of one version of a model become those of another.
///
///     let mapping = try MappingModel.inferred(from: old, to: new)
///     for entity in mapping.entityMappings { print(entity.name) }   // IEM_Transform_Dog, …
///
/// One that is inferred is carried out in the store, in place. One that says more is carried out by
/// a ``MigrationManager``, object by object:
///
///     var dogs = EntityMapping(name: "DogToDog", from: "Dog", to: "Dog")
///     dogs.attributeMappings = [PropertyMapping(name: "name", sourceName: "title")]
///     let mapping = MappingModel(entityMappings: [dogs])
///
/// One that Xcode or its compiler wrote is read by
/// ``init(contentsOf:leavingValuesToPolicies:)``. Follows Core Data's `NSMappingModel`.
public struct MappingModel: Sendable, Hashable {
  /// What becomes of each entity, in the order in which it is done.
  ///
  /// Of an inferred mapping: the destination's entities in the order of their numbers, then those
  /// that are removed.
  public var entityMappings: [EntityMapping] {
    didSet { isInferred = false }
  }
  /// Whether it is as it was inferred, so that a store is migrated in place.
  public private(set) var isInferred: Bool

  /// Makes a mapping that a ``MigrationManager`` carries out.
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

  /// Whether it leads from one model to another, as far as its entities' names and version hashes
  /// say.
  ///
  ///     mappings.first { $0.leads(from: old, to: new) }
  ///
  /// An entity without a hash fits any version of its name. Entities that have no mapping are not
  /// asked about: their objects stay behind, or there are none.
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

  /// The mapping for parts of the models that it is for; nil where it does not lead from the one to
  /// the other.
  ///
  /// A store with a configuration knows a part of its model. Entity mappings of entities that
  /// neither part has are left out; those that stay have to name every entity of the source, or it
  /// is another model's mapping.
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

/// What becomes of one entity.
///
///     var walks = EntityMapping(name: "WalkToOuting", from: "Walk", to: "Outing")
///     walks.sourcePredicate = try FetchPredicate(format: "duration > 0")
///
/// Follows Core Data's `NSEntityMapping`.
public struct EntityMapping: Sendable, Hashable {
  /// What a mapping does with the objects of its entity.
  public enum MappingType: Int, Sendable, Hashable {
    /// Nothing is said about it: as ``custom``.
    case undefined
    /// They are made as its policy and its property mappings say.
    case custom
    /// There were none: the entity is new.
    case add
    /// They go: the destination has no such entity.
    case remove
    /// They stay as they are.
    ///
    /// Of an inferred mapping: both sides have the same version hash. Xcode says so of every entity
    /// in which all attributes keep their names, even where its relationships change.
    case copy
    /// They stay, and something of them changes.
    case transform
  }

  /// The mapping's name, by which relationships find its objects.
  ///
  /// Of an inferred one: `IEM_Add_`, `IEM_Remove_`, `IEM_Copy_` or `IEM_Transform_`, and the
  /// entity's name in the destination; of one that is removed, in the source.
  public var name: String
  /// What it does.
  public var mappingType: MappingType
  /// The entity's name in the source; nil where it is new.
  public var sourceEntityName: String?
  /// The entity's name in the destination; nil where it is removed.
  public var destinationEntityName: String?
  /// The entity's version hash in the source; nil where it is new, or any version will do.
  public var sourceEntityVersionHash: VersionHash?
  /// The entity's version hash in the destination; nil where it is removed, or any version will do.
  public var destinationEntityVersionHash: VersionHash?
  /// Which objects of the source are taken; nil for all.
  ///
  /// Objects of subentities are not: they have mappings of their own.
  public var sourcePredicate: FetchPredicate?
  /// Where the destination's attributes have their values from, inherited ones included.
  ///
  /// Attributes that are not named here begin with their default values.
  public var attributeMappings: [PropertyMapping]
  /// Where the destination's relationships have their objects from, likewise.
  public var relationshipMappings: [PropertyMapping]
  /// The name under which a ``MigrationManager`` has the policy that makes the objects; nil for
  /// ``EntityMigrationPolicy`` itself.
  public var entityMigrationPolicyClassName: String?
  /// Whatever a policy wants to know.
  public var userInfo: [String: String]

  /// Makes a mapping of an entity; what it does with properties is set afterwards.
  ///
  /// - Parameters:
  ///   - name: by which relationships find its objects.
  ///   - source: the entity's name in the source; nil where its policy makes objects of nothing.
  ///   - destination: the entity's name in the destination; nil where its objects go.
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

/// Where a property of the destination has its value from.
///
///     PropertyMapping(name: "name", sourceName: "title")
///     PropertyMapping(name: "walks", sourceName: "walks", mappedBy: "WalkToOuting")
///     PropertyMapping(name: "hours", value: .expression(
///       .function(.divide, [.property(of: .variable("source"), "seconds"), .constant(.double(3600))])))
///
/// Follows Core Data's `NSPropertyMapping`.
public struct PropertyMapping: Sendable, Hashable {
  /// What gives a property its value.
  public enum Value: Sendable, Hashable {
    /// What an expression makes of the source's object, which is `$source` in it.
    ///
    /// Key paths may lead anywhere from there, as `value(forKeyPath:)` goes them; anything else is
    /// what a fetch of dictionaries can say.
    case expression(FetchExpression)
    /// The destination's objects that became of those to which an expression leads.
    ///
    /// With a name, of the mapping of that name alone.
    case destinationInstances(of: FetchExpression, mappedBy: String?)
    /// What a method of the policy gives for some arguments, by the selector that the mapping model
    /// has.
    ///
    /// It is asked of ``EntityMigrationPolicy/value(forFunction:arguments:of:manager:)``. An
    /// argument is what an expression makes of `$source`, or one of the variables `$destination`,
    /// `$manager`, `$entityMapping` and `$propertyMapping` alone. Xcode writes
    /// `FUNCTION($entityPolicy, "sizeFromWeight:", $source.weight)`.
    case policyFunction(String, arguments: [FetchExpression])
  }

  /// The property's name in the destination.
  public var name: String
  /// What gives it its value; nil where it keeps its default value, or its policy sets it.
  public var value: Value?
  /// Whatever a policy wants to know.
  public var userInfo: [String: String] = [:]

  /// Makes a mapping with any value.
  public init(name: String, value: Value?) {
    self.name = name
    self.value = value
  }

  /// Makes a mapping of an attribute that has the value of the source's; nil where it is new.
  public init(name: String, sourceName: String?) {
    self.init(name: name, value: sourceName.map { .expression(Self.source($0)) })
  }

  /// Makes a mapping of a relationship that leads to what became of the objects of the source's.
  public init(name: String, sourceName: String?, mappedBy mapping: String?) {
    self.init(
      name: name,
      value: sourceName.map { .destinationInstances(of: Self.source($0), mappedBy: mapping) })
  }

  private static func source(_ name: String) -> FetchExpression {
    .property(of: .variable("source"), name)
  }

  /// The property's name in the source, where its value is that of one; else nil.
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

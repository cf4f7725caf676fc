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

  /// The mapping for parts of its models; nil if it does not map one to the other.
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

/// A data model: the entities of a store, as one immutable value.
///
///     let model = ManagedObjectModel(entities: [dog, walk])
///     model.entitiesByName["Dog"]
///
/// momc generates one for every version of an Xcode model, with precomputed hashes. Follows Core
/// Data's `NSManagedObjectModel`.
public struct ManagedObjectModel: Sendable {
  /// The entities, in the order in which they were passed.
  public let entities: [EntityDescription]
  /// The entities by their names.
  ///
  ///     model.entitiesByName["Dog"]?.attributes
  public let entitiesByName: [String: EntityDescription]
  /// The identifiers that a developer gave this version of the model.
  ///
  /// By default none in a model created in code, and one empty string in one from Xcode.
  public let versionIdentifiers: [String]
  /// The version hash of each entity, by its name.
  ///
  ///     oldModel.entityVersionHashesByName == newModel.entityVersionHashesByName   // no migration
  public let entityVersionHashesByName: [String: VersionHash]
  /// The fetch request templates of the model, by name.
  ///
  ///     model.fetchRequestTemplatesByName["LongWalks"]?.predicateFormat
  public let fetchRequestTemplatesByName: [String: FetchRequestDescription]
  /// The names of the entities of each configuration, by its name.
  let entityNamesByConfiguration: [String: [String]]
  /// The Swift classes of the entities' objects, by class name.
  ///
  /// Every one of them is a subclass of `ManagedObject`; an entity without a class here has plain
  /// managed objects.
  public let classes: [String: AnyClass]
  /// Whether momc generated the model, so that its classes' accessors have its slot numbers.
  package let isCompiled: Bool

  /// Creates a model.
  ///
  /// `configurations` are the names of the entities of each configuration, by its name.
  /// `versionHashes` are those that momc computed; nil in a model created in code, whose hashes are
  /// computed here, in some microseconds an entity. By default `versionIdentifiers` are empty; in
  /// code that momc generates they are one empty string.
  ///
  /// - Precondition: the names of the entities differ.
  public init(
    entities: [EntityDescription],
    versionIdentifiers: [String]? = nil,
    configurations: [String: [String]] = [:],
    fetchRequestTemplates: [String: FetchRequestDescription] = [:],
    versionHashes: [String: VersionHash]? = nil,
    classes: [String: AnyClass] = [:]
  ) {
    self.versionIdentifiers = versionIdentifiers ?? (versionHashes == nil ? [] : [""])
    self.classes = classes
    entityNamesByConfiguration = configurations
    fetchRequestTemplatesByName = fetchRequestTemplates
    isCompiled = versionHashes != nil
    var entitiesByName = [String: EntityDescription](minimumCapacity: entities.count)
    for entity in entities {
      require(entitiesByName[entity.name] == nil, "Two entities are called \(entity.name).")
      entitiesByName[entity.name] = entity
    }
    // An entity from another model has the properties that it inherited there.
    if entities.contains(where: { $0.superentityName != nil || !$0.inherited.properties.isEmpty }) {
      entitiesByName.inheritProperties()
    }
    let entities = entities.compactMap { [entitiesByName] in entitiesByName[$0.name] }
    self.entities = entities
    self.entitiesByName = entitiesByName
    entityVersionHashesByName =
      versionHashes ?? Self.versionHashes(of: entities, byName: entitiesByName)
  }

  /// The superentities of an entity, the root first, then the entity itself.
  ///
  ///     model.lineage(of: dog).map(\.name)   // ["Animal", "Dog"]
  ///
  /// Stops at an unknown or repeated name.
  public func lineage(of entity: EntityDescription) -> [EntityDescription] {
    var lineage = [entity]
    while let name = lineage[0].superentityName, let parent = entitiesByName[name],
      !lineage.contains(where: { $0.name == name })
    {
      lineage.insert(parent, at: 0)
    }
    return lineage
  }

  /// Every property of an entity, inherited ones first; one that is redeclared replaces the
  /// inherited one.
  public func properties(of entity: EntityDescription) -> [PropertyDescription] {
    var found: [PropertyDescription] = []
    for property in lineage(of: entity).flatMap(\.properties) {
      if let index = found.firstIndex(where: { $0.name == property.name }) {
        found[index] = property
      } else {
        found.append(property)
      }
    }
    return found
  }

  /// The inverse of a relationship, or nil if there is none.
  public func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    guard let name = relationship.inverseName,
      let destination = entitiesByName[relationship.destinationEntityName]
    else { return nil }
    // The last declaration of a name takes precedence.
    for entity in lineage(of: destination).reversed() {
      guard let property = entity.properties.first(where: { $0.name == name }) else { continue }
      if case .relationship(let inverse) = property { return inverse }
      return nil
    }
    return nil
  }
}

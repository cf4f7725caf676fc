/// A data model: the entities of a store, as one value that never changes.
///
///     let model = ManagedObjectModel(entities: [dog, walk])
///     model.entitiesByName["Dog"]
///
/// momc writes one for every version of an Xcode model, with the hashes already computed. Follows
/// Core Data's `NSManagedObjectModel`.
public struct ManagedObjectModel: Sendable {
  /// The entities, in the order they were given.
  public let entities: [EntityDescription]
  /// The entities by their names.
  ///
  ///     model.entitiesByName["Dog"]?.attributes
  public let entitiesByName: [String: EntityDescription]
  /// The identifiers that a developer gave this version of the model; none of a model made by hand
  /// unless told otherwise, and one empty text of one that Xcode made and nobody named.
  public let versionIdentifiers: [String]
  /// The version hash of each entity, by its name.
  ///
  ///     oldModel.entityVersionHashesByName == newModel.entityVersionHashesByName   // no migration
  public let entityVersionHashesByName: [String: VersionHash]
  /// The fetch requests that the model carries, by their names.
  ///
  ///     model.fetchRequestTemplatesByName["LongWalks"]?.predicateFormat
  public let fetchRequestTemplatesByName: [String: FetchRequestDescription]
  /// The names of the entities of each configuration, by its name.
  let entityNamesByConfiguration: [String: [String]]
  /// The Swift classes of the entities' objects, by class name.
  ///
  /// Every one of them is a subclass of `ManagedObject`; an entity whose class is not here has
  /// plain managed objects.
  public let classes: [String: AnyClass]
  /// Whether momc wrote the model, so that its classes' accessors know their slots.
  package let isCompiled: Bool

  /// Creates a model.
  ///
  /// `configurations` are the names of the entities of each configuration, by its name.
  /// `versionHashes` are those that momc computed; nil in a model made by hand, whose hashes are
  /// computed here, some microseconds an entity. `versionIdentifiers` are none unless given; in
  /// what momc writes they are one empty text then.
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
    // An entity of another model has what it inherited there.
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
  /// Stops where a name is unknown or comes twice.
  public func lineage(of entity: EntityDescription) -> [EntityDescription] {
    var lineage = [entity]
    while let name = lineage[0].superentityName, let parent = entitiesByName[name],
      !lineage.contains(where: { $0.name == name })
    {
      lineage.insert(parent, at: 0)
    }
    return lineage
  }

  /// Every property of an entity, inherited ones first; one declared anew replaces the inherited
  /// one.
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

  /// The relationship that leads back from the other end of one, or nil where there is none.
  public func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    guard let name = relationship.inverseName,
      let destination = entitiesByName[relationship.destinationEntityName]
    else { return nil }
    // The last declaration of a name is the one that counts.
    for entity in lineage(of: destination).reversed() {
      guard let property = entity.properties.first(where: { $0.name == name }) else { continue }
      if case .relationship(let inverse) = property { return inverse }
      return nil
    }
    return nil
  }
}

/// One version of a model as its file says it: every part with its line, nothing resolved or
/// checked.
struct SourceModel: Sendable {
  /// The version's name.
  var name: String
  /// Where the model's element stands.
  var location: SourceLocation
  /// The identifiers that the developer gave the version.
  var versionIdentifiers: [String]
  /// The entities, in the file's order.
  let entities: [SourceEntity]
  /// The composite types, in the file's order.
  let composites: [SourceComposite]
  /// The fetch requests of the model itself.
  var fetchRequests: [SourceFetchRequest]
  /// The configurations, in the file's order.
  var configurations: [SourceConfiguration]
  /// The entities by name, of several with one name the first.
  let entitiesByName: [String: SourceEntity]
  /// The composite types by name, of several with one name the first.
  let compositesByName: [String: SourceComposite]

  /// The classes that a developer has written.
  let handwritten: HandwrittenClasses

  /// Reads the outermost element of a `contents` file.
  init(
    _ element: SourceElement, name: String, handwritten: HandwrittenClasses,
    _ log: inout DiagnosticLog
  ) {
    self.name = name
    self.handwritten = handwritten
    location = element.location
    if element.name != "model" {
      log.error("this is not a data model: it starts with <\(element.name)>", at: location)
    }
    versionIdentifiers = [element["userDefinedModelVersionIdentifier"] ?? ""]
    entities = element.children(named: "entity").map {
      var entity = SourceEntity($0, &log)
      entity.isHandwritten = entity.className.map(handwritten.contains) ?? false
      // What is there is not written again, and has a use for accessors.
      if entity.isHandwritten { entity.codeGeneration = .category }
      return entity
    }
    composites = element.children.filter { ["composite", "compositeAttribute"].contains($0.name) }
      .map { SourceComposite($0, &log) }
    fetchRequests = element.children(named: "fetchRequest").map { SourceFetchRequest($0, &log) }
    configurations = element.children(named: "configuration")
      .map { SourceConfiguration($0, &log) }
    entitiesByName = Dictionary(
      entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    compositesByName = Dictionary(
      composites.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The names that a property with an accessor cannot have: those of the types in the Swift around
  /// it.
  var typeNames: Set<String> { ReservedNames.classes.union(entities.compactMap(\.className)) }

  /// The composite type that a composite attribute names; nil where it names none.
  func compositeType(of attribute: SourceAttribute) -> SourceComposite? {
    for name in attribute.typeNames {
      if let type = compositesByName[name] { return type }
    }
    return nil
  }

  /// The attributes that a composite attribute is made of; nil where it does not say.
  func elements(of attribute: SourceAttribute) -> [SourceAttribute]? {
    attribute.elements.isEmpty ? compositeType(of: attribute)?.elements : attribute.elements
  }

  /// The most entities that may inherit from one another.
  static let maximumLineage = 100

  /// An entity and those it inherits from, itself first; ends where a parent is unknown or comes
  /// twice, and when there are too many.
  func lineage(of entity: SourceEntity) -> [SourceEntity] {
    var lineage = [entity]
    while let name = lineage[lineage.count - 1].parentName, let parent = entitiesByName[name],
      lineage.count <= Self.maximumLineage, !lineage.contains(where: { $0.name == name })
    {
      lineage.append(parent)
    }
    return lineage
  }
}

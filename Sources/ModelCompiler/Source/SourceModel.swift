/// A version of a model as parsed, with locations, neither resolved nor checked.
struct SourceModel: Sendable {
  /// The version's name.
  var name: String
  /// The location of the model's element.
  var location: SourceLocation
  /// The version identifiers set by the developer.
  var versionIdentifiers: [String]
  /// The entities, in the order of the file.
  let entities: [SourceEntity]
  /// The composite types, in the order of the file.
  let composites: [SourceComposite]
  /// The fetch request templates.
  var fetchRequests: [SourceFetchRequest]
  /// The configurations, in the order of the file.
  var configurations: [SourceConfiguration]
  /// The entities by name; the first of several with the same name.
  let entitiesByName: [String: SourceEntity]
  /// The composite types by name; the first of several with the same name.
  let compositesByName: [String: SourceComposite]

  /// The handwritten classes.
  let handwritten: HandwrittenClasses

  /// Interprets the root element of a `contents` file.
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
      // An existing class is not generated again, but gets accessors.
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

  /// The names of types in the generated Swift, which properties with accessors cannot have.
  var typeNames: Set<String> { ReservedNames.classes.union(entities.compactMap(\.className)) }

  /// Returns the composite type that a composite attribute names; nil if it names none.
  func compositeType(of attribute: SourceAttribute) -> SourceComposite? {
    for name in attribute.typeNames {
      if let type = compositesByName[name] { return type }
    }
    return nil
  }

  /// Returns the elements of a composite attribute; nil if they are not known.
  func elements(of attribute: SourceAttribute) -> [SourceAttribute]? {
    attribute.elements.isEmpty ? compositeType(of: attribute)?.elements : attribute.elements
  }

  /// The maximum number of entities in a chain of inheritance.
  static let maximumLineage = 100

  /// Returns an entity and those it inherits from, itself first.
  ///
  /// Ends at a parent that is unknown or repeated, and at the maximum number.
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

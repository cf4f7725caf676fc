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
  var entities: [SourceEntity]

  /// Reads the outermost element of a `contents` file.
  init(_ element: SourceElement, name: String, _ log: inout DiagnosticLog) {
    self.name = name
    location = element.location
    if element.name != "model" {
      log.error("this is not a data model: it starts with <\(element.name)>", at: location)
    }
    versionIdentifiers = [element["userDefinedModelVersionIdentifier"] ?? ""]
    entities = element.children(named: "entity").map { SourceEntity($0, &log) }
  }

  /// The entities by name, of several with one name the first.
  var entitiesByName: [String: SourceEntity] {
    Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// An entity and those it inherits from, itself first; ends where a parent is unknown or comes
  /// twice.
  func lineage(of entity: SourceEntity) -> [SourceEntity] {
    let byName = entitiesByName
    var lineage = [entity]
    while let name = lineage[lineage.count - 1].parentName, let parent = byName[name],
      !lineage.contains(where: { $0.name == name })
    {
      lineage.append(parent)
    }
    return lineage
  }
}

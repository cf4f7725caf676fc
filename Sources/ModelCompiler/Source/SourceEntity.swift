/// An entity as its file says it.
struct SourceEntity: Sendable {
  /// What Xcode's "Codegen" says shall be written for an entity.
  enum CodeGeneration: String, Sendable {
    /// The class and its accessors.
    case classDefinition = "class"
    /// The accessors, as an extension of a class written by hand.
    case category
    /// Nothing.
    case manual
  }

  /// A set of attributes whose values together occur once.
  struct UniquenessConstraint: Sendable {
    var propertyNames: [String]
    var location: SourceLocation
  }

  /// An attribute or a relationship, for what concerns both.
  struct Property: Sendable {
    var name: String
    var location: SourceLocation
  }

  var name: String
  var location: SourceLocation
  /// The class of its objects, without the module; nil for plain managed objects.
  var className: String?
  var parentName: String?
  var isAbstract: Bool
  var codeGeneration: CodeGeneration
  var versionHashModifier: String?
  var renamingIdentifier: String?
  var attributes: [SourceAttribute]
  var relationships: [SourceRelationship]
  var fetchIndexes: [SourceFetchIndex]
  var uniquenessConstraints: [UniquenessConstraint]

  /// All properties, attributes first.
  var properties: [Property] {
    attributes.map { Property(name: $0.name, location: $0.location) }
      + relationships.map { Property(name: $0.name, location: $0.location) }
  }

  /// Reads an `entity` element.
  init(_ element: SourceElement, _ log: inout DiagnosticLog) {
    name = element.required("name", &log)
    location = element.location
    className = Self.className(element["representedClassName"])
    parentName = element.text("parentEntity")
    isAbstract = element.flag("isAbstract", &log)
    codeGeneration = Self.codeGeneration(element, &log)
    versionHashModifier = element.text("versionHashModifier")
    renamingIdentifier = element.text("elementID")
    attributes = element.children(named: "attribute").map { SourceAttribute($0, &log) }
    relationships = element.children(named: "relationship").map { SourceRelationship($0, &log) }
    fetchIndexes = element.children(named: "fetchIndex").map { SourceFetchIndex($0, &log) }
    uniquenessConstraints = element.children(named: "uniquenessConstraints")
      .flatMap { $0.children(named: "uniquenessConstraint") }
      .map { constraint in
        UniquenessConstraint(
          propertyNames: constraint.children(named: "constraint")
            .map { $0.required("value", &log) },
          location: constraint.location)
      }
  }

  /// The class in `Dog`, `.Dog` (this module) or `DogWalkModel.Dog`.
  private static func className(_ text: String?) -> String? {
    guard let last = text?.split(separator: ".").last, last != "NSManagedObject" else { return nil }
    return String(last)
  }

  private static func codeGeneration(
    _ element: SourceElement, _ log: inout DiagnosticLog
  ) -> CodeGeneration {
    guard let text = element["codeGenerationType"] else { return .manual }
    if let known = CodeGeneration(rawValue: text) { return known }
    log.error(
      "codeGenerationType is '\(text)', but must be class, category or manual",
      at: element.location)
    return .manual
  }
}

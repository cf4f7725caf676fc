/// An entity as parsed.
struct SourceEntity: Sendable {
  /// Xcode's "Codegen" setting of an entity.
  enum CodeGeneration: String, Sendable {
    /// Generates the class and its accessors.
    case classDefinition = "class"
    /// Generates the accessors, as an extension of a handwritten class.
    case category
    /// Generates nothing.
    case manual
  }

  /// A set of attributes that must be unique together, or share an index.
  struct PropertySet: Sendable {
    var propertyNames: [String]
    var location: SourceLocation
  }

  /// The kind of a property, as diagnostics name it.
  enum PropertyKind: String, Sendable {
    case attribute = "an attribute"
    case toOne = "a to-one relationship"
    case toMany = "a to-many relationship"
    case fetchedProperty = "a fetched property"
  }

  /// A property of any kind.
  struct Property: Sendable {
    var name: String
    var kind: PropertyKind
    var location: SourceLocation
  }

  var name: String
  var location: SourceLocation
  /// The class of its objects, without the module; nil for plain managed objects.
  var className: String?
  /// The module of the class; nil for the one that contains the model.
  var classModule: String?
  var parentName: String?
  var isAbstract: Bool
  var codeGeneration: CodeGeneration
  /// Whether the class is handwritten.
  var isHandwritten = false
  var versionHashModifier: String?
  var renamingIdentifier: String?
  var attributes: [SourceAttribute]
  var relationships: [SourceRelationship]
  var fetchedProperties: [SourceFetchedProperty]
  var fetchIndexes: [SourceFetchIndex]
  var uniquenessConstraints: [PropertySet]
  /// Sets of attributes that are indexed together, in models from before Xcode 9.
  var compoundIndexes: [PropertySet]
  var userInfo: [String: String]

  /// All properties: attributes, relationships, fetched properties.
  var properties: [Property] {
    attributes.map { Property(name: $0.name, kind: .attribute, location: $0.location) }
      + relationships.map {
        Property(name: $0.name, kind: $0.isToMany ? .toMany : .toOne, location: $0.location)
      }
      + fetchedProperties.map {
        Property(name: $0.name, kind: .fetchedProperty, location: $0.location)
      }
  }

  /// Interprets an `entity` element.
  init(_ element: SourceElement, _ log: inout DiagnosticLog) {
    name = element.required("name", &log)
    location = element.location
    (classModule, className) = Self.classNames(element["representedClassName"])
    parentName = element.text("parentEntity")
    isAbstract = element.flag("isAbstract", &log)
    codeGeneration = Self.codeGeneration(element, &log)
    versionHashModifier = element.text("versionHashModifier")
    renamingIdentifier = element.text("elementID")
    attributes = element.children(named: "attribute").map { SourceAttribute($0, &log) }
    relationships = element.children(named: "relationship").map { SourceRelationship($0, &log) }
    fetchedProperties = element.children(named: "fetchedProperty")
      .map { SourceFetchedProperty($0, &log) }
    fetchIndexes = element.children(named: "fetchIndex").map { SourceFetchIndex($0, &log) }
    uniquenessConstraints = Self.propertySets(
      element, "uniquenessConstraints", "uniquenessConstraint", "constraint", &log)
    compoundIndexes = Self.propertySets(
      element, "compoundIndexes", "compoundIndex", "index", &log)
    userInfo = element.userInfo(&log)
  }

  /// Reads sets from elements of three levels: `<sets><set><member value="name"/>…`.
  private static func propertySets(
    _ element: SourceElement, _ sets: String, _ set: String, _ member: String,
    _ log: inout DiagnosticLog
  ) -> [PropertySet] {
    element.children(named: sets)
      .flatMap { $0.children(named: set) }
      .map { set in
        PropertySet(
          propertyNames: set.children(named: member).map { $0.required("value", &log) },
          location: set.location)
      }
  }

  /// Returns the module and class in `Dog`, `.Dog` (this module) or `DogWalkModel.Dog`.
  private static func classNames(_ text: String?) -> (module: String?, name: String?) {
    let parts = (text ?? "").split(separator: ".").map(String.init)
    guard let name = parts.last, name != "NSManagedObject" else { return (nil, nil) }
    let module = parts.dropLast().joined(separator: ".")
    return (module.isEmpty ? nil : module, name)
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

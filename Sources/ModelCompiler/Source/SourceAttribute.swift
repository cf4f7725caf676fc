import DataModel

/// An attribute as its file says it.
struct SourceAttribute: Sendable {
  var name: String
  var location: SourceLocation
  /// The type, `undefined` where none is chosen; nil where the file names one that does not exist.
  var type: AttributeDescription.AttributeType?
  var isOptional: Bool
  var isTransient: Bool
  /// What `defaultValueString` says; "" is a default too.
  var defaultText: String?
  /// What `defaultDateTimeInterval` says.
  var defaultInterval: String?
  var usesScalarValueType: Bool
  var allowsExternalBinaryDataStorage: Bool
  var preservesValueInHistoryOnDeletion: Bool
  var versionHashModifier: String?
  var renamingIdentifier: String?

  /// Reads an `attribute` element.
  init(_ element: SourceElement, _ log: inout DiagnosticLog) {
    name = element.required("name", &log)
    location = element.location
    type = Self.type(element, &log)
    isOptional = element.flag("optional", &log)
    isTransient = element.flag("transient", &log)
    defaultText = element["defaultValueString"]
    defaultInterval = element["defaultDateTimeInterval"]
    usesScalarValueType = element.flag("usesScalarValueType", &log)
    allowsExternalBinaryDataStorage = element.flag("allowsExternalBinaryDataStorage", &log)
    preservesValueInHistoryOnDeletion = element.flag("preserveAfterDeletion", &log)
    versionHashModifier = element.text("versionHashModifier")
    renamingIdentifier = element.text("elementID")
  }

  /// The types by the names that Xcode writes.
  static let typesByName: [String: AttributeDescription.AttributeType] = [
    "Integer 16": .integer16, "Integer 32": .integer32, "Integer 64": .integer64,
    "Decimal": .decimal, "Double": .double, "Float": .float, "String": .string,
    "Boolean": .boolean, "Date": .date, "Binary": .binaryData, "UUID": .uuid, "URI": .uri,
    "Transformable": .transformable, "Composite": .composite, "Undefined": .undefined,
  ]

  private static func type(
    _ element: SourceElement, _ log: inout DiagnosticLog
  ) -> AttributeDescription.AttributeType? {
    guard let text = element.text("attributeType") else { return .undefined }
    if let known = typesByName[text] { return known }
    log.error("'\(text)' is not a type of attributes", at: element.location)
    return nil
  }
}

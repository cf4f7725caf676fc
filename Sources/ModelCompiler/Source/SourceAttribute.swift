import DataModel

/// An attribute as parsed.
struct SourceAttribute: Sendable {
  var name: String
  var location: SourceLocation
  /// The type, `undefined` if none is chosen; nil if the file names an unknown one.
  var type: AttributeDescription.AttributeType?
  var isOptional: Bool
  var isTransient: Bool
  /// The default; for a String this may be "".
  var defaultValue: AttributeText?
  /// The bounds: of the values for numbers and dates, of the length for strings.
  var minimum: AttributeText?
  var maximum: AttributeText?
  var regularExpression: String?
  var isDerived: Bool
  var derivationExpression: String?
  var valueTransformerName: String?
  /// The class of a transformable's values.
  var customClassName: String?
  /// The attributes nested in a composite.
  var elements: [SourceAttribute]
  /// The possible names of a composite attribute's type.
  ///
  /// It is not known in which XML attribute Xcode stores it, so these are the values of all that
  /// may contain it.
  var typeNames: [String]
  var usesScalarValueType: Bool
  var allowsExternalBinaryDataStorage: Bool
  var preservesValueInHistoryOnDeletion: Bool
  var isIndexed: Bool
  var isIndexedBySpotlight: Bool
  var isStoredInExternalRecord: Bool
  var allowsCloudEncryption: Bool
  var versionHashModifier: String?
  var renamingIdentifier: String?
  var userInfo: [String: String]

  /// Interprets an `attribute` element.
  init(_ element: SourceElement, _ log: inout DiagnosticLog) {
    name = element.required("name", &log)
    location = element.location
    let type = Self.type(element, &log)
    self.type = type
    isOptional = element.flag("optional", &log)
    isTransient = element.flag("transient", &log)
    defaultValue = AttributeText(
      element, "defaultValueString", orInterval: "defaultDateTimeInterval", of: type)
    let boundsType = type == .string ? .integer64 : type
    minimum = AttributeText(
      element, "minValueString", orInterval: "minDateTimeInterval", of: boundsType)
    maximum = AttributeText(
      element, "maxValueString", orInterval: "maxDateTimeInterval", of: boundsType)
    regularExpression = element.text("regularExpressionString")
    isDerived = element.flag("derived", &log)
    derivationExpression = element.text("derivationExpression")
    valueTransformerName = element.text("valueTransformerName")
    // Xcode writes ".Name" for a class of the model's module, and for one of Apple's if no module
    // was chosen; after a name was deleted, the dot remains.
    customClassName = element.text("customClassName")
      .map { $0.first == "." ? String($0.dropFirst()) : $0 }
      .flatMap { $0.isEmpty ? nil : $0 }
    elements = element.children(named: "attribute").map { SourceAttribute($0, &log) }
    typeNames = element.attributes.sorted { $0.key < $1.key }
      .filter { !["name", "attributeType", "elementID", "versionHashModifier"].contains($0.key) }
      .map(\.value)
    usesScalarValueType = element.flag("usesScalarValueType", &log)
    allowsExternalBinaryDataStorage = element.flag("allowsExternalBinaryDataStorage", &log)
    preservesValueInHistoryOnDeletion = element.flag("preserveAfterDeletion", &log)
    isIndexed = element.flag("indexed", &log)
    isIndexedBySpotlight = element.flag("spotlightIndexingEnabled", &log)
    isStoredInExternalRecord = element.flag("storedInTruthFile", &log)
    allowsCloudEncryption = element.flag("allowsCloudEncryption", &log)
    versionHashModifier = element.text("versionHashModifier")
    renamingIdentifier = element.text("elementID")
    userInfo = element.userInfo(&log)
  }

  /// The types by their names in Xcode's files.
  static let typesByName: [String: AttributeDescription.AttributeType] = {
    let types = AttributeDescription.AttributeType.allCases
    var typesByName = Dictionary(uniqueKeysWithValues: types.map { ($0.name, $0) })
    // An object ID, which only a transient attribute can contain, like any other value.
    typesByName["ObjectID"] = .undefined
    typesByName["Object ID"] = .undefined
    return typesByName
  }()

  private static func type(
    _ element: SourceElement, _ log: inout DiagnosticLog
  ) -> AttributeDescription.AttributeType? {
    guard let text = element.text("attributeType") else { return .undefined }
    if let known = typesByName[text] { return known }
    log.error("'\(text)' is not a type of attributes", at: element.location)
    return nil
  }
}

import DataModel

/// An attribute as its file says it.
struct SourceAttribute: Sendable {
  var name: String
  var location: SourceLocation
  /// The type, `undefined` where none is chosen; nil where the file names one that does not exist.
  var type: AttributeDescription.AttributeType?
  var isOptional: Bool
  var isTransient: Bool
  /// The default; of a String "" is one too.
  var defaultValue: AttributeText?
  /// The bounds as texts: of numbers and dates their own, of a String its length's.
  var minimum: AttributeText?
  var maximum: AttributeText?
  var regularExpression: String?
  var isDerived: Bool
  var derivationExpression: String?
  var valueTransformerName: String?
  /// The class of a transformable's values.
  var customClassName: String?
  /// The attributes of a composite that stand inside it.
  var elements: [SourceAttribute]
  /// What may be the name of a composite attribute's type.
  ///
  /// Under which name Xcode notes it is not known; so every text is looked at that no other
  /// attribute has a use for.
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

  /// Reads an `attribute` element.
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
    // Xcode writes ".Name" for a class of the module that the model belongs to, and for Apple's
    // where nobody chose theirs; a name that was taken away leaves the dot.
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

  /// The types by the names that Xcode writes.
  static let typesByName: [String: AttributeDescription.AttributeType] = {
    let types = AttributeDescription.AttributeType.allCases
    var typesByName = Dictionary(uniqueKeysWithValues: types.map { ($0.name, $0) })
    // An object's ID, which only a transient attribute can hold, as any value.
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

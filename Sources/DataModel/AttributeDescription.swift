/// An attribute of an entity: a value of each of its objects.
///
///     AttributeDescription(name: "duration", type: .double, isOptional: true)
///
/// Follows Core Data's `NSAttributeDescription`.
public struct AttributeDescription: Sendable, Hashable {
  /// The attribute's name, unique in its entity.
  public var name: String
  /// The type of its values.
  public var type: AttributeType
  /// Whether an object may be saved without a value.
  public var isOptional: Bool
  /// Whether the value exists in memory only and is never stored.
  public var isTransient: Bool
  /// The value of a new object, or nil for none.
  public var defaultValue: AttributeValue?
  /// The minimum value for a save, or nil; for a String, the minimum length in UTF-16 code
  /// units, as in Core Data.
  public var minimumValue: AttributeValue?
  /// The maximum value for a save, or nil; for a String, the maximum length in UTF-16 code
  /// units, as in Core Data.
  public var maximumValue: AttributeValue?
  /// The regular expression in ICU's syntax that a String must match as a whole to be saved, or
  /// nil.
  ///
  ///     attribute.regularExpression = "[A-Z]{2}-[0-9]+"
  public var regularExpression: String?
  /// Further conditions that a value must meet to be saved, each with a warning.
  ///
  /// Xcode's models have none.
  ///
  ///     attribute.validationPredicates = [
  ///       ValidationPredicate("SELF <= 86400", warning: "longer than a day")
  ///     ]
  public var validationPredicates: [ValidationPredicate]
  /// The expression from which the store computes the value, or nil.
  ///
  /// Examples are `walks.@count`, `canonical:(name)`, `now()`. A derived attribute is read-only,
  /// and has a column of its own.
  public var derivationExpression: String?
  /// The name of the transformer of a transformable's values, or nil.
  public var valueTransformerName: String?
  /// The class of a transformable's values, or nil.
  public var attributeValueClassName: String?
  /// The attributes that a composite consists of; empty for every other type.
  ///
  ///     AttributeDescription(
  ///       name: "position", type: .composite,
  ///       elements: [
  ///         AttributeDescription(name: "latitude", type: .double),
  ///         AttributeDescription(name: "longitude", type: .double),
  ///       ])
  public var elements: [AttributeDescription]
  /// Whether large values may be stored in a file next to the store.
  public var allowsExternalBinaryDataStorage: Bool
  /// Whether the value is kept in persistent history after its object is deleted.
  public var preservesValueInHistoryOnDeletion: Bool
  /// Whether its Swift property is a scalar even if the value may be missing (then zero).
  public var usesScalarValueType: Bool
  /// Whether the store has an index of it, as specified in models before Xcode 9.
  public var isIndexed: Bool
  /// Whether Spotlight indexes the value on Apple's systems; without effect here.
  public var isIndexedBySpotlight: Bool
  /// Whether the value is written into an external record on Apple's systems; without effect here.
  public var isStoredInExternalRecord: Bool
  /// Whether the value is encrypted in CloudKit on Apple's systems; without effect here.
  public var allowsCloudEncryption: Bool
  /// A string that changes the version hash although nothing else did, or nil.
  public var versionHashModifier: String?
  /// The attribute's name in the previous model version, or nil for the same.
  ///
  ///     AttributeDescription(name: "duration", type: .double, renamingIdentifier: "seconds")
  public var renamingIdentifier: String?
  /// The user info of the attribute.
  public var userInfo: [String: String]

  /// Whether the store computes the value, so that it cannot be set.
  ///
  ///     AttributeDescription(
  ///       name: "walkCount", type: .integer64, derivationExpression: "walks.@count"
  ///     ).isDerived   // true
  public var isDerived: Bool { derivationExpression != nil }

  /// Creates an attribute; omitted parameters have the defaults of Xcode's model format.
  public init(
    name: String,
    type: AttributeType,
    isOptional: Bool = false,
    isTransient: Bool = false,
    defaultValue: AttributeValue? = nil,
    allowsExternalBinaryDataStorage: Bool = false,
    preservesValueInHistoryOnDeletion: Bool = false,
    usesScalarValueType: Bool = false,
    versionHashModifier: String? = nil,
    renamingIdentifier: String? = nil,
    minimumValue: AttributeValue? = nil,
    maximumValue: AttributeValue? = nil,
    regularExpression: String? = nil,
    validationPredicates: [ValidationPredicate] = [],
    derivationExpression: String? = nil,
    valueTransformerName: String? = nil,
    attributeValueClassName: String? = nil,
    elements: [AttributeDescription] = [],
    isIndexed: Bool = false,
    isIndexedBySpotlight: Bool = false,
    isStoredInExternalRecord: Bool = false,
    allowsCloudEncryption: Bool = false,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    self.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    self.usesScalarValueType = usesScalarValueType
    self.versionHashModifier = versionHashModifier
    self.renamingIdentifier = renamingIdentifier
    self.minimumValue = minimumValue
    self.maximumValue = maximumValue
    self.regularExpression = regularExpression
    self.validationPredicates = validationPredicates
    self.derivationExpression = derivationExpression
    self.valueTransformerName = valueTransformerName
    self.attributeValueClassName = attributeValueClassName
    self.elements = elements
    self.isIndexed = isIndexed
    self.isIndexedBySpotlight = isIndexedBySpotlight
    self.isStoredInExternalRecord = isStoredInExternalRecord
    self.allowsCloudEncryption = allowsCloudEncryption
    self.userInfo = userInfo
  }
}

/// An attribute of an entity: a value that each of its objects holds.
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
  /// Whether the value lives in memory only and is never stored.
  public var isTransient: Bool
  /// The value of a new object, or nil for none.
  public var defaultValue: AttributeValue?
  /// The smallest value that a save lets through, or nil; of a String, the fewest characters.
  public var minimumValue: AttributeValue?
  /// The greatest value that a save lets through, or nil; of a String, the most characters.
  public var maximumValue: AttributeValue?
  /// What a String must match as a whole to be saved, as ICU spells regular expressions, or nil.
  ///
  ///     attribute.regularExpression = "[A-Z]{2}-[0-9]+"
  public var regularExpression: String?
  /// Further conditions that a value must meet to be saved, each with what is said of one that does
  /// not; Xcode's models have none.
  ///
  ///     attribute.validationPredicates = [
  ///       ValidationPredicate("SELF <= 86400", warning: "longer than a day")
  ///     ]
  public var validationPredicates: [ValidationPredicate]
  /// What the store works the value out from, or nil: `walks.@count`, `canonical:(name)`, `now()`.
  ///
  /// A derived attribute can be read only, and has a column of its own.
  public var derivationExpression: String?
  /// The name of the transformer that makes bytes of a transformable's values, or nil.
  public var valueTransformerName: String?
  /// The class of a transformable's values, or nil.
  public var attributeValueClassName: String?
  /// The attributes that a composite is made of; none for every other type.
  ///
  ///     AttributeDescription(
  ///       name: "position", type: .composite,
  ///       elements: [
  ///         AttributeDescription(name: "latitude", type: .double),
  ///         AttributeDescription(name: "longitude", type: .double),
  ///       ])
  public var elements: [AttributeDescription]
  /// Whether large bytes may be kept in a file beside the store.
  public var allowsExternalBinaryDataStorage: Bool
  /// Whether the value is kept in persistent history after its object is deleted.
  public var preservesValueInHistoryOnDeletion: Bool
  /// Whether Swift sees a plain number also where the value may be missing (then zero).
  public var usesScalarValueType: Bool
  /// Whether the store keeps an index of it, as models before Xcode 9 say it.
  public var isIndexed: Bool
  /// Whether the value is found by Spotlight on Apple's systems; only kept here.
  public var isIndexedBySpotlight: Bool
  /// Whether the value is written into an external record on Apple's systems; only kept here.
  public var isStoredInExternalRecord: Bool
  /// Whether the value is encrypted in CloudKit on Apple's systems; only kept here.
  public var allowsCloudEncryption: Bool
  /// A text that changes the version hash although nothing else did, or nil.
  public var versionHashModifier: String?
  /// The name under which the previous model version knew the attribute, or nil for the same.
  ///
  ///     AttributeDescription(name: "duration", type: .double, renamingIdentifier: "seconds")
  public var renamingIdentifier: String?
  /// Whatever the developer noted about the attribute.
  public var userInfo: [String: String]

  /// Whether the store works the value out, so that nobody sets it.
  ///
  ///     AttributeDescription(
  ///       name: "walkCount", type: .integer64, derivationExpression: "walks.@count"
  ///     ).isDerived   // true
  public var isDerived: Bool { derivationExpression != nil }

  /// Creates an attribute; all but its name and type have Xcode's defaults for a line without them.
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

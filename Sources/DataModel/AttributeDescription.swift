/// An attribute of an entity: a value that each of its objects holds.
///
///     AttributeDescription(name: "duration", type: .double, isOptional: true)
///
/// Follows Core Data's `NSAttributeDescription`.
public struct AttributeDescription: Sendable, Hashable {
  /// The type of an attribute's values, numbered as Core Data numbers it in files and hashes.
  public enum AttributeType: Int32, Sendable, Hashable, CaseIterable {
    /// No type chosen: only a transient attribute may have none.
    case undefined = 0
    /// A signed whole number of 16 bits.
    case integer16 = 100
    /// A signed whole number of 32 bits.
    case integer32 = 200
    /// A signed whole number of 64 bits.
    case integer64 = 300
    /// A base-ten number; its precision is lost in a SQLite store, as on Apple's systems.
    case decimal = 400
    /// A floating-point number of 64 bits.
    case double = 500
    /// A floating-point number of 32 bits.
    case float = 600
    /// Text.
    case string = 700
    /// True or false.
    case boolean = 800
    /// An instant, kept as seconds since 2001-01-01 00:00 UTC.
    case date = 900
    /// Bytes.
    case binaryData = 1000
    /// A UUID, kept as 16 bytes.
    case uuid = 1100
    /// A URL, kept as text.
    case uri = 1200
    /// A value that a registered transformer turns into bytes.
    case transformable = 1800
    /// Several attributes under one name.
    case composite = 2100
  }

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
  /// Whether large bytes may be kept in a file beside the store.
  public var allowsExternalBinaryDataStorage: Bool
  /// Whether the value is kept in persistent history after its object is deleted.
  public var preservesValueInHistoryOnDeletion: Bool
  /// Whether Swift sees a plain number also where the value may be missing (then zero).
  public var usesScalarValueType: Bool
  /// A text that changes the version hash although nothing else did, or nil.
  public var versionHashModifier: String?
  /// The name under which the previous model version knew the attribute, or nil for the same.
  public var renamingIdentifier: String?

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
    renamingIdentifier: String? = nil
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
  }
}

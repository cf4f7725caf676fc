import ManagedObjects

/// The types of attributes, by Core Data's older names.
public enum NSAttributeType: UInt, Sendable {
  /// No type.
  case undefinedAttributeType = 0
  /// `Int16`.
  case integer16AttributeType = 100
  /// `Int32`.
  case integer32AttributeType = 200
  /// `Int64`.
  case integer64AttributeType = 300
  /// `Decimal`.
  case decimalAttributeType = 400
  /// `Double`.
  case doubleAttributeType = 500
  /// `Float`.
  case floatAttributeType = 600
  /// `String`.
  case stringAttributeType = 700
  /// `Bool`.
  case booleanAttributeType = 800
  /// `Date`.
  case dateAttributeType = 900
  /// `Data`.
  case binaryDataAttributeType = 1000
  /// `UUID`.
  case UUIDAttributeType = 1100
  /// `URL`.
  case URIAttributeType = 1200
  /// Any type that a transformer supports.
  case transformableAttributeType = 1800
  /// An object's ID; in a dictionary, its URI.
  case objectIDAttributeType = 2000

  init(_ type: AttributeDescription.AttributeType) {
    self = NSAttributeType(rawValue: UInt(type.rawValue)) ?? .undefinedAttributeType
  }

  /// nil for types that the library does not have.
  var type: AttributeDescription.AttributeType? {
    switch self {
    case .undefinedAttributeType, .objectIDAttributeType: nil
    default: AttributeDescription.AttributeType(rawValue: Int32(rawValue))
    }
  }
}

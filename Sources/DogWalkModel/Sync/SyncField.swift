/// A value of an object that stores exchange: a property, or one of a walk's tags.
package struct SyncField: Hashable, Comparable, Sendable {
  /// The number of the property.
  package let property: UInt8
  /// Identifies the element of a to-many property; 0 for a single value.
  package let element: UInt64

  /// Creates the field of a property.
  package init(_ property: SyncProperty, element: UInt64 = 0) {
    self.init(number: property.rawValue, element: element)
  }

  /// Creates a field from the number of a property, which a later version may have added.
  init(number: UInt8, element: UInt64) {
    property = number
    self.element = element
  }

  /// The field for whether the object exists, which is no property's value.
  static let presence = SyncField(number: 0, element: 0)

  /// The fields of all properties with a single value.
  static let single = SyncProperty.allCases.filter { $0 != .tags }.map { SyncField($0) }

  /// The property; nil for one that a later version has added.
  package var name: SyncProperty? { SyncProperty(rawValue: property) }

  package static func < (one: SyncField, other: SyncField) -> Bool {
    (one.property, one.element) < (other.property, other.element)
  }
}

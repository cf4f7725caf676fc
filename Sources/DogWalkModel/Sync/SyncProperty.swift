/// A property that stores exchange; the raw values are stored, so none may be reused.
package enum SyncProperty: UInt8, Sendable, CaseIterable, Comparable {
  /// The name of a dog, walker or tag.
  case name = 1
  /// A dog's target, in minutes a day.
  case target
  /// The number of seconds after which a dog is overdue.
  case gap
  /// The dog of a walk.
  case dog
  /// The start of a walk.
  case date
  /// The offset of the walker's clock from UTC, in seconds.
  case utcOffset
  /// The duration of a walk.
  case duration
  /// The distance of a walk.
  case distance
  /// Whether the walk is still ongoing.
  case isOngoing
  /// A note about the walk.
  case note
  /// The person who held the lead.
  case walker
  /// How often the dog peed.
  case peeCount
  /// How often the dog pooed.
  case pooCount
  /// The recorded track.
  case track
  /// The tags of a walk; each tag counts by itself.
  case tags

  /// The property whose conflict covers this property's, if both stores changed that one too.
  var whole: SyncProperty? {
    switch self {
    case .utcOffset: .date
    case .isOngoing: .duration
    default: nil
    }
  }

  package static func < (one: SyncProperty, other: SyncProperty) -> Bool {
    one.rawValue < other.rawValue
  }
}

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

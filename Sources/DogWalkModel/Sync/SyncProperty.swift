/// A property that stores exchange; the numbers stand in stores, so none is ever given anew.
package enum SyncProperty: UInt8, Sendable, CaseIterable, Comparable {
  /// A dog's, walker's or tag's name.
  case name = 1
  /// A dog's minutes a day.
  case target
  /// After how many seconds a dog is overdue.
  case gap
  /// Whose walk it is.
  case dog
  /// When a walk began.
  case date
  /// How many seconds the clocks were ahead of UTC.
  case utcOffset
  /// How long a walk was.
  case duration
  /// How far it was.
  case distance
  /// Whether it is still going on.
  case isOngoing
  /// What there is to remember.
  case note
  /// Who held the lead.
  case walker
  /// How often the dog peed.
  case peeCount
  /// How often the dog pooed.
  case pooCount
  /// The recorded way.
  case track
  /// A word that it has in common with others: each tag counts by itself.
  case tags

  /// The property whose conflict covers this one's, where both stores changed that, too.
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

/// A value of a thing that stores exchange: of a property, or one of the words of a walk.
package struct SyncField: Hashable, Comparable, Sendable {
  /// The property.
  package let property: UInt8
  /// Which of its elements, where it has many; 0 where it has one value.
  package let element: UInt64

  /// The value of a property.
  package init(_ property: SyncProperty, element: UInt64 = 0) {
    self.init(number: property.rawValue, element: element)
  }

  /// The value of a property by its number, which a later version may have given.
  init(number: UInt8, element: UInt64) {
    property = number
    self.element = element
  }

  /// Whether the thing is there, which is the value of no property.
  static let presence = SyncField(number: 0, element: 0)

  /// The fields of all properties that have one value.
  static let single = SyncProperty.allCases.filter { $0 != .tags }.map { SyncField($0) }

  /// The property; nil for one that a later version has.
  package var name: SyncProperty? { SyncProperty(rawValue: property) }

  package static func < (one: SyncField, other: SyncField) -> Bool {
    (one.property, one.element) < (other.property, other.element)
  }
}

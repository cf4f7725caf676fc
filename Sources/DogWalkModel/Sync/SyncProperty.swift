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

import ManagedObjects
package import SystemLibraries

/// Valid values of a walk, whatever its row contains.
///
/// Any program may have written the store, and SQLite stores any value in any column: no date, the
/// year 50,000, an infinite duration. Code that displays, compares or sums values uses these
/// properties, in which a value outside the range of calendars, clocks and maps is nil, like a
/// value that was never set; the row keeps it until it is changed.
extension Walk {
  /// The start; nil if it is not within the years 1 to 9999 in every time zone.
  package var start: Date? {
    // A NULL date reads as the reference date.
    if date.timeIntervalSinceReferenceDate == 0, value(forKey: "date") == nil { return nil }
    return date.inCalendar
  }

  /// The duration in seconds; nil if there is none, or if the walk is still ongoing.
  package var seconds: Double? { isOngoing ? nil : duration.flatMap(Self.length) }

  /// The distance in metres.
  package var metres: Double? { distance.flatMap(Self.length) }

  /// The name of the person who held the lead.
  package var walkerName: String? { walker?.name }

  /// The names of its tags, sorted.
  package var tagNames: [String] { tags.map(\.name).sorted(byName: \.self) }

  /// Returns the names of some walks' tags that no walk had before; valid only before a save.
  package static func newTags(of walks: [Walk]) -> [String] {
    Set(walks.flatMap(\.tags)).filter(\.isInserted).map(\.name).sorted(byName: \.self)
  }

  /// The offset of the walker's clock from UTC in seconds, at most 18 hours in either direction.
  package var clockOffset: Int? {
    guard let offset = utcOffset, abs(Int(offset)) <= Self.greatestClockOffset else { return nil }
    return Int(offset)
  }

  /// The UUID; also nil if it is not 16 bytes long, which reads as zeros.
  package var identifier: UUID? {
    uuid.flatMap { $0 == UUID.none ? nil : $0 }
  }

  /// The UUID by which files name the walk: without one of its own, as an app may have left it, one
  /// made of its number, which a sync gives it unless another walk has it.
  package var sharedIdentifier: UUID { identifier ?? UUID(of: self) }

  /// The greatest offset of a clock in either direction, in seconds.
  package static let greatestClockOffset = 18 * 3600

  /// A limit above any duration in the calendar, in seconds, and any distance, in metres.
  private static let greatest = 1e12

  private static func length(_ number: Double) -> Double? {
    (0...greatest).contains(number) ? number : nil
  }
}

extension Date {
  /// The years 1 to 9999, without a day at both ends.
  static let calendar =
    Date(
      timeIntervalSinceReferenceDate: -63_113_817_600)..<Date(
      timeIntervalSinceReferenceDate: 252_423_907_200)

  /// The date if it is within the years 1 to 9999 in every time zone; else nil.
  package var inCalendar: Date? { Self.calendar.contains(self) ? self : nil }
}

/// Valid values of a dog, whatever its row contains.
extension Dog {
  /// The target for walks, in minutes a day.
  package var target: Int? { targetMinutes.flatMap { $0 > 0 ? Int($0) : nil } }

  /// The UUID; also nil if it is not 16 bytes long, which reads as zeros.
  package var identifier: UUID? { uuid.flatMap { $0 == UUID.none ? nil : $0 } }

  /// The UUID by which files name the dog, as for a walk.
  package var sharedIdentifier: UUID { identifier ?? UUID(of: self) }

  /// The maximum number of seconds between walks.
  package var gap: Double? { maximumGap.flatMap { (1...1e12).contains($0) ? $0 : nil } }
}

extension UUID {
  /// The UUID that invalid bytes read as.
  package static let none = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

import ManagedObjects
package import SystemLibraries

/// What can be told of a walk, whatever stands in its row.
///
/// Any program may have written the store, and SQLite takes any value in any column: no date, the
/// year 50,000, a length without end. Whoever shows, compares or adds up goes through here, where a
/// value that no calendar, clock or map has is missing, as one that was never written down; the row
/// keeps it until it is changed.
extension Walk {
  /// When it began; nil where that is not within the years 1 to 9999, on no matter whose clock.
  package var start: Date? {
    // A row without a date reads as the reference date.
    if date.timeIntervalSinceReferenceDate == 0, value(forKey: "date") == nil { return nil }
    return date.inCalendar
  }

  /// How many seconds it took; nil where nobody said, or it is still going on.
  package var seconds: Double? { isOngoing ? nil : duration.flatMap(Self.length) }

  /// How far it was, in metres.
  package var metres: Double? { distance.flatMap(Self.length) }

  /// Who held the lead.
  package var walkerName: String? { walker?.name }

  /// The names of its tags, in the order of names.
  package var tagNames: [String] { tags.map(\.name).sorted(byName: \.self) }

  /// The names of tags of some walks that no walk has had before; to be asked before a save.
  package static func newTags(of walks: [Walk]) -> [String] {
    Set(walks.flatMap(\.tags)).filter(\.isInserted).map(\.name).sorted(byName: \.self)
  }

  /// How many seconds the walker's clocks were ahead of UTC: 18 hours at most, either way.
  package var clockOffset: Int? {
    guard let offset = utcOffset, abs(Int(offset)) <= Self.greatestClockOffset else { return nil }
    return Int(offset)
  }

  /// The UUID; nil also where it is not 16 bytes long, which read as zeros.
  package var identifier: UUID? {
    uuid.flatMap { $0 == UUID.none ? nil : $0 }
  }

  /// The greatest offset either way that a clock has, in seconds.
  package static let greatestClockOffset = 18 * 3600

  /// More seconds than the calendar has, and more metres than any dog has run.
  private static let greatest = 1e12

  private static func length(_ number: Double) -> Double? {
    (0...greatest).contains(number) ? number : nil
  }
}

extension Date {
  /// The years 1 to 9999, but for a day at both ends.
  static let calendar =
    Date(
      timeIntervalSinceReferenceDate: -63_113_817_600)..<Date(
      timeIntervalSinceReferenceDate: 252_423_907_200)

  /// The instant, where it is within the years 1 to 9999 on everybody's clock; else nil.
  package var inCalendar: Date? { Self.calendar.contains(self) ? self : nil }
}

/// What can be told of a dog, likewise.
extension Dog {
  /// How many minutes a day it should walk.
  package var target: Int? { targetMinutes.flatMap { $0 > 0 ? Int($0) : nil } }

  /// The UUID; nil also where it is not 16 bytes long, which read as zeros.
  package var identifier: UUID? { uuid.flatMap { $0 == UUID.none ? nil : $0 } }

  /// How many seconds it should be in at most.
  package var gap: Double? { maximumGap.flatMap { (1...1e12).contains($0) ? $0 : nil } }
}

extension UUID {
  /// What bytes that are no UUID read as.
  fileprivate static let none = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

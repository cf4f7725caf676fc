/// How people read times; English, the same under every `LANG`.
extension Moment {
  /// The day by its name where it is near, and the time: `today 07:30`, `yesterday 18:10`,
  /// `Fri 20 Nov 18:00`.
  func reading(now: Moment) -> String {
    "\(day.reading(today: now.day)) \(time.reading)"
  }

  /// The date and the time: `Fri 20 Nov 18:00`; the year stands with it where it is not this one.
  func fullReading(now: Moment) -> String {
    "\(day.fullReading(today: now.day)) \(time.reading)"
  }

  /// How long ago it was: `just now`, `35 min ago`, `3 h ago`, `2 days ago`; what has not come yet
  /// is `in 5 min`.
  ///
  /// Rounded down; hours go to 47.
  func ago(now: Moment) -> String {
    let amount = length(now: now)
    if amount.isEmpty { return "just now" }
    return now.secondsSince1970 < secondsSince1970 ? "in \(amount)" : "\(amount) ago"
  }

  /// The time between then and now, `35 min`, `3 h`, `2 days`; empty for less than a minute.
  ///
  /// Rounded down; hours go to 47.
  private func length(now: Moment) -> String {
    let minutes = abs(now.secondsSince1970 - secondsSince1970) / 60
    return switch minutes {
    case 0: ""
    case ..<60: "\(minutes) min"
    case ..<(48 * 60): "\(minutes / 60) h"
    default: "\(minutes / (24 * 60)) days"
    }
  }

  /// How long something has been going on that began then: `just now`, `35 min`, `3 h`.
  func going(now: Moment) -> String {
    let amount = length(now: now)
    return amount.isEmpty ? "just now" : amount
  }
}

extension Moment? {
  /// What is said of a walk whose row has no date that a calendar shows.
  private static let missing = "no date"

  /// The day by its name where it is near, and the time, as of a moment.
  func reading(now: Moment) -> String { self?.reading(now: now) ?? Self.missing }

  /// The date and the time, as of a moment.
  func fullReading(now: Moment) -> String { self?.fullReading(now: now) ?? Self.missing }
}

extension CivilDate {
  /// `today`, `yesterday`, or as `fullReading(today:)`.
  func reading(today: CivilDate) -> String {
    switch today.daysSince1970 - daysSince1970 {
    case 0: "today"
    case 1: "yesterday"
    default: fullReading(today: today)
    }
  }

  /// `Fri 20 Nov`, with the year behind it where it is not this one: `Thu 20 Nov 2025`.
  func fullReading(today: CivilDate) -> String {
    fullReading(hasYear: components.year != today.components.year)
  }

  /// `Fri 20 Nov`, and the year behind it where it is wanted.
  func fullReading(hasYear: Bool) -> String {
    let (year, month, day) = components
    let date = "\(weekday.abbreviation) \(day) \(Self.abbreviation(ofMonth: month))"
    return hasYear ? "\(date) \(year)" : date
  }
}

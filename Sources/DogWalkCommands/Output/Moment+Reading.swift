/// Times as shown to people, in English whatever `LANG` is.
extension Moment {
  /// Returns the day, by name if it is near, and the time: `today 07:30`, `Fri 20 Nov 18:00`.
  func reading(now: Moment) -> String {
    "\(day.reading(today: now.day)) \(time.reading)"
  }

  /// Returns the date and the time: `Fri 20 Nov 18:00`, with the year unless it is the current one.
  func fullReading(now: Moment) -> String {
    "\(day.fullReading(today: now.day)) \(time.reading)"
  }

  /// Returns how long ago it was: `just now`, `35 min ago`, `2 days ago`; `in 5 min` for the
  /// future.
  ///
  /// Rounded down; hours are used up to 47.
  func ago(now: Moment) -> String {
    let amount = length(now: now)
    if amount.isEmpty { return "just now" }
    return now.secondsSince1970 < secondsSince1970 ? "in \(amount)" : "\(amount) ago"
  }

  /// Returns the time between this moment and now: `35 min`, `3 h`, `2 days`; empty below a minute.
  ///
  /// Rounded down; hours are used up to 47.
  private func length(now: Moment) -> String {
    let minutes = abs(now.secondsSince1970 - secondsSince1970) / 60
    return switch minutes {
    case 0: ""
    case ..<60: "\(minutes) min"
    case ..<(48 * 60): "\(minutes / 60) h"
    default: "\(minutes / (24 * 60)) days"
    }
  }

  /// Returns how long something that began at this moment has lasted: `just now`, `35 min`, `3 h`.
  func going(now: Moment) -> String {
    let amount = length(now: now)
    return amount.isEmpty ? "just now" : amount
  }
}

extension Moment? {
  /// The text for a walk whose row has no valid date.
  private static let missing = "no date"

  /// Returns the day, by name if it is near, and the time; or that there is none.
  func reading(now: Moment) -> String { self?.reading(now: now) ?? Self.missing }

  /// Returns the date and the time; or that there is none.
  func fullReading(now: Moment) -> String { self?.fullReading(now: now) ?? Self.missing }
}

extension CivilDate {
  /// Returns `today`, `yesterday`, or the same as `fullReading(today:)`.
  func reading(today: CivilDate) -> String {
    switch today.daysSince1970 - daysSince1970 {
    case 0: "today"
    case 1: "yesterday"
    default: fullReading(today: today)
    }
  }

  /// Returns `Fri 20 Nov`, followed by the year unless it is the current one: `Thu 20 Nov 2025`.
  func fullReading(today: CivilDate) -> String {
    fullReading(hasYear: components.year != today.components.year)
  }

  /// Returns `Fri 20 Nov`, optionally followed by the year.
  func fullReading(hasYear: Bool) -> String {
    let (year, month, day) = components
    let date = "\(weekday.abbreviation) \(day) \(Self.abbreviation(ofMonth: month))"
    return hasYear ? "\(date) \(year)" : date
  }
}

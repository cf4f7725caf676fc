import CommandLineKit

/// How clocks and distances are shown to people, from `dogwalk config` and the locale.
///
///     ReadingStyle.$current.withValue(style) { print(time.reading) }   // 7:30 pm
///
/// It is task-local, like a locale, so that code that formats a time does not need it as a
/// parameter. Output for programs (lists on pipes, JSON, CSV, calendars) does not depend on it.
struct ReadingStyle: Hashable, Sendable {
  /// Whether clocks have 12 hours, with am and pm.
  var hasTwelveHours = false
  /// Whether distances are shown in miles.
  var hasMiles = false

  /// The style of the running command.
  @TaskLocal static var current = ReadingStyle()
}

extension CommandRun {
  /// Returns the style that the settings give; on a terminal, the locale's clock if they give none.
  ///
  /// - Throws: the errors of `setting(_:)`.
  func readingStyle() throws -> ReadingStyle {
    var style = ReadingStyle()
    style.hasMiles = try setting(.units)?.text == "mi"
    if let clock = try setting(.clock) {
      style.hasTwelveHours = clock.text == "12"
    } else if localeClock.text == "12" {
      style.hasTwelveHours = terminal.isTerminal
    }
    return style
  }
}

extension ClockTime {
  /// The time as shown to people: `19:30`, or `7:30 pm`.
  var reading: String {
    guard ReadingStyle.current.hasTwelveHours else { return description }
    let hours = hour % 12 == 0 ? 12 : hour % 12
    return "\(hours):\(minute.padded(to: 2)) \(hour < 12 ? "am" : "pm")"
  }

  /// The same, padded to the width of the longest time, for tables.
  var columnReading: String {
    ReadingStyle.current.hasTwelveHours && reading.utf8.count < 8 ? " " + reading : reading
  }

  /// Spaces of the width of a time in a table.
  static var emptyColumn: String {
    String(repeating: " ", count: ReadingStyle.current.hasTwelveHours ? 8 : 5)
  }
}

import CommandLineKit

/// How people read clocks and ways: what `dogwalk config` and the locale say.
///
///     ReadingStyle.$current.withValue(style) { print(time.reading) }   // 7:30 pm
///
/// It goes along with the command as a locale does, so that whatever puts a time into words need
/// not be handed it. What programs read (lists on pipes, JSON, CSV, calendars) goes by none.
struct ReadingStyle: Hashable, Sendable {
  /// Whether clocks go to 12, with am and pm.
  var hasTwelveHours = false
  /// Whether ways are measured in miles.
  var hasMiles = false

  /// The style of the command that runs.
  @TaskLocal static var current = ReadingStyle()
}

extension CommandRun {
  /// The style that the settings ask for; on a terminal the locale's clock, where they say nothing.
  ///
  /// - Throws: what `setting(_:)` throws.
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
  /// The time as people read it: `19:30`, or `7:30 pm`.
  var reading: String {
    guard ReadingStyle.current.hasTwelveHours else { return description }
    let hours = hour % 12 == 0 ? 12 : hour % 12
    return "\(hours):\(minute.padded(to: 2)) \(hour < 12 ? "am" : "pm")"
  }

  /// The same, as wide as any other time, for tables.
  var columnReading: String {
    ReadingStyle.current.hasTwelveHours && reading.utf8.count < 8 ? " " + reading : reading
  }

  /// As wide as a time in a table.
  static var emptyColumn: String {
    String(repeating: " ", count: ReadingStyle.current.hasTwelveHours ? 8 : 5)
  }
}

import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// Walks as a calendar (RFC 5545), with an event for each, in UTC.
struct WalkCalendar {
  let tags: WalkTags

  /// Writes the beginning of the calendar.
  func writeHead(to sink: OutputSink) throws(OutputError) {
    try write("BEGIN:VCALENDAR", to: sink)
    try write("VERSION:2.0", to: sink)
    try write("PRODID:-//dogwalk//dogwalk \(CommandLineTool.version)//EN", to: sink)
  }

  /// Writes the end of the calendar.
  func writeFoot(to sink: OutputSink) throws(OutputError) {
    try write("END:VCALENDAR", to: sink)
  }

  /// Writes a walk; returns false for one without a date, which cannot be an event.
  func write(_ walk: Walk, to sink: OutputSink) throws(OutputError) -> Bool {
    guard let start = walk.start.map({ Self.utc($0.wholeSecondsSince1970) }) else { return false }
    let end = walk.end.map { Self.utc($0.wholeSecondsSince1970) }
    try write("BEGIN:VEVENT", to: sink)
    try write("UID:\(walk.sharedIdentifier.uuidString)", to: sink)
    // The time of the last change is unknown; the walk's own time makes repeated exports identical.
    try write("DTSTAMP:\(end ?? start)", to: sink)
    try write("DTSTART:\(start)", to: sink)
    if let end, end != start { try write("DTEND:\(end)", to: sink) }
    try write("SUMMARY:\(Self.escaped(summary(of: walk)))", to: sink)
    if let note = walk.note, !note.isEmpty {
      try write("DESCRIPTION:\(Self.escaped(note))", to: sink)
    }
    let categories = ["Walk"] + tags.names(of: walk)
    try write("CATEGORIES:\(categories.map(Self.escaped).joined(separator: ","))", to: sink)
    try write("TRANSP:TRANSPARENT", to: sink)
    try write("END:VEVENT", to: sink)
    return true
  }

  private func summary(of walk: Walk) -> String {
    var text = "Walk with \(walk.dog?.name ?? "a dog")"
    if let metres = walk.metres { text += ", \(Distance(metres: metres).metricReading)" }
    if let walker = walk.walkerName { text += " (\(walker))" }
    return text
  }

  /// Returns an instant in the form `20261120T170000Z`.
  private static func utc(_ seconds: Int) -> String {
    let moment = Moment(secondsSince1970: seconds, utcOffset: 0)
    let (year, month, day) = moment.day.components
    let time = moment.time
    return "\(year.padded(to: 4))\(month.padded(to: 2))\(day.padded(to: 2))T"
      + "\(time.hour.padded(to: 2))\(time.minute.padded(to: 2))\(time.second.padded(to: 2))Z"
  }

  /// Returns a text as a value: backslashes, commas, semicolons and line feeds are escaped.
  ///
  /// Other control characters, which are not allowed there, are dropped.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ",", ";":
        escaped += "\\"
        escaped.unicodeScalars.append(scalar)
      case "\n": escaped += "\\n"
      case "\t": escaped += "\t"
      case _ where scalar.isControl: break
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Writes a line, folded after 75 bytes, but never within a character.
  private func write(_ line: String, to sink: OutputSink) throws(OutputError) {
    guard line.utf8.count > 75 else { return try sink.write(line + "\r\n") }
    var folded: [UInt8] = []
    var width = 0
    for scalar in line.unicodeScalars {
      let bytes = UTF8.encode(scalar)
      let count = bytes?.count ?? 0
      if width + count > 75 {
        folded += [0x0D, 0x0A, 0x20]
        width = 1
      }
      if let bytes { folded += bytes }
      width += count
    }
    try sink.write(contentsOf: folded + [0x0D, 0x0A])
  }
}

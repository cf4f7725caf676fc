import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// Recorded walks as a GPX file, with a track for each.
struct WalkGPX {
  /// Writes the beginning of the file.
  func writeHead(to sink: OutputSink) throws(OutputError) {
    try sink.writeLine(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="dogwalk" xmlns="http://www.topografix.com/GPX/1/1">
      """)
  }

  /// Writes the end of the file.
  func writeFoot(to sink: OutputSink) throws(OutputError) {
    try sink.writeLine("</gpx>")
  }

  /// Writes a walk; returns false for one without a track.
  func write(_ walk: Walk, to sink: OutputSink) throws(OutputError) -> Bool {
    guard let points = walk.trackPoints else { return false }
    try sink.writeLine("<trk>")
    if let dog = walk.dog { try sink.writeLine("<name>\(dog.name.xmlText)</name>") }
    if let note = walk.note { try sink.writeLine("<desc>\(note.xmlLines)</desc>") }
    for segment in points.segments {
      try sink.writeLine("<trkseg>")
      for point in segment {
        var line =
          #"<trkpt lat="\#(point.latitude.decimals)" lon="\#(point.longitude.decimals)">"#
        if let elevation = point.elevation { line += "<ele>\(elevation.shortest)</ele>" }
        if let time = point.time { line += "<time>\(Self.utc(time))</time>" }
        try sink.writeLine(line + "</trkpt>")
      }
      try sink.writeLine("</trkseg>")
    }
    try sink.writeLine("</trk>")
    return true
  }

  /// Returns an instant, with milliseconds if they are not zero: `2026-11-20T17:00:00.250Z`.
  private static func utc(_ date: Date) -> String {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    let moment = Moment(secondsSince1970: seconds.wholeSeconds, utcOffset: 0)
    let milliseconds = ((date.timeIntervalSince1970 - seconds) * 1000).rounded().wholeSeconds
    let part = milliseconds == 0 ? "" : ".\(min(999, milliseconds).padded(to: 3))"
    return "\(moment.iso8601.dropLast(6))\(part)Z"
  }
}

extension Double {
  /// The degrees with seven decimals, never with an exponent.
  fileprivate var decimals: String {
    let whole = Int(exactly: (abs(self) * 1e7).rounded()) ?? 0
    let sign = self < 0 && whole > 0 ? "-" : ""
    let (degrees, part) = whole.quotientAndRemainder(dividingBy: 10_000_000)
    return "\(sign)\(degrees).\(part.padded(to: 7))"
  }
}

extension String {
  /// The text in XML, with its line ends.
  fileprivate var xmlLines: String {
    split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      .map { String($0).xmlText }.joined(separator: "\n")
  }
}

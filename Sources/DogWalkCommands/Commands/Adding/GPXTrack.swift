import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

extension Option {
  /// `--gpx`: take start, duration and distance from a track.
  static let gpx = Option(
    "gpx", value: .required("FILE"), isRepeating: true,
    help: "take start, duration and distance from a tracker's GPX file, or from several",
    completion: .files)
}

/// What a GPX file tells of a walk: when it began, how long it took, and how far it was.
struct GPXTrack: Hashable {
  /// The first moment of its points.
  private(set) var start: Date
  /// The seconds from the first moment to the last.
  private(set) var seconds: Double
  /// Where it led.
  private(set) var points: TrackPoints
  /// How far it was, in whole metres; nil where nobody moved.
  var metres: Double? {
    let metres = TrackPath(points).metres.rounded()
    return metres > 0 ? metres : nil
  }

  /// Refuses words and options that say once more what a track tells.
  static func refuseRepetition(isTimed: Bool, isMeasured: Bool) throws(ValidationError) {
    guard !isTimed else {
      throw ValidationError(
        "the track of --gpx tells when the walk was and how long",
        hint: "Leave time and duration out.")
    }
    guard !isMeasured else {
      throw ValidationError(
        "--distance and --gpx both tell the distance", hint: "Give one of them.")
    }
  }

  /// The walks that a file tells of.
  ///
  /// - Parameter call: What the commands begin with that are proposed.
  /// - Throws: `Complaint` where it cannot be read, or has no track with times.
  static func tracks(
    readingFrom path: String, zone: LocalZone, call: String
  ) throws -> [GPXTrack] {
    let bytes: [UInt8]
    do throws(InputFile.Failure) {
      bytes = try InputFile.bytes(of: path, atMost: Self.mostBytes)
    } catch {
      let complaint = Complaint(reading: path, error)
      guard case .system(EISDIR) = error, let reason = complaint.reason else { throw complaint }
      let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
      throw Complaint(
        complaint.exitCode, reason,
        hint: "Nothing was changed. Its files: --gpx \(folder.shellWord)/*.gpx")
    }
    do throws(DataError) {
      return try tracks(bytes, zone: zone)
    } catch {
      throw Complaint(
        .badData,
        "cannot read the track \(path.escapingControls): line \(error.line): \(error.reason)",
        hint: "Nothing was written down. Without a track: \(call) add Fido 18:00 35m --distance "
          + "2km")
    }
  }

  /// A day's walk, told each second and in many words, is some megabytes.
  private static let mostBytes = 1 << 26

  /// The walks that a file's bytes tell of, in the order of the file.
  ///
  /// Each track is a walk of its own. One is divided where its tracker noted nothing for half an
  /// hour, and where it was off when a new day began.
  ///
  /// - Parameter zone: Whose days they are.
  /// - Throws: `DataError` where there are no tracks with times.
  static func tracks(_ bytes: [UInt8], zone: LocalZone) throws(DataError) -> [GPXTrack] {
    var xml = XMLScanner(bytes)
    var tracks: [[[TrackPoints.Point]]] = []
    var reading: WrittenPoint?
    var text: String?
    guard case .start("gpx", _)? = try xml.next() else {
      throw DataError(line: xml.line, "this is no GPX file")
    }
    while let piece = try xml.next() {
      switch piece {
      case .start("trk", _): tracks.append([])
      case .start("trkseg", _):
        // One that lies in no track, against the rules, is in the first.
        if tracks.isEmpty { tracks.append([]) }
        tracks[tracks.count - 1].append([])
      case .start("trkpt", let attributes):
        reading = try WrittenPoint(attributes, line: xml.line)
      case .end("trkpt"):
        if let point = reading?.point { tracks.append(point) }
        reading = nil
      case .start("time", _), .start("ele", _): text = reading == nil ? nil : ""
      case .text(let part): text? += part
      case .end("time"):
        if let text { reading?.time = try Self.date(text, line: xml.line) }
        text = nil
      case .end("ele"):
        // A height that cannot be read is none; nothing here depends on it.
        if let text { reading?.elevation = Double(text.filter { !$0.isWhitespace }) }
        text = nil
      default: break
      }
    }
    let walks = tracks.flatMap { divided($0, zone: zone) }.compactMap { GPXTrack($0) }
    guard !walks.isEmpty else {
      throw DataError(line: xml.line, "no point of a track in it has a time")
    }
    return walks
  }

  /// A track of some segments; nil where no point has a time.
  private init?(_ segments: [[TrackPoints.Point]]) {
    points = TrackPoints(segments: segments.filter { !$0.isEmpty })
    let times = points.segments.joined().lazy.compactMap(\.time)
    guard let first = times.min(), let last = times.max() else { return nil }
    // Walks begin and last in whole seconds.
    start = Date(
      timeIntervalSinceReferenceDate: first.timeIntervalSinceReferenceDate.rounded(.down))
    seconds = last.timeIntervalSince(start).rounded()
  }

  // MARK: Dividing

  /// A tracker that notes nothing for so many seconds was off.
  private static let pause = 300.0
  /// Whoever was off for so many seconds has been home in between.
  private static let longPause = 1800.0

  /// A track's segments, those of each walk.
  private static func divided(
    _ segments: [[TrackPoints.Point]], zone: LocalZone
  ) -> [[[TrackPoints.Point]]] {
    var walks: [[[TrackPoints.Point]]] = [[]]
    var last: Date?
    for segment in segments {
      walks[walks.count - 1].append([])
      for (index, point) in segment.enumerated() {
        if let time = point.time {
          if let last, isDivided(last, time, isOff: index == 0, zone) { walks.append([[]]) }
          last = time
        }
        walks.append(point)
      }
    }
    return walks
  }

  private static func isDivided(
    _ last: Date, _ next: Date, isOff: Bool, _ zone: LocalZone
  ) -> Bool {
    let seconds = next.timeIntervalSince(last)
    if seconds >= longPause { return true }
    return (isOff || seconds >= pause) && zone.moment(at: last).day != zone.moment(at: next).day
  }

  /// A point as it stands in a file.
  private struct WrittenPoint {
    let latitude: Double
    let longitude: Double
    var elevation: Double?
    var time: Date?

    init(_ attributes: [XMLScanner.Attribute], line: Int) throws(DataError) {
      func degrees(_ name: String, _ limit: Double) throws(DataError) -> Double {
        guard let text = attributes.first(where: { $0.name == name })?.value,
          let degrees = Double(text), abs(degrees) <= limit
        else { throw DataError(line: line, "a point has no \(name) that can be") }
        return degrees
      }
      latitude = try degrees("lat", 90)
      longitude = try degrees("lon", 180)
    }

    var point: TrackPoints.Point? {
      .init(latitude: latitude, longitude: longitude, elevation: elevation, time: time)
    }
  }

  /// A time as GPX has it: in UTC, perhaps with parts of a second.
  private static func date(_ text: String, line: Int) throws(DataError) -> Date {
    var plain = ""
    var part = ""
    for character in text where !character.isWhitespace {
      if character == "." || !part.isEmpty && character.isASCII && character.isWholeNumber {
        part.append(character)
      } else {
        plain.append(character)
      }
    }
    do throws(ValidationError) {
      let seconds = Double("0\(part)") ?? 0
      return try Moment(iso8601: plain, zone: .fixed(0)).date.addingTimeInterval(seconds)
    } catch {
      throw DataError(line: line, error.message)
    }
  }
}

extension [[[TrackPoints.Point]]] {
  /// Appends a point to the last segment of the last track; makes both where they are missing.
  fileprivate mutating func append(_ point: TrackPoints.Point) {
    if isEmpty { append([]) }
    if self[count - 1].isEmpty { self[count - 1].append([]) }
    self[count - 1][self[count - 1].count - 1].append(point)
  }
}

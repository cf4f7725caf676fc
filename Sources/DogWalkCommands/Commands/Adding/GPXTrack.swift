import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

extension Option {
  /// `--gpx`: takes start, duration and distance from a track.
  static let gpx = Option(
    "gpx", value: .required("FILE"), isRepeating: true,
    help: "take start, duration and distance from a tracker's GPX file, or from several",
    completion: .files)
}

/// A walk recorded in a GPX file: its start, its duration and its points.
struct GPXTrack: Hashable {
  /// The earliest time of its points.
  private(set) var start: Date
  /// The seconds from the earliest time to the latest.
  private(set) var seconds: Double
  /// The recorded points.
  private(set) var points: TrackPoints
  /// The distance in whole metres; nil if it is zero.
  var metres: Double? {
    let metres = TrackPath(points).metres.rounded()
    return metres > 0 ? metres : nil
  }

  /// Throws for words and options that repeat values of a track.
  static func refuseRepetition(isTimed: Bool, isMeasured: Bool) throws(ValidationError) {
    guard !isTimed else {
      throw ValidationError(
        "the track of --gpx gives the time and the length",
        hint: "Leave time and duration out.")
    }
    guard !isMeasured else {
      throw ValidationError(
        "--distance and --gpx both give the distance", hint: "Give one of them.")
    }
  }

  /// Returns the walks in a file.
  ///
  /// - Parameter call: How the program is called in the commands that hints suggest.
  /// - Throws: `Complaint` if it cannot be read, or has no track with times.
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
        hint: "Nothing was added. Without a track: \(call) add Fido 18:00 35m --distance "
          + "2km")
    }
  }

  /// A whole day, recorded every second and verbosely, takes some megabytes.
  private static let mostBytes = 1 << 26

  /// Returns the walks in a file's bytes, in the order of the file.
  ///
  /// Each track is a walk. A track is split where nothing was recorded for half an hour, and where
  /// the tracker was off at midnight.
  ///
  /// - Parameter zone: The zone that determines days.
  /// - Throws: `DataError` if there are no tracks with times.
  static func tracks(_ bytes: [UInt8], zone: LocalZone) throws(DataError) -> [GPXTrack] {
    var xml = XMLScanner(bytes)
    var tracks: [[[TrackPoints.Point]]] = []
    var reading: WrittenPoint?
    var text: String?
    guard case .start("gpx", _)? = try xml.next() else {
      throw DataError(line: xml.line, "this is not a GPX file")
    }
    // Applications may put elements of any name there.
    var openExtensions = 0
    while let piece = try xml.next() {
      switch piece {
      case .start("extensions", _): openExtensions += 1
      case .end("extensions"): openExtensions -= 1
      case _ where openExtensions > 0: break
      case .start("trk", _): tracks.append([])
      case .start("trkseg", _):
        // A segment outside any track, which GPX does not allow, is put into a track of its own.
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
        // An unreadable elevation counts as none, since nothing here depends on it.
        if let text { reading?.elevation = Double(text.filter { !$0.isWhitespace }) }
        text = nil
      default: break
      }
    }
    let walks = tracks.flatMap { divided($0, zone: zone) }.compactMap { GPXTrack($0) }
    guard !walks.isEmpty else {
      let hasPoints = tracks.contains { $0.contains { !$0.isEmpty } }
      throw DataError(
        line: xml.line, hasPoints ? "no track point in it has a time" : "there is no track in it")
    }
    return walks
  }

  /// Creates a track from segments; nil if no point has a time.
  private init?(_ segments: [[TrackPoints.Point]]) {
    points = TrackPoints(segments: segments.filter { !$0.isEmpty })
    let times = points.segments.joined().lazy.compactMap(\.time)
    guard let first = times.min(), let last = times.max() else { return nil }
    // Walks begin and last for whole seconds.
    start = Date(
      timeIntervalSinceReferenceDate: first.timeIntervalSinceReferenceDate.rounded(.down))
    seconds = last.timeIntervalSince(first).rounded()
  }

  // MARK: Splitting

  /// The number of seconds without points after which the tracker counts as off.
  private static let pause = 300.0
  /// The number of seconds without points after which a new walk begins.
  private static let longPause = 1800.0

  /// Returns the segments of each walk in a track.
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

  /// A point as written in a file.
  private struct WrittenPoint {
    let latitude: Double
    let longitude: Double
    var elevation: Double?
    var time: Date?

    init(_ attributes: [XMLScanner.Attribute], line: Int) throws(DataError) {
      func degrees(_ name: String, _ limit: Double) throws(DataError) -> Double {
        guard let text = attributes.first(where: { $0.name == name })?.value,
          let degrees = Double(text), abs(degrees) <= limit
        else { throw DataError(line: line, "a point has no valid \(name)") }
        return degrees
      }
      latitude = try degrees("lat", 90)
      longitude = try degrees("lon", 180)
    }

    var point: TrackPoints.Point? {
      .init(latitude: latitude, longitude: longitude, elevation: elevation, time: time)
    }
  }

  /// Reads a time as in GPX: in UTC, optionally with a fraction of a second.
  private static func date(_ text: String, line: Int) throws(DataError) -> Date {
    var plain = text.filter { !$0.isWhitespace }
    var part = ""
    if let point = plain.firstIndex(of: ".") {
      let digits = plain[point...].dropFirst().prefix { $0.isASCII && $0.isWholeNumber }
      part = ".\(digits)"
      // An offset may stand behind it.
      plain.removeSubrange(point..<digits.endIndex)
    }
    do throws(ValidationError) {
      let seconds = Double("0\(part)") ?? 0
      return try Moment(iso8601: plain, zone: .fixed(0)).date.addingTimeInterval(seconds)
    } catch {
      // The sentence without its full stop.
      throw DataError(line: line, String(error.message.dropLast()))
    }
  }
}

extension [[[TrackPoints.Point]]] {
  /// Appends a point to the last segment of the last track, and creates these if necessary.
  fileprivate mutating func append(_ point: TrackPoints.Point) {
    if isEmpty { append([]) }
    if self[count - 1].isEmpty { self[count - 1].append([]) }
    self[count - 1][self[count - 1].count - 1].append(point)
  }
}

import CommandLineKit
import DataFormats
import SystemLibraries

extension Option {
  /// `--gpx`: take start, duration and distance from a track.
  static let gpx = Option(
    "gpx", value: .required("FILE"), help: "take start, duration and distance from a GPX track",
    completion: .files)
}

/// What a GPX file tells of a walk: when it began, how long it took, and how far it was.
struct GPXTrack: Hashable {
  /// The first moment of its points.
  private(set) var start: Date
  /// The seconds from the first moment to the last.
  private(set) var seconds: Double
  /// The metres along its points, within each segment.
  private(set) var metres: Double

  /// Reads the file that a run's `--gpx` names; nil where none does.
  ///
  /// - Throws: `Complaint` where it cannot be read, or is no track with times; `ValidationError` where
  ///   options say the same once more.
  init?(_ values: ArgumentValues, isTimed: Bool) throws {
    guard let path = values[.gpx] else { return nil }
    guard !isTimed else {
      throw ValidationError(
        "the track of --gpx tells when the walk was and how long",
        hint: "Leave time and duration out.")
    }
    guard !values.contains(.distance) else {
      throw ValidationError(
        "--distance and --gpx both tell the distance", hint: "Give one of them.")
    }
    let bytes: [UInt8]
    do throws(InputFile.Failure) {
      bytes = try InputFile.bytes(of: path, atMost: Self.mostBytes)
    } catch {
      throw Complaint(reading: path, error)
    }
    do throws(DataError) {
      try self.init(bytes)
    } catch {
      throw Complaint(
        .badData,
        "cannot read the track \(path.escapingControls): line \(error.line): \(error.reason)",
        hint: "Nothing was written down.")
    }
  }

  /// A day's walk, told each second and in many words, is some megabytes.
  private static let mostBytes = 1 << 26

  /// A point of a track.
  private struct Point {
    let latitude: Double
    let longitude: Double

    /// The metres to another point, on a sphere of the Earth's mean radius.
    func metres(to other: Point) -> Double {
      let (north, east) = (other.latitude - latitude, other.longitude - longitude)
      let half =
        pow(sin(north / 2), 2) + cos(latitude) * cos(other.latitude) * pow(sin(east / 2), 2)
      return 2 * 6_371_008.8 * asin(min(1, half.squareRoot()))
    }
  }

  /// Reads a file's bytes.
  ///
  /// - Throws: `DataError` where they are no track with times.
  init(_ bytes: [UInt8]) throws(DataError) {
    var xml = XMLScanner(bytes)
    var (first, last): (Date?, Date?)
    var metres = 0.0
    var previous: Point?
    var isInPoint = false
    var time: String?
    guard case .start("gpx", _)? = try xml.next() else {
      throw DataError(line: xml.line, "this is no GPX file")
    }
    while let piece = try xml.next() {
      switch piece {
      case .start("trkseg", _): previous = nil
      case .start("trkpt", let attributes):
        let point = try Self.point(attributes, line: xml.line)
        if let previous { metres += previous.metres(to: point) }
        previous = point
        isInPoint = true
      case .end("trkpt"): isInPoint = false
      case .start("time", _) where isInPoint: time = ""
      case .text(let text): if time != nil { time? += text }
      case .end("time"):
        guard let text = time else { continue }
        time = nil
        let date = try Self.date(text, line: xml.line)
        first = min(first ?? date, date)
        last = max(last ?? date, date)
      default: break
      }
    }
    guard let first, let last else {
      throw DataError(line: xml.line, "no point of a track in it has a time")
    }
    self.init(start: first, seconds: last.timeIntervalSince(first), metres: metres)
  }

  private init(start: Date, seconds: Double, metres: Double) {
    (self.start, self.seconds, self.metres) = (start, seconds, metres)
  }

  private static func point(
    _ attributes: [XMLScanner.Attribute], line: Int
  ) throws(DataError) -> Point {
    func radians(_ name: String, _ limit: Double) throws(DataError) -> Double {
      guard let text = attributes.first(where: { $0.name == name })?.value,
        let degrees = Double(text), abs(degrees) <= limit
      else { throw DataError(line: line, "a point has no \(name) that can be") }
      return degrees * .pi / 180
    }
    return Point(latitude: try radians("lat", 90), longitude: try radians("lon", 180))
  }

  /// A time as GPX has it: in UTC, perhaps with parts of a second.
  private static func date(_ text: String, line: Int) throws(DataError) -> Date {
    var plain = ""
    var isPart = false
    for character in text where !character.isWhitespace {
      isPart = character == "." || isPart && character.isWholeNumber
      if !isPart { plain.append(character) }
    }
    do throws(ValidationError) {
      return try Moment(iso8601: plain, zone: .fixed(0)).date
    } catch {
      throw DataError(line: line, error.message)
    }
  }
}

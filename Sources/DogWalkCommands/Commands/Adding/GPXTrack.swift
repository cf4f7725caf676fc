import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

extension Option {
  /// `--gpx`: take start, duration and distance from a track.
  static let gpx = Option(
    "gpx", value: .required("FILE"),
    help: "take start, duration and distance from a GPX track; several make several walks",
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

  /// Reads a file.
  ///
  /// - Throws: `Complaint` where it cannot be read, or is no track with times.
  init(readingFrom path: String) throws {
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

  /// Reads a file's bytes.
  ///
  /// - Throws: `DataError` where they are no track with times.
  init(_ bytes: [UInt8]) throws(DataError) {
    var xml = XMLScanner(bytes)
    var segments: [[TrackPoints.Point]] = []
    var reading: WrittenPoint?
    var text: String?
    guard case .start("gpx", _)? = try xml.next() else {
      throw DataError(line: xml.line, "this is no GPX file")
    }
    while let piece = try xml.next() {
      switch piece {
      case .start("trkseg", _): segments.append([])
      case .start("trkpt", let attributes):
        reading = try WrittenPoint(attributes, line: xml.line)
      case .end("trkpt"):
        if let point = reading?.point {
          // One that lies in no segment, against the rules, is in the first.
          if segments.isEmpty { segments.append([]) }
          segments[segments.count - 1].append(point)
        }
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
    points = TrackPoints(segments: segments.filter { !$0.isEmpty })
    let times = points.segments.joined().lazy.compactMap(\.time)
    guard let first = times.min(), let last = times.max() else {
      throw DataError(line: xml.line, "no point of a track in it has a time")
    }
    // Walks begin and last in whole seconds.
    start = Date(
      timeIntervalSinceReferenceDate: first.timeIntervalSinceReferenceDate.rounded(.down))
    seconds = last.timeIntervalSince(start).rounded()
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

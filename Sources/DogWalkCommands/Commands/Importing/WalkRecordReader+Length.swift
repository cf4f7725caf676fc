import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// The length of a walk in a file: from its minutes, its end, or both.
extension WalkRecordReader {
  /// Returns the length in seconds: from the minutes, else from start and end.
  ///
  /// If both are given and disagree, the one that differs from the stored walk counts, as in an
  /// export in which one of them was edited. If that one is the walk's length at the export, the
  /// file was imported already, and the stored length stays.
  ///
  /// - Throws: `ValidationError` if they disagree, and the stored walk does not decide.
  mutating func duration(
    _ walk: WrittenWalk, from start: Moment
  ) throws(ValidationError) -> Double? {
    let length = try length(of: walk)
    guard let typed = try text(walk, [.end, .stop]) else { return length?.seconds }
    let end = try end(typed, from: start)
    guard let length else {
      return try isCleared(walk, start, end) ? nil : seconds(from: start, to: end)
    }
    guard !agrees(length, start, end) else { return length.seconds }
    let stored = try storedTimes(of: walk)
    let hasStoredLength = stored?.seconds.map { abs($0 - length.seconds) < 0.001 } ?? false
    let hasStoredEnd = stored?.end.map { Self.isSame($0, end) } ?? false
    let seconds = try seconds(from: start, to: end)
    if hasStoredEnd != hasStoredLength {
      let (own, other) = hasStoredEnd ? (seconds, length.seconds) : (length.seconds, seconds)
      if try wasExported(walk, with: other) { return own }
      disagreements.append((walk.line, used: other, stored: own))
      return other
    }
    let field = walk[.minutes] == nil ? "duration" : "minutes"
    throw ValidationError(
      "its end and its \(field) disagree (\(Duration.seconds(seconds).reading) and "
        + "\(Duration.seconds(length.seconds).reading)): change both, or leave one of them empty")
  }

  /// A length as written.
  private struct Length {
    /// The length in seconds.
    let seconds: Double
    /// The possible rounding error in seconds, from the number of digits.
    let precision: Double
  }

  /// Returns the minutes, or the length with a unit.
  private func length(of walk: WrittenWalk) throws(ValidationError) -> Length? {
    if let minutes = try number(walk, .minutes) {
      let seconds = Double(secondsOfMinutes: minutes)
      guard seconds > 0, seconds < WalkValues.mostSeconds else {
        throw ValidationError("it cannot be \(minutes.shortest) minutes long")
      }
      // Exports of dogwalk are exact.
      guard walk[.version] == nil else { return Length(seconds: seconds, precision: 1) }
      let decimals = minutes.shortest.split(separator: ".").dropFirst().first?.utf8.count ?? 0
      return Length(seconds: seconds, precision: [60, 6][min(decimals, 1)])
    }
    guard let typed = try text(walk, .duration) else { return nil }
    let length = try Duration(inFile: typed)
    let seconds = Double(length.components.seconds)
    guard seconds > 0, seconds < WalkValues.mostSeconds else {
      throw ValidationError("it cannot be \(length.reading) long")
    }
    return Length(seconds: seconds, precision: 60)
  }

  /// Returns the end.
  private func end(_ typed: String, from start: Moment) throws(ValidationError) -> Moment {
    // Most are written by dogwalk, which is quick to detect.
    if let end = Moment(plain: typed) { return end }
    guard let time = ImportRules.time(typed) else { return try moment(typed) }
    // A time without a day is in the same offset as the start: on the same day, or on the next.
    let isElsewhere = zone.utcOffset(at: start.date) != start.utcOffset
    let clock = isElsewhere ? LocalZone.fixed(start.utcOffset) : zone
    let end = try clock.moment(on: start.day, at: time)
    guard end.date < start.date else { return end }
    if let second = clock.secondOccurrence(of: start.day, at: time), second.date > start.date {
      return second
    }
    return try clock.moment(on: start.day.adding(days: 1), at: time)
  }

  /// Returns the seconds between start and end.
  private func seconds(from start: Moment, to end: Moment) throws(ValidationError) -> Double {
    let seconds = end.date.timeIntervalSince(start.date)
    guard seconds != 0 else { throw ValidationError("it ends as it begins") }
    guard seconds > 0 else {
      let hint = rules.timeColumnOfEnd.map {
        ": if that is on the next day, give the time alone, --column end=\($0.shellWord)"
      }
      throw ValidationError("it ends before it begins\(hint ?? "")")
    }
    guard seconds < WalkValues.mostSeconds else {
      throw ValidationError("it cannot be \(Duration.seconds(seconds).reading) long")
    }
    return seconds
  }

  // MARK: Contradictions

  /// Returns whether a length matches the start and end, which are rounded to seconds.
  ///
  /// Either may be the second of two occurrences during a clock change.
  private func agrees(_ length: Length, _ start: Moment, _ end: Moment) -> Bool {
    func isBetween(_ start: Moment, _ end: Moment) -> Bool {
      abs(end.date.timeIntervalSince(start.date) - length.seconds) < length.precision
    }
    // Looking up clock changes is slow and rarely needed.
    if isBetween(start, end) { return true }
    return occurrences(of: start).contains { start in
      occurrences(of: end).contains { isBetween(start, $0) }
    }
  }

  private func occurrences(of moment: Moment) -> [Moment] {
    [moment, zone.secondOccurrence(of: moment.day, at: moment.time)].compactMap { $0 }
  }

  /// Returns whether the minutes were removed from an export, while the equivalent end was not.
  private func isCleared(
    _ walk: WrittenWalk, _ start: Moment, _ end: Moment
  ) throws(ValidationError) -> Bool {
    guard walk[.version] != nil, walk[.minutes] != nil, let stored = try storedTimes(of: walk),
      let storedStart = stored.start, Self.isSame(storedStart, start)
    else { return false }
    guard let storedEnd = stored.end else {
      // It may have been imported already.
      guard stored.seconds == nil else { return false }
      return try wasExported(walk, with: seconds(from: start, to: end))
    }
    return Self.isSame(storedEnd, end)
  }

  /// Returns whether the stored walk, with another length, is as it was when it was exported.
  private func wasExported(
    _ walk: WrittenWalk, with seconds: Double
  ) throws(ValidationError) -> Bool {
    guard let uuid = try uuid(walk, .uuid),
      let version = try text(walk, .version).flatMap({ WalkVersion($0) })
    else { return false }
    return (try? rules.wasExported(uuid, version, seconds)) ?? false
  }

  /// Returns the times of the stored walk; nil if there is none.
  private func storedTimes(of walk: WrittenWalk) throws(ValidationError) -> WalkLog.Times? {
    guard let uuid = try uuid(walk, .uuid) else { return nil }
    return (try? rules.storedTimes(uuid)) ?? nil
  }

  /// Returns whether a moment equals an instant, ignoring the fraction of a second, which files
  /// omit.
  private static func isSame(_ instant: Date, _ moment: Moment) -> Bool {
    instant.wholeSecondsSince1970 == moment.secondsSince1970
  }
}

extension Duration {
  /// Reads a length in the form of `--duration`, or of spreadsheets: `1:05:00`.
  ///
  /// - Throws: `ValidationError` for anything else.
  init(inFile text: String) throws(ValidationError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ WordScanner.isNumber($0) }),
      parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }), parts[0].utf8.count < 7,
      let hours = Int(parts[0]), let minutes = Int(parts[1]), let seconds = Int(parts[2]),
      minutes < 60, seconds < 60
    else {
      try self.init(typed: text)
      return
    }
    self = .seconds(hours * 3600 + minutes * 60 + seconds)
  }
}

import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// How long a walk of a file was: by its minutes, by its end, or by both.
extension WalkRecordReader {
  /// The seconds that it took: its minutes, else what lies between start and end.
  ///
  /// Where both are there and disagree, it is the one that differs from the walk that is here, as
  /// in an export in which one of them was changed.
  ///
  /// - Throws: `ValidationError` where they disagree, and the walk that is here does not decide.
  func duration(_ walk: WrittenWalk, from start: Moment) throws(ValidationError) -> Double? {
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
    if hasStoredEnd, !hasStoredLength { return length.seconds }
    let seconds = try seconds(from: start, to: end)
    if hasStoredLength, !hasStoredEnd { return seconds }
    let field = walk[.minutes] == nil ? "duration" : "minutes"
    throw ValidationError(
      "its end and its \(field) disagree (\(Duration.seconds(seconds).reading) and "
        + "\(Duration.seconds(length.seconds).reading)): change both, or leave one of them empty")
  }

  /// A length as it is written.
  private struct Length {
    /// Its seconds.
    let seconds: Double
    /// How far off it may be, by the digits that it is written with.
    let precision: Double
  }

  /// Its minutes, or its length with a unit.
  private func length(of walk: WrittenWalk) throws(ValidationError) -> Length? {
    if let minutes = try number(walk, .minutes) {
      let seconds = Double(secondsOfMinutes: minutes)
      guard seconds > 0, seconds < WalkValues.mostSeconds else {
        throw ValidationError("it cannot be \(minutes.shortest) minutes long")
      }
      // What dogwalk has exported is exact.
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

  /// When it ended.
  private func end(_ typed: String, from start: Moment) throws(ValidationError) -> Moment {
    // Most are as dogwalk writes them, which is quickly found out.
    if let end = Moment(plain: typed) { return end }
    guard let time = ImportRules.time(typed) else { return try moment(typed) }
    // A time alone is one of the clock that showed the start: on that day, or on the next.
    let isElsewhere = zone.utcOffset(at: start.date) != start.utcOffset
    let clock = isElsewhere ? LocalZone.fixed(start.utcOffset) : zone
    let end = try clock.moment(on: start.day, at: time)
    guard end.date < start.date else { return end }
    if let second = clock.secondOccurrence(of: start.day, at: time), second.date > start.date {
      return second
    }
    return try clock.moment(on: start.day.adding(days: 1), at: time)
  }

  /// The seconds between start and end.
  private func seconds(from start: Moment, to end: Moment) throws(ValidationError) -> Double {
    let seconds = end.date.timeIntervalSince(start.date)
    guard seconds != 0 else { throw ValidationError("it ends as it begins") }
    guard seconds > 0 else {
      let hint = rules.timeColumnOfEnd.map {
        ": where that is the next day, name the time alone, --column end=\($0.shellWord)"
      }
      throw ValidationError("it ends before it begins\(hint ?? "")")
    }
    guard seconds < WalkValues.mostSeconds else {
      throw ValidationError("it cannot be \(Duration.seconds(seconds).reading) long")
    }
    return seconds
  }

  // MARK: What disagrees

  /// Whether a length is what lies between start and end, which are whole seconds; either may be
  /// the second of two times that a clock shows.
  private func agrees(_ length: Length, _ start: Moment, _ end: Moment) -> Bool {
    func isBetween(_ start: Moment, _ end: Moment) -> Bool {
      abs(end.date.timeIntervalSince(start.date) - length.seconds) < length.precision
    }
    // Looking into the clocks takes long, and is rarely needed.
    if isBetween(start, end) { return true }
    return occurrences(of: start).contains { start in
      occurrences(of: end).contains { isBetween(start, $0) }
    }
  }

  private func occurrences(of moment: Moment) -> [Moment] {
    [moment, zone.secondOccurrence(of: moment.day, at: moment.time)].compactMap { $0 }
  }

  /// Whether its minutes were taken out of an export, and its end, which says the same, was not.
  private func isCleared(
    _ walk: WrittenWalk, _ start: Moment, _ end: Moment
  ) throws(ValidationError) -> Bool {
    guard walk[.version] != nil, walk[.minutes] != nil, let stored = try storedTimes(of: walk),
      let storedStart = stored.start, let storedEnd = stored.end
    else { return false }
    return Self.isSame(storedStart, start) && Self.isSame(storedEnd, end)
  }

  /// When the walk was by the store; nil where the store does not have it.
  private func storedTimes(of walk: WrittenWalk) throws(ValidationError) -> WalkLog.Times? {
    guard let uuid = try uuid(walk, .uuid) else { return nil }
    return (try? rules.storedTimes(uuid)) ?? nil
  }

  /// Whether a moment is an instant but for the parts of a second that files leave off.
  private static func isSame(_ instant: Date, _ moment: Moment) -> Bool {
    instant.wholeSecondsSince1970 == moment.secondsSince1970
  }
}

extension Duration {
  /// Reads a length as `--duration` does, and as spreadsheets write it: `1:05:00`.
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

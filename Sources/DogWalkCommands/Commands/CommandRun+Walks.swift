import CommandLineKit
import DogWalkModel

extension CommandRun {
  /// The length in seconds above which a walk is unusually long.
  static let longestUsual = 6.0 * 3600

  /// Notes that a new walk is long, and how to correct it.
  ///
  /// - Parameters:
  ///   - walks: Walks of the same length.
  ///   - remedy: The command that corrects it, without the numbers.
  ///   - isNumbered: Whether the walks' numbers follow the command.
  ///   - ending: The text after the numbers.
  func noteLength(
    of walks: [Walk], remedy: String, isNumbered: Bool = true, _ ending: String = ""
  ) throws {
    guard let seconds = walks.first?.seconds, seconds > Self.longestUsual else { return }
    let numbers = isNumbered ? " " + TypedWords.text(of: walks.map { String($0.number) }) : ""
    try note(
      "Note: \(Duration.seconds(seconds).reading) is long for a walk. "
        + "If that is a mistake: \(call) \(remedy)\(numbers)\(ending)")
  }

  /// Notes that a new walk overlaps another walk of its dog.
  ///
  /// - Parameters:
  ///   - other: The earlier walk.
  ///   - remedy: The command that corrects it.
  func noteOverlap(of walk: Walk, _ other: Walk, remedy: String) throws {
    let isAsFar = [other, walk].contains { $0.metres == nil } || other.metres == walk.metres
    if other.isDuplicate(ofStart: walk.date, walk.duration), isAsFar {
      try note(
        "Note: walk \(other.number) of \(other.shownDogName) is the same. "
          + "If that is one too many: \(call) delete \(walk.number)")
    } else {
      let start = try other.start(in: zone).reading(now: clock().now)
      try note(
        "Note: walk \(walk.number) overlaps walk \(other.number): \(other.reading(start)). "
          + "If that is a mistake: \(call) \(remedy)")
    }
  }

  /// Returns the start that a command's words or its `--at` give; `nil` if neither does.
  ///
  /// - Throws: `ValidationError` if both do, or if it is a whole day.
  func moment(_ words: WalkWords) throws -> Moment? {
    guard let typed = values[.at] else { return words.start }
    try refuseSecondTime(words)
    let clock = try self.clock()
    return try When(typed, clock: clock).start(typed: typed, clock: clock)
  }

  /// Returns the start like `moment(_:)`, or a time without a day, to be applied to the walk's own
  /// day.
  ///
  /// - Throws: `ValidationError` as `moment(_:)`, and also for a day given as a number of days ago.
  func times(_ words: WalkWords) throws -> (start: Moment?, alone: WrittenTimes?) {
    guard let typed = values[.at] else { return (words.start, words.timesAlone) }
    try refuseSecondTime(words)
    let written = WrittenWhen(words: TypedWords(typed).lowercased[...])
    if let clock = written?.clockAlone { return (nil, try WrittenTimes(start: clock)) }
    guard written?.isDaysAgo != true else {
      throw try When.complaint(aboutDay: typed, clock: clock())
    }
    return (try moment(words), nil)
  }

  private func refuseSecondTime(_ words: WalkWords) throws(ValidationError) {
    guard words.start == nil, words.timesAlone == nil else {
      throw ValidationError(
        "there is a time among the words and in --at",
        hint: "Give one of them; after --at, a time with a space needs quotes.")
    }
  }

  /// Returns the duration that a command's words or its `--duration` give; `nil` if neither does.
  ///
  /// - Throws: `ValidationError` if both do, or if it cannot be read.
  func duration(_ words: WalkWords) throws(ValidationError) -> Duration? {
    guard let typed = values[.duration] else { return words.duration }
    guard words.duration == nil else {
      throw ValidationError(
        "there is a duration among the words and in --duration", hint: "Give one of them.")
    }
    return try Duration(typed: typed)
  }

  /// Returns the walk with the number given by an operand.
  ///
  /// - Throws: `ValidationError` if it is not a number, `Complaint` if there is no such walk.
  func walk(numbered operand: String) throws -> Walk {
    let number = try WalkNumbers([operand], call: call).numbers[0]
    guard let walk = try log().walk(numbered: number) else {
      throw Complaint(noWalks: [String(number)], nothingDeleted: false, call: call)
    }
    return walk
  }
}

import CommandLineKit
import DogWalkModel

extension CommandRun {
  /// The longest walk that nobody wonders about, in seconds.
  static let longestUsual = 6.0 * 3600

  /// Says of a walk that was written down that it is long, and what to do where that is a slip.
  ///
  /// - Parameters:
  ///   - walks: Walks of one length.
  ///   - remedy: The command that helps, without the numbers.
  ///   - ending: What stands behind the numbers.
  func noteLength(of walks: [Walk], remedy: String, _ ending: String = "") throws {
    guard let seconds = walks.first?.seconds, seconds > Self.longestUsual else { return }
    let numbers = TypedWords.text(of: walks.map { String($0.number) })
    try note(
      "Note: \(Duration.seconds(seconds).reading) is long for a walk. "
        + "If that is a slip: \(call) \(remedy) \(numbers)\(ending)")
  }

  /// Says of a walk that was written down that its dog was out at that time already.
  ///
  /// - Parameters:
  ///   - other: The walk that was there.
  ///   - remedy: The command that helps where that is a slip.
  func noteOverlap(of walk: Walk, _ other: Walk, remedy: String) throws {
    let isAsFar = [other, walk].contains { $0.metres == nil } || other.metres == walk.metres
    if other.isTwin(from: walk.date, walk.duration), isAsFar {
      try note(
        "Note: walk \(other.number) of \(other.shownDogName) is the same. "
          + "If that is one too many: \(call) delete \(walk.number)")
    } else {
      let start = try other.start(in: zone).reading(now: clock().now)
      try note(
        "Note: walk \(walk.number) overlaps walk \(other.number): \(other.reading(start)). "
          + "If that is a slip: \(call) \(remedy)")
    }
  }

  /// The moment that the words of a command name, or its `--at`; `nil` where neither does.
  ///
  /// - Throws: `ValidationError` where both do, and where it is a whole day.
  func moment(_ words: WalkWords) throws -> Moment? {
    guard let typed = values[.at] else { return words.start }
    try refuseSecondTime(words)
    return try When(typed, clock: clock()).start(typed: typed)
  }

  /// The same where a time without a day belongs to the walk's own day, and is not looked up yet.
  ///
  /// - Throws: `ValidationError` as `moment(_:)`, and for a number of days ago, a day then.
  func times(_ words: WalkWords) throws -> (start: Moment?, alone: WrittenTimes?) {
    guard let typed = values[.at] else { return (words.start, words.timesAlone) }
    try refuseSecondTime(words)
    let written = WrittenWhen(words: TypedWords(typed).lowercased[...])
    if let clock = written?.clockAlone { return (nil, try WrittenTimes(start: clock)) }
    guard written?.isDaysAgo != true else { throw When.complaint(aboutDay: typed) }
    return (try moment(words), nil)
  }

  private func refuseSecondTime(_ words: WalkWords) throws(ValidationError) {
    guard words.start == nil, words.timesAlone == nil else {
      throw ValidationError(
        "there is a time among the words and in --at",
        hint: "Give one of them; behind --at a time with a space in it stands in quotes.")
    }
  }

  /// The duration that the words of a command name, or its `--duration`; `nil` where neither does.
  ///
  /// - Throws: `ValidationError` where both do, and where it cannot be read.
  func duration(_ words: WalkWords) throws(ValidationError) -> Duration? {
    guard let typed = values[.duration] else { return words.duration }
    guard words.duration == nil else {
      throw ValidationError(
        "there is a duration among the words and in --duration", hint: "Give one of them.")
    }
    return try Duration(typed: typed)
  }

  /// The walk whose number an operand is.
  ///
  /// - Throws: `ValidationError` where it is no number, and `Complaint` where no walk has it.
  func walk(numbered operand: String) throws -> Walk {
    let number = try WalkNumbers([operand], call: call).numbers[0]
    guard let walk = try log().walk(numbered: number) else {
      throw Complaint(noWalks: [String(number)], nothingDeleted: false, call: call)
    }
    return walk
  }
}

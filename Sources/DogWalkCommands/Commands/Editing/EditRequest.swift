import CommandLineKit
import DogWalkModel
import SystemLibraries

/// The changes that `dogwalk edit` is asked for, parsed, and checked as far as possible without the
/// walk.
///
/// Of each value, the outer `nil` leaves the walk's value unchanged, the inner one removes it.
struct EditRequest {
  /// The numbers of the walks.
  let numbers: [ClosedRange<Int64>]
  /// The tags to add.
  let addedTags: [String]
  /// The tags to remove.
  let removedTags: [String]
  private let dog: Dog?
  private let start: Moment?
  /// The start, or start and end, without a day: each walk keeps its own.
  private let timesAlone: WrittenTimes?
  private let seconds: Double??
  private let distance: Double??
  private let note: String??
  private let walker: String??
  private let peeCount: Int??
  private let pooCount: Int??

  /// Whether the walk may now be identical to another one, or overlap it.
  var isTimed: Bool { dog != nil || start != nil || timesAlone != nil || seconds != nil }
  /// Whether the walk may be longer now.
  var isLonger: Bool { seconds != nil }

  /// Reads the words and options of a run.
  ///
  /// - Throws: `ValidationError` if there is nothing to change or a value cannot be read, and
  ///   `Complaint` for a dog that does not exist.
  init(_ run: CommandRun) throws {
    let values = run.values
    let ids = Self.walkNumbers(values.operands)
    numbers = WalkNumbers.split(Array(ids)).numbers
    // A word that is not a number is refused here.
    if numbers.isEmpty { _ = try WalkNumbers([values.operands[0]], call: run.call) }
    let tags = try TypedTags(
      Array(values.operands.dropFirst(max(1, ids.count))), more: values.all(.tag))
    addedTags = tags.names
    removedTags = try tags.removedNames(values.all(.untag))
    let typed = tags.words
    let changes: [Option] = [
      .toDog, .duration, .at, .distance, .note, .by, .pee, .poo, .untag,
    ]
    guard !typed.isEmpty || !addedTags.isEmpty || !values.given(among: changes).isEmpty else {
      throw ValidationError("there is nothing to change", hint: Self.hint(ids, call: run.call))
    }
    let words = try run.walkWords(typed, makesNew: false, takesBareNumbers: false, keepsDay: true)
    let given = WalkValues(values)
    seconds =
      given.isGone(.duration) && words.duration == nil
      ? .some(nil) : try run.duration(words).map(WalkValues.seconds)
    guard !given.isGone(.at), !given.isGone(.toDog) else {
      throw ValidationError(
        "a walk has a start and a dog", hint: "Name another one, or leave the option out.")
    }
    (start, timesAlone) = try run.times(words)
    distance =
      given.isGone(.distance) && words.distance == nil
      ? .some(nil) : try run.metres(words).map { .some($0) }
    note = try given.change(.note) { try given.note() }
    walker =
      given.isGone(.by) && words.walker == nil
      ? .some(nil) : try run.walker(words).map { .some($0) }
    peeCount = try given.change(.pee) { try given.count(.pee) }
    pooCount = try given.change(.poo) { try given.count(.poo) }
    // A dog is never created here, since its name is easily misspelled.
    let dogs = try run.dogs(named: words.dogs + values.all(.toDog))
    guard dogs.count <= 1 else {
      throw ValidationError(
        "a walk has one dog, not \(sentenceList(dogs.map(\.name)))", hint: "Name one of them.")
    }
    dog = dogs.first
  }

  /// Returns the hint if there are only numbers: `3 40` most likely means `3 40m`.
  private static func hint(_ ids: ArraySlice<String>, call: String) -> String {
    let last = ids.dropFirst().last
    let length = last.flatMap { WalkNumbers.isRange($0) ? nil : $0 } ?? "40"
    let example = "\(call) edit \(ids[0]) \(length)m"
    return last == nil
      ? "Say what, as in \(example)."
      : "Numbers are those of walks here: a length has its unit, as in \(example), and a time is "
        + "written 18:00 or 7pm."
  }

  /// Returns the leading words that are numbers of walks: not the 40 of `40 min` or the 7 of `7
  /// pm`.
  private static func walkNumbers(_ operands: [String]) -> ArraySlice<String> {
    let end = operands.indices.first { index in
      WalkNumbers.range(operands[index]) == nil
        || index > 0 && WalkNumbers.hasUnit(operands[index...])
    }
    return operands[..<(end ?? operands.endIndex)]
  }

  /// Changes a walk without saving it.
  ///
  /// - Throws: `ValidationError` if it would begin or end in the future.
  func apply(to walk: Walk, in log: WalkLog, clock: WallClock) throws {
    let (start, seconds) = try times(of: walk, clock)
    if start != nil || seconds != nil, let begin = start ?? walk.start(in: clock.zone) {
      try WalkValues.refuseImpossible(
        begin, seconds: seconds ?? walk.seconds, clock: clock, of: "walk \(walk.number)",
        beginHint: "Write a time that has passed.", endHint: endHint(clock))
    }
    // Another program may have left this empty; every walk that is saved has a value.
    walk.isOngoing = walk.isOngoing
    if let dog, dog !== walk.dog { dog.addToWalks(walk) }
    if let start {
      walk.date = start.date
      walk.utcOffset = Int32(start.utcOffset)
    }
    if let seconds {
      walk.duration = seconds
      // A walk with a length is over.
      if seconds != nil { walk.isOngoing = false }
    }
    if let distance { walk.distance = distance }
    if let note { walk.note = note }
    if let walker { walk.walker = try log.walker(named: walker) }
    if let peeCount { walk.peeCount = peeCount.map { Int16(clamping: $0) } }
    if let pooCount { walk.pooCount = pooCount.map { Int16(clamping: $0) } }
  }

  /// Returns the new start and length of a walk; `nil` for unchanged ones.
  ///
  /// A time without a day is on the walk's own day, in its own zone.
  private func times(
    of walk: Walk, _ clock: WallClock
  ) throws(ValidationError) -> (start: Moment?, seconds: Double??) {
    guard let timesAlone else { return (start, seconds) }
    let (start, length) = try timesAlone.moments(
      onDayOf: walk.start(in: clock.zone),
      clock: WallClock(now: clock.now.date, zone: walk.zone(orElse: clock.zone)))
    return (start, length.map { .some(Double($0)) } ?? seconds)
  }

  /// Returns the hint if the walk would end in the future, since it may have begun earlier.
  private func endHint(_ clock: WallClock) -> String {
    guard start == nil, timesAlone == nil, let seconds, let seconds else {
      return "Change the time or the duration: together they reach into the future."
    }
    let now = clock.now
    let begin = clock.zone.moment(at: now.date.addingTimeInterval(-seconds))
    return "If it has just ended, write when it began too: "
      + (begin.day == now.day ? "\(begin.time)." : "\(begin.day) \(begin.time).")
  }
}

@available(*, unavailable)
extension EditRequest: Sendable {}

extension WalkValues {
  /// Returns the change of an option: nil if it was not given, a removal if its value is empty.
  fileprivate func change<Value>(
    _ option: Option, to value: () throws -> Value?
  ) rethrows -> Value?? {
    guard isGiven(option) else { return nil }
    return isGone(option) ? .some(nil) : .some(try value())
  }
}

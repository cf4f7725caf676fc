import CommandLineKit
import DogWalkModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What `dogwalk add` is asked to write down, all of it understood and checked.
struct AddRequest {
  /// The walk.
  let draft: WalkDraft
  /// Whose it is: one name at least.
  let dogs: [String]

  /// Reads the words and options of a run.
  ///
  /// The store is only looked at where a word needs it.
  ///
  /// - Throws: `ValidationError` for anything that would not be a walk, and errors of the store.
  init(_ run: CommandRun) throws {
    let values = run.values
    let clock = try run.clock()
    let words = try WalkWords(
      values.operands, isNew: values.contains(.new), dogs: KnownDogs(run), clock: clock)
    let duration = try Self.duration(words, values)
    let start = try Self.start(words, values, clock)
    draft = try Self.draft(start: start, duration: duration, values: values, clock: clock)
    dogs = try Self.dogs(words, run)
  }

  // MARK: When and how long

  private static func duration(
    _ words: WalkWords, _ values: ArgumentValues
  ) throws(ValidationError) -> Duration? {
    guard let typed = values[.duration] else { return words.duration }
    guard words.duration == nil else {
      throw ValidationError(
        "there is a duration among the words and in --duration", hint: "Give one of them.")
    }
    return try Duration(typed: typed)
  }

  private static func start(
    _ words: WalkWords, _ values: ArgumentValues, _ clock: WallClock
  ) throws(ValidationError) -> Moment? {
    guard let typed = values[.at] else { return words.start }
    guard words.start == nil else {
      throw ValidationError(
        "there is a time among the words and in --at", hint: "Give one of them.")
    }
    return try When(typed, clock: clock).start(typed: typed)
  }

  private static func draft(
    start: Moment?, duration: Duration?, values: ArgumentValues, clock: WallClock
  ) throws -> WalkDraft {
    let seconds = duration.map { Double($0.components.seconds) }
    if let seconds, seconds <= 0 {
      throw ValidationError(
        "a walk of \(Duration.seconds(seconds).reading) is none",
        hint: "Write 35m, or leave the duration out where you don't know it.")
    }
    let begin =
      start ?? clock.zone.moment(at: clock.now.date.addingTimeInterval(-(seconds ?? 0)))
    try refuseFuture(begin, seconds: seconds, clock: clock)
    var draft = WalkDraft(start: begin.date, utcOffset: begin.utcOffset)
    draft.duration = seconds
    draft.distance = try distance(values)
    draft.note = try values[.note].flatMap(TypedText.note)
    draft.walker = try values[.by].map { try TypedText.name($0, of: "the walker") }
    draft.peeCount = try count(.pee, values)
    draft.pooCount = try count(.poo, values)
    return draft
  }

  private static func refuseFuture(
    _ start: Moment, seconds: Double?, clock: WallClock
  ) throws(ValidationError) {
    let now = clock.now
    // Told by the local clock, whatever offset was typed.
    if start.date > now.date {
      let begin = clock.zone.moment(at: start.date)
      throw ValidationError(
        "\(begin.fullReading(now: now)) is still to come: now it is \(now.fullReading(now: now))",
        hint: "Write a walk down when it is over.")
    }
    let end = start.adding(seconds: seconds ?? 0)
    if end.date > now.date {
      let reading = clock.zone.moment(at: end.date).reading(now: now)
      throw ValidationError(
        "that walk would end \(reading), and now it is \(now.time)",
        hint: "Leave the time out for a walk that ends now, or the duration where it is not over.")
    }
  }

  // MARK: The rest

  private static func distance(_ values: ArgumentValues) throws(ValidationError) -> Double? {
    guard let typed = values[.distance] else { return nil }
    let metres = try Distance(typed: typed).metres
    guard metres > 0 else {
      throw ValidationError(
        "a distance of \(typed.escapingControls) is none",
        hint: "Write 2.4km, or leave --distance out.")
    }
    return metres
  }

  private static func count(
    _ option: Option, _ values: ArgumentValues
  ) throws(ValidationError) -> Int? {
    guard values.contains(option) else { return nil }
    guard let typed = values[option] else { return 1 }
    guard let count = Int(typed), (0...99).contains(count) else {
      throw ValidationError(
        "--\(option.name) cannot be \(ValidationError.quoted(typed))",
        hint: "Write --\(option.name), or --\(option.name)=2: up to 99.")
    }
    return count
  }

  // MARK: Whose

  private static func dogs(_ words: WalkWords, _ run: CommandRun) throws -> [String] {
    var names: [String] = []
    for name in words.dogs { names.append(try TypedText.name(name, of: "a dog")) }
    let known = KnownDogs(run)
    for typed in run.values.all(.dog) {
      let name = try TypedText.name(typed, of: "a dog")
      try known.refuseSlip(in: name, isNew: run.values.contains(.new))
      names.append(name)
    }
    return names.isEmpty ? [try currentDog(run)] : names
  }

  private static func currentDog(_ run: CommandRun) throws -> String {
    if let name = try run.currentDogName() {
      try KnownDogs(run).refuseSlip(in: name, isNew: run.values.contains(.new))
      return name
    }
    let names = try run.log().dogs().map(\.name)
    // With no dog at all, the tutorial's first one.
    guard let first = names.first else { return "Fido" }
    throw ValidationError(
      "whose walk was it? There are \(sentenceList(names)). Name one, or choose one for good: "
        + "dogwalk dogs use \(first.escapingControls)")
  }
}

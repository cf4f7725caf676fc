import CommandLineKit
import DogWalkModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What `dogwalk edit` is asked to change, understood and checked but for what the walk itself
/// decides.
///
/// Of each, the outer `nil` leaves the walk's value as it is, the inner one takes it away.
struct EditRequest {
  private let dog: Dog?
  private let start: Moment?
  private let seconds: Double??
  private let distance: Double??
  private let note: String??
  private let walker: String??
  private let peeCount: Int??
  private let pooCount: Int??

  /// Reads the options of a run.
  ///
  /// - Throws: `ValidationError` where nothing is to be changed or a value cannot be read, and
  ///   `Complaint` for a dog that is not there.
  init(_ run: CommandRun) throws {
    let values = run.values
    let changes: [Option] = [.toDog, .duration, .at, .distance, .note, .by, .pee, .poo]
    guard !values.given(among: changes).isEmpty else {
      throw ValidationError(
        "there is nothing to change",
        hint: "Say what, as in dogwalk edit \(values.operands[0].escapingControls) --duration 40m.")
    }
    let given = WalkValues(values)
    seconds = try given.change(.duration) {
      try values[.duration].map { try WalkValues.seconds(Duration(typed: $0)) }
    }
    guard !given.isGone(.at), !given.isGone(.toDog) else {
      throw ValidationError(
        "a walk has a start and a dog", hint: "Name another one, or leave the option out.")
    }
    let clock = try run.clock()
    start = try values[.at].map { try When($0, clock: clock).start(typed: $0) }
    distance = try given.change(.distance) { try given.distance() }
    note = try given.change(.note) { try given.note() }
    walker = try given.change(.by) { try given.walker() }
    peeCount = try given.change(.pee) { try given.count(.pee) }
    pooCount = try given.change(.poo) { try given.count(.poo) }
    // Found, never made: whose walk it was is easily mistyped.
    dog = try run.dogs(named: values.all(.toDog)).first
  }

  /// Changes a walk; it is not saved yet.
  ///
  /// - Throws: `ValidationError` where it would begin or end in the future.
  func apply(to walk: Walk, clock: WallClock) throws(ValidationError) {
    if start != nil || seconds != nil {
      try WalkValues.refuseFuture(
        start ?? walk.start(in: clock.zone), seconds: seconds ?? walk.seconds, clock: clock,
        beginHint: "Write a time that has passed.",
        endHint: "Change the time or the duration: together they reach into the future.")
    }
    if let dog, dog !== walk.dog { dog.addToWalks(walk) }
    if let start {
      walk.date = start.date
      walk.utcOffset = Int32(start.utcOffset)
    }
    if let seconds {
      walk.duration = seconds
      // Whoever knows how long it was knows that it is over.
      walk.isOngoing = false
    }
    if let distance { walk.distance = distance }
    if let note { walk.note = note }
    if let walker { walk.walker = walker }
    if let peeCount { walk.peeCount = peeCount.map { Int16(clamping: $0) } }
    if let pooCount { walk.pooCount = pooCount.map { Int16(clamping: $0) } }
  }
}

@available(*, unavailable)
extension EditRequest: Sendable {}

extension WalkValues {
  /// What an option changes: nothing where it was not given, away with it where it is empty.
  fileprivate func change<Value>(
    _ option: Option, to value: () throws -> Value?
  ) rethrows -> Value?? {
    guard isGiven(option) else { return nil }
    return isGone(option) ? .some(nil) : .some(try value())
  }
}

import CommandLineKit
import DogWalkModel
import SystemLibraries

/// The walks that `dogwalk stop` is asked to end.
struct StopRequest {
  /// The walks in progress.
  let walks: [Walk]
  private let end: Moment
  private let distance: Double?
  private let note: String?
  private let tags: [String]
  private let walker: String?
  private let peeCount: Int?
  private let pooCount: Int?

  /// Reads the words and options of a run.
  ///
  /// - Throws: `ValidationError` for values that cannot be read and an end before the start, and
  ///   `Complaint` if no walk is in progress, or a named dog is not on one.
  init(_ run: CommandRun) throws {
    let clock = try run.clock()
    let tags = try TypedTags(run.values.operands, more: run.values.all(.tag))
    self.tags = tags.names
    let words = try run.walkWords(
      tags.words, makesNew: false, takesLength: false, keepsDay: true)
    guard words.duration == nil else {
      throw ValidationError(
        "a walk that was timed has its length",
        hint: "Say when it ended, as in \(run.call) stop 18:30 or \(run.call) stop 5m ago.")
    }
    let (typed, timesAlone) = try run.times(words)
    var end = try typed ?? timesAlone?.moments(onDayOf: nil, clock: clock).start ?? clock.now
    try WalkValues.refuseImpossible(
      end, seconds: nil, clock: clock, beginHint: "Stop it when it ends.")
    let given = WalkValues(run.values)
    distance = try run.metres(words)
    note = try given.note()
    peeCount = try given.count(.pee)
    pooCount = try given.count(.poo)
    let dogs = try run.dogs(named: words.dogs + run.values.all(.dog))
    let choice = try StopChoice(run, words, names: !dogs.isEmpty)
    walker = choice.walker
    walks = try choice.walks(Self.walks(of: dogs, run), now: clock.now)
    // Where the clock goes back, a time alone occurs twice.
    if timesAlone != nil, walks.contains(where: { $0.start.map { $0 > end.date } ?? false }),
      let second = run.zone.secondOccurrence(of: end.day, at: end.time),
      second.date <= clock.now.date
    {
      end = second
    }
    self.end = end
    for walk in walks {
      guard let start = walk.start(in: run.zone) else {
        throw Complaint(
          .badData, "\(walk.shownDogName)'s walk has no date, so its length is unknown",
          hint: "Say when it began first: \(run.call) edit \(walk.number) 18:00")
      }
      guard start.date <= end.date else {
        // A time without a day then means the next one rather than the last.
        if let next = try timesAlone?.moments(onDayOf: clock.now, clock: clock).start {
          try WalkValues.refuseImpossible(
            next, seconds: nil, clock: clock, beginHint: "Stop it when it ends.")
        }
        throw ValidationError(
          "\(walk.shownDogName)'s walk began \(start.reading(now: clock.now)): "
            + "it cannot end before that",
          hint: "Write a later time.")
      }
      guard end.date.timeIntervalSince(start.date) < WalkValues.mostSeconds else {
        throw ValidationError(
          "\(walk.shownDogName)'s walk began \(start.reading(now: clock.now)): it is too long",
          hint: "Say when it began first: \(run.call) edit \(walk.number) 18:00")
      }
    }
  }

  private static func walks(of dogs: [Dog], _ run: CommandRun) throws -> [Walk] {
    var query = WalkQuery()
    query.isOngoing = true
    query.dogs = dogs
    let walks = try Array(run.log().walks(query).reversed())
    if let dog = dogs.first(where: { dog in !walks.contains { $0.dog === dog } }) {
      throw Complaint(
        .no, "\(dog.name.escapingControls) is not out", hint: "\(run.call) start begins a walk.")
    }
    guard !walks.isEmpty else {
      throw Complaint(.no, "no dog is out", hint: "\(run.call) start begins a walk.")
    }
    return walks
  }

  /// Ends the walks without saving them.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read.
  func apply(in log: WalkLog) throws {
    let walker = try log.walker(named: walker)
    for walk in walks {
      // Times are whole seconds, so a shorter walk counts as one second.
      walk.duration = max(1, end.date.timeIntervalSince(walk.start ?? end.date).rounded())
      walk.isOngoing = false
      if let distance { walk.distance = distance }
      if let note { walk.note = note }
      if let walker, walk.walker == nil { walk.walker = walker }
      if let peeCount { walk.peeCount = Int16(clamping: peeCount) }
      if let pooCount { walk.pooCount = Int16(clamping: pooCount) }
    }
    try log.setTags(of: walks, adding: tags, removing: [])
  }
}

@available(*, unavailable)
extension StopRequest: Sendable {}

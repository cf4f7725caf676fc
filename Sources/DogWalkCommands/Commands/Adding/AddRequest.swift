import CommandLineKit
import DogWalkModel
import SystemLibraries

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
    let duration = try run.duration(words)
    let start = try run.moment(words)
    if let path = values[.gpx] { try run.refuseReadingStore(from: path) }
    let track = try GPXTrack(values, isTimed: start != nil || duration != nil)
    draft = try Self.draft(
      start: track.map { clock.zone.moment(at: $0.start) } ?? start,
      duration: track.map { $0.seconds > 0 ? .seconds($0.seconds) : nil } ?? duration,
      track: track?.points, values: values, clock: clock)
    dogs = try run.dogNames(words)
  }

  // MARK: When and how long

  private static func draft(
    start: Moment?, duration: Duration?, track: TrackPoints?, values: ArgumentValues,
    clock: WallClock
  ) throws -> WalkDraft {
    let seconds = try duration.map(WalkValues.seconds)
    let begin =
      start ?? clock.zone.moment(at: clock.now.date.addingTimeInterval(-(seconds ?? 0)))
    try WalkValues.refuseFuture(begin, seconds: seconds, clock: clock)
    var draft = WalkDraft(start: begin.date, utcOffset: begin.utcOffset)
    draft.duration = seconds
    let given = WalkValues(values)
    let metres = track?.metres.rounded() ?? 0
    draft.distance = try metres > 0 ? metres : given.distance()
    draft.track = track
    draft.note = try given.note()
    draft.walker = try given.walker()
    draft.peeCount = try given.count(.pee)
    draft.pooCount = try given.count(.poo)
    return draft
  }
}

import CommandLineKit
import DogWalkModel
import SystemLibraries

/// What `dogwalk add` is asked to write down, all of it understood and checked.
struct AddRequest {
  /// The walks: one, or those that a tracker's file tells of.
  let drafts: [WalkDraft]
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
    let tags = try TypedTags(values.operands, more: values.all(.tag))
    let words = try WalkWords(
      tags.words, isNew: values.contains(.new), dogs: KnownDogs(run), clock: clock)
    let duration = try run.duration(words)
    let start = try run.moment(words)
    if let path = values[.gpx] { try run.refuseReadingStore(from: path) }
    let tracks = try GPXTrack.tracks(
      values, isTimed: start != nil || duration != nil, zone: clock.zone)
    let drafts =
      tracks.isEmpty
      ? [try Self.draft(start: start, duration: duration, values: values, clock: clock)]
      : try tracks.map { track in
        var draft = try Self.draft(
          start: clock.zone.moment(at: track.start),
          duration: track.seconds > 0 ? .seconds(track.seconds) : nil, values: values,
          clock: clock)
        draft.distance = track.metres
        draft.track = track.points
        return draft
      }
    self.drafts = drafts.map { draft in
      var draft = draft
      draft.tags = tags.names
      return draft
    }
    dogs = try run.dogNames(words)
  }

  // MARK: When and how long

  private static func draft(
    start: Moment?, duration: Duration?, values: ArgumentValues, clock: WallClock
  ) throws -> WalkDraft {
    let seconds = try duration.map(WalkValues.seconds)
    let begin =
      start ?? clock.zone.moment(at: clock.now.date.addingTimeInterval(-(seconds ?? 0)))
    try WalkValues.refuseFuture(begin, seconds: seconds, clock: clock)
    var draft = WalkDraft(start: begin.date, utcOffset: begin.utcOffset)
    draft.duration = seconds
    let given = WalkValues(values)
    draft.distance = try given.distance()
    draft.note = try given.note()
    draft.walker = try given.walker()
    draft.peeCount = try given.count(.pee)
    draft.pooCount = try given.count(.poo)
    return draft
  }
}

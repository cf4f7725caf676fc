import CommandLineKit
import DogWalkModel
import SystemLibraries

/// What `dogwalk add` is asked to write down, all of it understood and checked.
struct AddRequest {
  /// The walks: one, or those that trackers' files tell of.
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
    let files = try Self.files(values)
    let words = try run.walkWords(
      files.isEmpty ? tags.words : tags.words.filter { !Self.isTrack($0) })
    let duration = try run.duration(words)
    let start = try run.moment(words)
    for path in files { try run.refuseReadingStore(from: path) }
    var draft = try Self.draft(run, words)
    draft.tags = tags.names
    if files.isEmpty {
      drafts = [try Self.timed(draft, start: start, duration: duration, clock)]
    } else {
      // A track that tells nothing is refused before what is said beside it.
      let tracks = try files.flatMap {
        try GPXTrack.tracks(readingFrom: $0, zone: clock.zone, call: run.call)
      }
      try GPXTrack.refuseRepetition(
        isTimed: start != nil || duration != nil,
        isMeasured: words.distance != nil || values.contains(.distance))
      drafts = try tracks.map { track in
        draft.distance = track.metres
        draft.track = track.points
        return try Self.timed(
          draft, start: clock.zone.moment(at: track.start),
          duration: track.seconds > 0 ? .seconds(track.seconds) : nil, clock)
      }
    }
    dogs = try run.dogNames(words)
  }

  /// The files of `--gpx`, in the order in which they were typed; none where it is not there.
  ///
  /// The shell makes several words of `--gpx *.gpx`.
  private static func files(_ values: ArgumentValues) throws(ValidationError) -> [String] {
    let named = values.all(.gpx)
    guard !named.contains("") else {
      throw ValidationError("--gpx names no file", hint: "Write --gpx FILE.")
    }
    return named.isEmpty ? [] : values.all(.gpx, or: isTrack)
  }

  private static func isTrack(_ word: String) -> Bool {
    word.lowercased().hasSuffix(".gpx") && !TypedTags.isTag(word)
  }

  // MARK: When and how long

  /// A walk with all that is said but when it was.
  private static func draft(_ run: CommandRun, _ words: WalkWords) throws -> WalkDraft {
    let now = try run.clock().now
    var draft = WalkDraft(start: now.date, utcOffset: now.utcOffset)
    let given = WalkValues(run.values)
    draft.distance = try run.metres(words)
    draft.note = try given.note()
    draft.walker = try run.newWalker(words)
    draft.peeCount = try given.count(.pee)
    draft.pooCount = try given.count(.poo)
    return draft
  }

  /// The walk with its time, which is not in the future.
  private static func timed(
    _ draft: WalkDraft, start: Moment?, duration: Duration?, _ clock: WallClock
  ) throws -> WalkDraft {
    let seconds = try duration.map(WalkValues.seconds)
    let begin =
      start ?? clock.zone.moment(at: clock.now.date.addingTimeInterval(-(seconds ?? 0)))
    try WalkValues.refuseImpossible(begin, seconds: seconds, clock: clock)
    var draft = draft
    draft.start = begin.date
    draft.utcOffset = begin.utcOffset
    draft.duration = seconds
    return draft
  }
}

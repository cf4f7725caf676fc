import CommandLineKit
import DogWalkModel
import SystemLibraries

/// The walks that `dogwalk add` is asked to add, parsed and checked.
struct AddRequest {
  /// The walks: one, or those recorded in tracker files.
  let drafts: [WalkDraft]
  /// The names of the dogs, at least one.
  let dogs: [String]

  /// Reads the words and options of a run.
  ///
  /// The store is only read if a word requires it.
  ///
  /// - Throws: `ValidationError` for anything that would not be a valid walk, and errors of the
  ///   store.
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
      // An unusable track is reported before values that repeat it.
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

  /// Returns the files of `--gpx` in the order typed; none without the option.
  ///
  /// The shell expands `--gpx *.gpx` to several words.
  private static func files(_ values: ArgumentValues) throws(ValidationError) -> [String] {
    let named = values.all(.gpx)
    guard !named.contains("") else {
      throw ValidationError("--gpx needs the name of a file", hint: "Write --gpx FILE.")
    }
    return named.isEmpty ? [] : values.all(.gpx, or: isTrack)
  }

  private static func isTrack(_ word: String) -> Bool {
    word.lowercased().hasSuffix(".gpx") && !TypedTags.isTag(word)
  }

  // MARK: Time and length

  /// Returns a walk with all values except its time.
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

  /// Returns the walk with its time, which may not be in the future.
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

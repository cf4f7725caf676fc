import CommandLineKit
import DogWalkModel

/// What `dogwalk start` is asked to begin.
struct StartRequest {
  /// The walk, going on.
  let draft: WalkDraft
  /// Whose it is: one name at least.
  let dogs: [String]

  /// Reads the words and options of a run.
  ///
  /// - Throws: `ValidationError` for what cannot be read.
  init(_ run: CommandRun) throws {
    let values = run.values
    let clock = try run.clock()
    let tags = try TypedTags(values.operands, more: values.all(.tag))
    let words = try run.walkWords(tags.words, takesLength: false)
    guard words.duration == nil, words.distance == nil else {
      throw ValidationError(
        "a walk that begins has no length yet",
        hint: "For one that is over: \(run.call("add"))")
    }
    let begin = try run.moment(words) ?? clock.now
    try WalkValues.refuseImpossible(
      begin, seconds: nil, clock: clock, beginHint: "Start it when it begins.")
    var draft = WalkDraft(start: begin.date, utcOffset: begin.utcOffset)
    draft.isOngoing = true
    draft.tags = tags.names
    let given = WalkValues(values)
    draft.note = try given.note()
    draft.walker = try run.newWalker(words)
    self.draft = draft
    dogs = try run.dogNames(words)
  }

}

extension CommandRun {
  /// Writes a walk down that begins, for each of some dogs, unless one of them is out.
  ///
  /// In one transaction with what has to hold, or two who start at once would both find the dog at
  /// home.
  ///
  /// - Throws: `Complaint` where a dog is out already.
  func start(_ draft: WalkDraft, for dogs: [String]) throws -> WalkLog.Added {
    try log().performWriting {
      var query = WalkQuery()
      query.dogs = try dogs.compactMap { try log().dog(named: $0) }
      query.isOngoing = true
      if !query.dogs.isEmpty, let walk = try log().walks(query).first {
        let start = try walk.start(in: zone).reading(now: clock().now)
        throw Complaint(
          .no, "\(walk.shownDogName) is out already, since \(start)",
          hint: "\(call) stop ends that walk.")
      }
      return try log().add(draft, to: dogs)
    }
  }
}

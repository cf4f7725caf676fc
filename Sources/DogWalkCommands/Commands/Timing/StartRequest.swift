import CommandLineKit
import DogWalkModel

/// The walk that `dogwalk start` is asked to begin.
struct StartRequest {
  /// The walk, in progress.
  let draft: WalkDraft
  /// The names of the dogs, at least one.
  let dogs: [String]

  /// Reads the words and options of a run.
  ///
  /// - Throws: `ValidationError` for values that cannot be read.
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
  /// Begins a walk of some dogs, unless one of them is already on one.
  ///
  /// Checked in the same transaction, so that two concurrent commands cannot both start a walk of
  /// the same dog.
  ///
  /// - Throws: `Complaint` if a dog is already on a walk.
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

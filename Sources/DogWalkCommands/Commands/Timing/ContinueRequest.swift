import CommandLineKit
import DogWalkModel

/// The walk that `dogwalk continue` is asked to begin, like a previous one.
struct ContinueRequest {
  /// The walk, in progress.
  let draft: WalkDraft
  /// The names of the dogs, at least one.
  let dogs: [String]

  /// Reads the words and options of a run, and looks up the previous walk.
  ///
  /// - Throws: `ValidationError` for values that cannot be read, and `Complaint` if there is no
  ///   such walk, or if it has not ended.
  init(_ run: CommandRun) throws {
    let clock = try run.clock()
    let added = try TypedTags(run.values.operands, more: run.values.all(.tag))
    let (number, rest) = try Self.split(added.words, call: run.call)
    let words = try run.walkWords(
      rest, makesNew: false, takesLength: false, takesBareNumbers: false)
    guard words.duration == nil, words.distance == nil else {
      throw ValidationError(
        "a walk that begins has no length yet", hint: "Say when it began, as in 5m ago.")
    }
    let begin = try run.moment(words) ?? clock.now
    try WalkValues.refuseImpossible(
      begin, seconds: nil, clock: clock, beginHint: "Continue it when it begins.")
    let named = try run.dogs(named: words.dogs + run.values.all(.dog))
    let walk = try Self.walk(number, of: named, with: added.names, run, now: clock.now)
    let outing = try ([walk] + run.companions(of: walk)).sorted { $0.number < $1.number }
    dogs = (named.isEmpty ? outing.compactMap(\.dog) : named).map(\.name)
    var draft = WalkDraft(start: begin.date, utcOffset: begin.utcOffset)
    draft.isOngoing = true
    let isNobodys = run.values[.by]?.isEmpty ?? false
    draft.walker = try run.newWalker(words) ?? (isNobodys ? nil : walk.walkerName)
    draft.tags = walk.tagNames + added.names
    self.draft = draft
  }

  /// Returns the number at the beginning of some words, and the words after it.
  private static func split(
    _ words: [String], call: String
  ) throws(ValidationError) -> (number: String?, rest: [String]) {
    guard let first = words.first, WalkNumbers.isRange(first) || WordScanner.isNumber(first[...]),
      !WalkNumbers.hasUnit(words[...])
    else { return (nil, words) }
    let rest = Array(words.dropFirst())
    let hasSecond = rest.first.map { WalkNumbers.range($0) != nil } ?? false
    guard !WalkNumbers.isRange(first), !hasSecond || WalkNumbers.hasUnit(rest[...]) else {
      throw ValidationError(
        "one walk is continued at a time",
        hint: "Its dogs go with it; of others name them: \(call) start Fido Rex")
    }
    return (first, rest)
  }

  /// Returns the walk with a number, else the last one of some dogs, or of any, with some tags.
  private static func walk(
    _ number: String?, of dogs: [Dog], with tags: [String], _ run: CommandRun, now: Moment
  ) throws -> Walk {
    guard let number else { return try lastWalk(of: dogs, with: tags, run, now: now) }
    let walk = try run.walk(numbered: number)
    guard !walk.isOngoing else {
      throw Complaint(
        .no, "walk \(walk.number) of \(walk.shownDogName) is still going on",
        hint: "\(run.call) stop ends it.")
    }
    guard walk.dog != nil else {
      throw Complaint(
        .no, "walk \(walk.number) has no dog", hint: "Name it: \(run.call) start Fido")
    }
    return walk
  }

  /// Returns the last walk that has ended: of the usual walker if there is one, else of any.
  private static func lastWalk(
    of dogs: [Dog], with tags: [String], _ run: CommandRun, now: Moment
  ) throws -> Walk {
    var query = WalkQuery()
    query.dogs = dogs
    query.tagKeys = tags.map { NameKey.of($0) }
    query.isOver = true
    query.latest = now.date
    query.limit = 1
    if let usual = try run.usualWalker().map(NameKey.of),
      let walker = try run.log().walkers().first(where: { $0.nameKey == usual })
    {
      query.walker = walker
      if let own = try run.log().walks(query).first { return own }
      query.walker = nil
    }
    guard let walk = try run.log().walks(query).first else {
      let whose = dogs.isEmpty ? "" : " of \(sentenceList(dogs.map(\.name)))"
      let which = tags.map { " +\($0.escapingControls)" }.joined()
      let hints = try run.hints(aboutTags: tags)
      throw Complaint(
        .no, "there is no walk\(whose)\(which) that is over",
        hint: TypedWords.text(of: hints + ["\(run.call) start begins one."]))
    }
    return walk
  }
}

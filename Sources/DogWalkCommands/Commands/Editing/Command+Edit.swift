import CommandLineKit
import DogWalkModel

extension Option {
  /// `-d`, `--dog`: the dog that the walk is given to.
  static let toDog = Option(
    "dog", short: "d", value: .required("NAME"), help: "whose walk it was: an existing dog",
    completion: .dogs)
}

extension Command {
  /// `dogwalk edit`: changes walks.
  static let edit = Command(
    CommandSpecification(
      abstract: "Change walks; if one of them cannot be changed, none is.",
      examples: [
        .init("dogwalk edit 3 40m", "walk 3 was 40 minutes"),
        .init("dogwalk edit 3 yesterday 18:00 Rex", "it began at that time, and the dog was Rex"),
        .init("dogwalk edit 3 5-8 --by Ana", "Ana walked those"),
        .init("dogwalk edit 3 --note rain --by=", "set the note, remove the walker"),
      ],
      arguments: [
        Argument(
          "ID", help: "the number in front of a walk in dogwalk list; or several, 3 5-8",
          completion: .walks),
        Argument(
          "WORDS", help: "a duration, a time, a dog and tags, in any order", isRequired: false,
          isRepeating: true, completion: .dogsAndTags),
      ],
      options: [
        .toDog, .duration, .at, .distance, .note, .by, .pee, .poo, .tag, .untag, .new, .json,
      ],
      discussion: [
        WalkNumbers.rule,
        "What is not named stays as it is. An empty value removes it: --note=, --by=, "
          + "--duration=, --distance=, --pee= and --poo=.",
        "A time without a day keeps each walk's day and time zone. A length needs its "
          + "unit here: 40m; a number alone is that of a walk.",
      ])
  ) { run in
    let request = try EditRequest(run)
    let numbers = try WalkNumbers.numbers(in: request.numbers)
    try run.log().performWriting(onWalksNumbered: numbers) {
      let walks = try run.walks(numbered: request.numbers)
      for walk in walks { try request.apply(to: walk, in: run.log(), clock: run.clock()) }
      let tags = request.removedTags.isEmpty ? [] : walks.flatMap(\.tagNames)
      try run.log().setTags(of: walks, adding: request.addedTags, removing: request.removedTags)
      let report = EditReport(on: walks, isLonger: request.isLonger, run: run)
      let overlaps = try run.log().saveFindingOverlaps(
        of: request.isTimed ? report.changedWalks : [])
      run.hasChanged = report.hasChanges
      try report.write(overlaps: overlaps)
      try run.noteMissing(request.removedTags, among: tags, of: walks)
    }
  }
}

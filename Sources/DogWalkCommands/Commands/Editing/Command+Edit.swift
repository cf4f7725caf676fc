import CommandLineKit
import DogWalkModel

extension Option {
  /// `-d`, `--dog`: whose walk it was after all.
  static let toDog = Option(
    "dog", short: "d", value: .required("NAME"), help: "whose walk it was: a dog there is",
    completion: .dogs)
}

extension Command {
  /// `dogwalk edit`: changes a walk in place.
  static let edit = Command(
    CommandSpecification(
      abstract: "Change a walk in place.",
      examples: [
        .init("dogwalk edit 3 40m", "walk 3 was 40 minutes"),
        .init("dogwalk edit 3 18:00", "it began at that time of its day"),
        .init("dogwalk edit 3 yesterday 18:00 Rex", "it began then, and was Rex's"),
        .init("dogwalk edit 3 --note rain --by=", "a note, and nobody's name"),
      ],
      arguments: [
        Argument(
          "ID", help: "the number in front of the walk in dogwalk list", completion: .walks),
        Argument(
          "WORDS", help: "a duration, a time and a dog, in any order", isRequired: false,
          isRepeating: true, completion: .dogs),
      ],
      options: [.toDog, .duration, .at, .distance, .note, .by, .pee, .poo, .new, .json],
      discussion: [
        "What is not named stays as it is. An empty value takes it away: --note=, --by=, "
          + "--duration=, --distance=, --pee= and --poo=.",
        "A time without a day keeps the walk's day. A length has its unit here: 40m; a number alone "
          + "is that of a walk.",
      ])
  ) { run in
    let request = try EditRequest(run)
    let walk = try run.walk(numbered: run.values.operands[0])
    try request.apply(to: walk, in: run.log(), clock: run.clock())
    // Everything is read before it is saved, so that nothing can fail but saying what was done.
    let overlap = try request.isTimed ? run.log().overlap(of: walk) : nil
    try run.checkEverythingRead()
    try run.log().save()
    run.hasChanged = true
    try EditReport(walk: walk, request: request, run: run).write(overlap: overlap)
  }
}

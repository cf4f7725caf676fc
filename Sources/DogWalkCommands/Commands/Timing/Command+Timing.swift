import CommandLineKit
import DogWalkModel

extension Option {
  /// `--at` of `start`: when it began.
  fileprivate static let begin = Option(
    "at", value: .required("WHEN"), help: "when it began, where not just now: 18:00, 5m ago")
  /// `--at` of `stop`: when it ended.
  fileprivate static let end = Option(
    "at", value: .required("WHEN"), help: "when it ended, where not just now: 18:00, 5m ago")
}

extension Option {
  /// `--by` of `stop`: whose walks end.
  static let whose = Option(
    "by", value: .required("WALKER"), help: "only walks of this walker, and of nobody named",
    completion: .walkers)
  /// `--all`: whoever walks.
  static let all = flag("all", help: "all walks that are going on, whoever walks")
}

extension Command {
  /// `dogwalk start`: begins a walk that is timed.
  static let start = Command(
    CommandSpecification(
      abstract: "Begin a walk that is timed: dogwalk stop ends it.",
      examples: [
        .init("dogwalk start", "the current dog goes out now"),
        .init("dogwalk start Fido Rex --by Ana", "two dogs and who walks them"),
        .init("dogwalk start Fido 5m ago", "it began five minutes ago"),
      ],
      arguments: [
        Argument(
          "WORDS", help: "dogs, tags, and the time it began where that is not now",
          isRequired: false,
          isRepeating: true, completion: .dogs)
      ],
      options: [.dog, .begin, .note, .by, .tag, .new, .json],
      discussion: ["A walk that is going on is shown as such, and has no minutes yet."])
  ) { run in
    let request = try StartRequest(run)
    let log = try run.logForAdding()
    // In one transaction, or two who start at once would both find the dog at home.
    let added = try log.performWriting {
      try request.refuseDogsThatAreOut(run)
      return try log.add(request.draft, to: request.dogs)
    }
    run.hasChanged = true
    try TimingReport(walks: added.walks, newDogs: added.newDogs, run: run)
      .write("Started", as: "added")
    for dog in added.newDogs { try run.noteHiding(dog.name) }
  }

  /// `dogwalk stop`: ends walks that are going on.
  static let stop = Command(
    CommandSpecification(
      abstract: "End walks that are going on: of some dogs, of one walker, or all.",
      examples: [
        .init("dogwalk stop", "the dogs that are out are home now"),
        .init("dogwalk stop --by Ana", "those that Ana walks are; Bob's are not"),
        .init("dogwalk stop Fido --distance 2.4km --poo", "Fido is, and what there is to say"),
        .init("dogwalk stop Fido 18:30 +park", "Fido has been home since then, from the park"),
      ],
      arguments: [
        Argument(
          "WORDS", help: "dogs, tags, and the time it ended where that is not now",
          isRequired: false,
          isRepeating: true, completion: .dogs)
      ],
      options: [.dog, .end, .distance, .note, .tag, .whose, .all, .pee, .poo, .json],
      discussion: [
        "Where several people are out, stop is told whose walks end: --by, dogs, or --all; with "
          + "$DOGWALK_BY or dogwalk config by it ends your own. Who walks "
          + "stays as it was written down; --by is kept where nobody was."
      ])
  ) { run in
    let request = try StopRequest(run)
    try request.apply(in: run.log())
    try run.log().save()
    run.hasChanged = true
    try TimingReport(walks: request.walks, newDogs: [], run: run).write("Ended", as: "changed")
    for walk in request.walks {
      try run.noteLength(of: [walk], remedy: "dogwalk edit", " 35m")
    }
  }
}

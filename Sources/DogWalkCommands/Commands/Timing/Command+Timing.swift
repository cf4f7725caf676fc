import CommandLineKit
import DogWalkModel

extension Option {
  /// `--at` of `start`: the start of the walk.
  fileprivate static let begin = Option(
    "at", value: .required("WHEN"), help: "when it began, if not just now: 18:00, 5m ago")
  /// `--at` of `stop`: the end of the walk.
  fileprivate static let end = Option(
    "at", value: .required("WHEN"), help: "when it ended, if not just now: 18:00, 5m ago")
}

extension Option {
  /// `--by` of `stop`: the walker whose walks end.
  static let whose = Option(
    "by", value: .required("WALKER"),
    help: "end this walker's walks, or, if there are none, those without a walker",
    completion: .walkers)
  /// `--all`: ends the walks of all walkers.
  static let all = flag("all", help: "end all walks in progress, whoever walks")
}

extension Command {
  /// `dogwalk start`: begins a timed walk.
  static let start = Command(
    CommandSpecification(
      abstract: "Start timing a walk; dogwalk stop ends it.",
      examples: [
        .init("dogwalk start", "the current dog goes out now"),
        .init("dogwalk start Fido Rex --by Ana", "two dogs go out with Ana"),
        .init("dogwalk start Fido 5m ago", "it began five minutes ago"),
      ],
      arguments: [
        Argument(
          "WORDS", help: "dogs, tags, and the time it began if not now",
          isRequired: false,
          isRepeating: true, completion: .dogsAndTags)
      ],
      options: [.dog, .begin, .note, .by, .tag, .new, .json],
      discussion: ["A walk that is going on is shown as such, and has no minutes yet."])
  ) { run in
    let request = try StartRequest(run)
    _ = try run.logForAdding()
    let added = try run.start(request.draft, for: request.dogs)
    run.hasChanged = true
    try TimingReport(added, run).write("Started", as: "added")
    for dog in added.newDogs { try run.noteHiding(dog.name) }
  }

  /// `dogwalk continue`: begins a walk like a previous one.
  static let continuing = Command(
    CommandSpecification(
      abstract: "Begin a walk like the last one: its dogs, its walker and its tags.",
      examples: [
        .init("dogwalk continue", "the dogs of the last walk go out again now"),
        .init("dogwalk continue 12", "a walk like walk 12, with its dogs, walker and tags"),
        .init("dogwalk continue Fido +park", "Fido's last walk in the park, again"),
        .init(
          "dogwalk continue 10m ago --by Bob",
          "the last walk's dogs left ten minutes ago, with Bob"),
      ],
      arguments: [
        Argument(
          "ID", help: "the number in front of a walk in dogwalk list; by default the last walk",
          isRequired: false, completion: .walksDogsAndTags),
        Argument(
          "WORDS",
          help: "dogs and tags of that walk, and the time the new one began if "
            + "not now",
          isRequired: false, isRepeating: true, completion: .dogsAndTags),
      ],
      options: [.onlyDog, .begin, .by, .tag, .json],
      discussion: [
        "The old walk stays as it is; a new one begins, and dogwalk stop ends it. Dogs "
          + "that were out together go out together again. Length, distance and notes are "
          + "not copied.",
        "Without an ID, the last walk of the dogs and with the tags that are named is "
          + "continued. With an ID, dogs that are named replace those of the walk, and tags "
          + "are added.",
        "With $DOGWALK_BY or dogwalk config by, your own last walk is continued, if you "
          + "have one, and you are its walker.",
      ])
  ) { run in
    // Looked up within the writing transaction, so that it really is the last walk.
    let added = try run.log().performWriting {
      let request = try ContinueRequest(run)
      return try run.start(request.draft, for: request.dogs)
    }
    run.hasChanged = true
    try TimingReport(added, run).write("Started", as: "added")
  }

  /// `dogwalk stop`: ends walks in progress.
  static let stop = Command(
    CommandSpecification(
      abstract: "End walks in progress: those of some dogs, of one walker, or all.",
      examples: [
        .init("dogwalk stop", "all dogs that are out have come home"),
        .init("dogwalk stop --by Ana", "only Ana's dogs have come home"),
        .init("dogwalk stop Fido --distance 2.4km --poo", "Fido has; add distance and a poo"),
        .init("dogwalk stop Fido 18:30 +park", "Fido came home at 18:30, from the park"),
      ],
      arguments: [
        Argument(
          "WORDS", help: "dogs, tags, and the time it ended if not now",
          isRequired: false,
          isRepeating: true, completion: .dogsAndTags)
      ],
      options: [.dog, .end, .distance, .note, .tag, .whose, .all, .pee, .poo, .json],
      discussion: [
        "If several people are out, stop needs to know whose walks end: --by, dogs, or "
          + "--all. With $DOGWALK_BY or dogwalk config by, it ends your own. The walker of "
          + "a walk is not changed; --by sets it if there was none."
      ])
  ) { run in
    let (request, report) = try run.log().performWriting {
      let request = try StopRequest(run)
      try request.apply(in: run.log())
      let report = TimingReport(ending: request.walks, run)
      try run.log().save()
      return (request, report)
    }
    run.hasChanged = true
    try report.write("Ended", as: "changed")
    for walk in request.walks {
      try run.noteLength(of: [walk], remedy: "edit", " 35m")
    }
  }
}

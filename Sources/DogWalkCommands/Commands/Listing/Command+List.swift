import CommandLineKit
import DogWalkModel

extension Option {
  /// `-d`, `--dog`: selects the walks of a dog.
  static let ofDog = Option(
    "dog", short: "d", value: .required("NAME"), isRepeating: true, help: "walks of this dog",
    completion: .dogs)
  /// `--by`: selects the walks of a walker.
  static let byWalker = Option(
    "by", value: .required("WALKER"), help: "walks with this walker",
    completion: .walkers)
  /// `-n`, `--note`: selects walks whose note contains a text.
  static let inNote = Option(
    "note", short: "n", value: .required("TEXT"), help: "walks with this text in their note")
  /// `--where`: selects walks that satisfy a predicate in Core Data's format.
  static let meeting = Option(
    "where", value: .required("PREDICATE"), help: "walks that match a predicate, see below")
  /// `--limit`: shows only a number of walks.
  static let limit = Option("limit", value: .required("N"), help: "the newest N of them")
  /// `--reverse`: shows the oldest first.
  static let reverse = flag("reverse", help: "the oldest first")
  /// `--csv`: prints CSV.
  static let csv = flag("csv", help: "print CSV, for spreadsheets")
  /// `--no-pager`: prints everything at once.
  static let noPager = flag("no-pager", help: "print everything without a pager")
}

extension Command {
  /// `dogwalk list`: shows walks.
  static let list = Command(
    CommandSpecification(
      abstract: "Show walks, the newest first.",
      examples: [
        .init("dogwalk list today", "today's walks"),
        .init("dogwalk list Fido Rex +park yesterday", "walks of both dogs in the park yesterday"),
        .init("dogwalk list --since mon --note rain", "walks in the rain since Monday"),
        .init("dogwalk list --month=2026-11 --csv", "a month for a spreadsheet"),
      ],
      arguments: [.filterWords],
      options: [.ofDog] + Option.period + [
        .byWalker, .inNote, .withTag, .meeting, .limit, .reverse, .json, .csv, .noPager,
      ],
      discussion: [
        "On a terminal the walks are grouped by day. Piped output has one line per walk: its "
          + "number, its start, its minutes, the dog and the note, separated by tabs.",
        "If several dogs are named, walks of any of them are shown; if several tags are "
          + "named, walks with all of them. A day is today, yesterday, mon, last monday, 3 "
          + "days ago or 2026-11-20; by Ana is --by Ana.",
        "WHEN is a day or a time, as in mon, yesterday, 2026-11-20, \"yesterday 18:00\" or "
          + "\"2h ago\".",
        "PREDICATE is in Core Data's language, as in 'dog.name BEGINSWITH \"F\" AND note == nil'. "
          + "A walk has date, duration (seconds), distance (metres), note, peeCount, pooCount, dog, "
          + "walker and tags; dogs, walkers and tags have a name and walks.",
      ]),
    isReading: true
  ) { run in
    // An invalid time is refused even if nothing depends on it.
    if run.environment.nonEmpty("DOGWALK_NOW") != nil { _ = try run.clock() }
    let filter = try WalkFilter(run, clock: run.clock)
    let form = try WalkListForm(run)
    let isReversed = run.values.contains(.reverse)
    let log = try run.log()
    try log.performReading(
      expecting: filter.namesDogs
        ? [] : log.reads(forEach: filter.query(dogs: [], zone: run.zone), isReversed: isReversed)
    ) {
      let dogs = try filter.dogs(run)
      let query = filter.query(dogs: dogs, zone: run.zone)
      let count = try form.write(query, isReversed: isReversed, run, to: run.output)
      if count == 0 {
        let isLogEmpty = try filter.isEmpty || run.log().walks(.newest).isEmpty
        try run.note(
          isLogEmpty
            ? "No walks yet. Write one down: \(run.call) add Fido 35m"
            : TypedWords.text(
              of: ["No walks \(filter.reading)."] + filter.hints(run)
                + ["See all: \(run.call) list"]))
      }
    }
  }
}

extension WalkQuery {
  /// The query for the newest walk.
  fileprivate static var newest: WalkQuery {
    var query = WalkQuery()
    query.limit = 1
    return query
  }
}

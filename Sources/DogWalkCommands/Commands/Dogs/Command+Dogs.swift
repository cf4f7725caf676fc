import CommandLineKit
import DogWalkModel

extension Option {
  /// `-d`, `--dog`: selects a dog.
  static let onlyDog = Option(
    "dog", short: "d", value: .required("NAME"), isRepeating: true, help: "only this dog",
    completion: .dogs)
  /// `--overdue`: selects dogs that are overdue.
  fileprivate static let overdue = flag(
    "overdue", help: "only dogs that should be out by now, the most urgent first")
  /// `--exact-streaks`: counts all days of a streak.
  fileprivate static let exactStreaks = flag(
    "exact-streaks", help: "count streaks beyond ten days, which takes longer")
  /// `--check`: gives the answer as the exit code.
  static let check = flag(
    "check", help: "exit with 0 if each was out recently enough, else with 1")
  /// `--within`: sets the time limit of `--check`.
  static let within = Option(
    "within", value: .required("D"),
    help: "how long ago that may be: 8h; the dog's own gap by default")
}

extension Command {
  /// `dogwalk dogs`: shows the state of every dog.
  static let dogs = Command(
    CommandSpecification(
      abstract: "Show how every dog is doing: its last walk, today's minutes, its streak.",
      examples: [
        .init("dogwalk dogs", "how every dog is doing"),
        .init("dogwalk dogs --overdue", "who should be out by now, the most urgent first"),
        .init("dogwalk dogs Fido --check --within 8h", "was Fido out? 0 for yes, 1 for no"),
        .init("dogwalk dogs set Fido --target 60m --gap 8h", "an hour a day, every eight hours"),
      ],
      arguments: [
        Argument(
          "NAME", help: "only this dog", isRequired: false, isRepeating: true, takesNumbers: false,
          completion: .dogs)
      ],
      options: [.onlyDog, .overdue, .exactStreaks, .check, .within, .json],
      discussion: [
        "A dog with the name of a subcommand is named with --dog, as in --dog Merge.",
        "The current dog, which dogwalk add uses if none is named, is marked with a star if "
          + "there are several dogs.",
        "\(Streak.rule) More than ten are 10+ unless --exact-streaks is given. A dog is overdue if its last walk ended longer ago than its gap.",
      ]),
    isReading: true,
    subcommands: [
      .init("add", .addDog), .init("rename", .renameDog), .init("set", .setDog),
      .init("merge", .mergeDogs), .init("use", .useDog), .init("delete", .deleteDog),
    ]
  ) { run in
    let isCheck = run.values.contains(.check)
    if run.values.contains(.within), !isCheck {
      throw ValidationError("--within goes with --check", hint: "Write --check --within 8h.")
    }
    if run.values.contains(.overdue), isCheck {
      throw ValidationError(
        "--overdue and --check are two questions", hint: "Give one of them.")
    }
    let check = try isCheck ? DogCheck(run) : nil
    // An invalid clock is refused even if there are no dogs.
    let clock = try run.clock()
    let isJSON = run.values.contains(.json)
    var statuses = try run.log().performReading {
      let named = try run.namedDogs()
      let dogs = try named.isEmpty ? run.log().dogs() : named
      return try DogStatus.all(
        of: dogs, areAll: named.isEmpty, in: run, isExact: run.values.contains(.exactStreaks))
    }
    let hasDogs = !statuses.isEmpty
    if run.values.contains(.overdue) {
      statuses = DogStatus.overdue(among: statuses, now: clock.now.date)
      if statuses.isEmpty, hasDogs { try run.note("No dog is overdue.") }
    }
    let holds = try check?.holds(for: statuses) ?? true
    if isJSON {
      try DogStatus.writeJSON(statuses, run)
    } else if !isCheck {
      try DogStatusTable(statuses, terminal: run.terminal, clock: clock).write(to: run.output)
    }
    if !hasDogs, !(isCheck && run.values.contains(.quiet)) {
      try run.note("No dogs yet. The first walk makes one: \(run.call) add Fido 35m")
    }
    if !holds { throw ExitCode.no }
  }
}

extension CommandRun {
  /// Returns the dogs named by words or by `--dog`, each once; an empty array means all dogs.
  ///
  /// - Throws: `Complaint` if a dog does not exist; `ValidationError` for a word that most likely
  ///   means a command or an option.
  fileprivate func namedDogs() throws -> [Dog] {
    var dogs: [Dog] = []
    for name in values.operands {
      let dog = try dog(named: name) { names in
        if CommandRun.isWordForShowing(name) {
          let others = values.operands.filter { $0 != name }.shellOperands
          return ValidationError(
            "\(ValidationError.quoted(name)) is neither a known dog nor a command",
            hint: "Leave it out: \(call) dogs\(others.isEmpty ? "" : " \(others)")")
        }
        guard KnownNames.near(name, among: names) == nil, let meant = Self.meant(by: name) else {
          return Complaint(noDog: name, of: values.operands, among: names, call: call)
        }
        return ValidationError(
          "\(ValidationError.quoted(name)) is neither a known dog nor a command",
          hint: "Did you mean \(call) dogs \(meant)?")
      }
      if !dogs.contains(dog) { dogs.append(dog) }
    }
    for dog in try self.dogs(named: values.all(.onlyDog)) where !dogs.contains(dog) {
      dogs.append(dog)
    }
    return dogs
  }

  /// Returns the command or option of `dogwalk dogs` that a word most likely means.
  private static func meant(by word: String) -> String? {
    let specification = Command.dogs.specification
    let option = specification.options.first { $0.name == word.lowercased() }
    return option.map { "--\($0.name)" } ?? specification.subcommandName(meantBy: word)
  }
}

import CommandLineKit
import DogWalkModel

extension Option {
  /// `-y`, `--yes`: ask nothing, though walks go with the dog.
  fileprivate static let yesToWalks = flag(
    "yes", short: "y", help: "delete a dog with walks without asking")
}

extension Command {
  /// `dogwalk dogs delete`: deletes dogs and their walks.
  static let deleteDog = Command(
    CommandSpecification(
      abstract: "Delete dogs with all their walks: all that are named, or none of them.",
      examples: [
        .init("dogwalk dogs delete Luna", "asks first, where Luna has walks"),
        .init("dogwalk dogs delete --dry-run Luna", "show what would go, and delete nothing"),
      ],
      arguments: [Argument("NAME", help: "the dog's name", isRepeating: true, completion: .dogs)],
      options: [.yesToWalks, .dryRun, .json])
  ) { run in
    let dogs = try run.dogs(named: run.values.operands)
    let deletion = try DogDeletion(dogs, run)
    guard try deletion.isAllowed() else {
      try run.note("Nothing was deleted.")
      throw ExitCode.no
    }
    // Put into words as long as they are there.
    let json = try deletion.json()
    let lines = deletion.lines
    let isDryRun = run.values.contains(.dryRun)
    if !isDryRun {
      try run.log().delete(dogs)
      run.hasChanged = true
    }
    if var json {
      try json.drain(into: run.output)
    } else {
      // A dry run does nothing but say this, so `--quiet` does not silence it.
      for line in lines { try isDryRun ? run.output.writeLine(line) : run.say(line) }
    }
  }
}

/// Dogs that are to go, and their walks.
private struct DogDeletion {
  private let dogs: [Dog]
  private let counts: [Int]
  private let run: CommandRun

  init(_ dogs: [Dog], _ run: CommandRun) throws {
    self.dogs = dogs
    self.run = run
    counts = try dogs.map { try run.log().walkCount(of: $0) }
  }

  /// Whether they may go: those without walks always, others where a person or `--yes` says so.
  ///
  /// - Throws: `ValidationError` where nobody is there to be asked.
  func isAllowed() throws -> Bool {
    let total = counts.reduce(0, +)
    let isAsked = total > 0 && !run.values.contains(.yesToWalks) && !run.values.contains(.dryRun)
    guard isAsked else { return true }
    let what = sentenceList(zip(dogs, counts).map { Self.reading(of: $0, $1) })
    guard run.canAsk else {
      throw ValidationError(
        "deleting \(what) needs --yes",
        hint: "Nothing was deleted. Look at it first: dogwalk dogs delete --dry-run …")
    }
    return try run.ask("Delete \(what)?")
  }

  var lines: [String] {
    let isDryRun = run.values.contains(.dryRun)
    var lines = zip(dogs, counts).map {
      "\(isDryRun ? "Would delete" : "Deleted") \(Self.reading(of: $0, $1))."
    }
    if !isDryRun { lines[lines.count - 1] += "  Undo: dogwalk undo" }
    return lines
  }

  /// The walks that go, for a program; `nil` where a person reads.
  func json() throws -> JSONWriter? {
    guard run.values.contains(.json) else { return nil }
    var query = WalkQuery()
    query.dogs = dogs
    var json = JSONWriter()
    json.document(
      "deleted", try run.log().walks(query), zone: run.zone,
      isDryRun: run.values.contains(.dryRun))
    return json
  }

  private static func reading(of dog: Dog, _ count: Int) -> String {
    let name = dog.name.escapingControls
    switch count {
    case 0: return name
    case 1: return "\(name) with 1 walk"
    default: return "\(name) with \(count) walks"
    }
  }
}

@available(*, unavailable)
extension DogDeletion: Sendable {}

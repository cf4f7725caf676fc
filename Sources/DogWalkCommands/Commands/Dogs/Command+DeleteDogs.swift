import CommandLineKit
import DataFormats
import DogWalkModel

extension Option {
  /// `-y`, `--yes`: deletes dogs with walks without asking.
  fileprivate static let yesToWalks = flag(
    "yes", short: "y", help: "delete a dog with walks without asking")
}

extension Command {
  /// `dogwalk dogs delete`: deletes dogs and their walks.
  static let deleteDog = Command(
    CommandSpecification(
      abstract: "Delete dogs with all their walks; if one of them cannot be deleted, none is.",
      examples: [
        .init("dogwalk dogs delete Luna", "asks first if Luna has walks"),
        .init(
          "dogwalk dogs delete --dry-run Luna", "show what would be deleted, and delete nothing"),
      ],
      arguments: [Argument("NAME", help: "the dog's name", isRepeating: true, completion: .dogs)],
      options: [.yesToWalks, .dryRun, .json])
  ) { run in
    let seen = try DogDeletion(run)
    guard try seen.isAllowed() else {
      try run.note("Nothing was deleted.")
      throw ExitCode.no
    }
    guard !run.values.contains(.dryRun) else { return try seen.report().write(run) }
    // Walks added in the meantime by other commands are deleted as well, and reported.
    let report = try run.log().performWriting {
      let deletion = try DogDeletion(run)
      guard !deletion.isAsked || seen.isAsked else { throw Complaint.conflict(call: run.call) }
      // The text needs the objects, so it is made before they are deleted.
      let report = try deletion.report()
      try run.log().delete(deletion.dogs)
      return report
    }
    run.hasChanged = true
    try report.write(run)
  }
}

/// The dogs to be deleted, and their walks.
private struct DogDeletion {
  let dogs: [Dog]
  private let counts: [Int]
  private let run: CommandRun

  init(_ run: CommandRun) throws {
    dogs = try run.dogs(named: run.values.operands)
    self.run = run
    counts = try dogs.map { try run.log().walkCount(of: $0) }
  }

  /// Whether a person has to confirm the deletion.
  var isAsked: Bool {
    counts.contains { $0 > 0 } && !run.values.contains(.yesToWalks) && !run.values.contains(.dryRun)
  }

  /// Returns whether the dogs may be deleted: if they have no walks, or a person or `--yes`
  /// confirms it.
  ///
  /// - Throws: `ValidationError` if nobody can be asked.
  func isAllowed() throws -> Bool {
    guard isAsked else { return true }
    let what = sentenceList(zip(dogs, counts).map { Self.reading(of: $0, $1) })
    guard run.canAsk else {
      throw ValidationError(
        "deleting \(what) needs --yes",
        hint: "Nothing was deleted. Look at it first: \(run.call) dogs delete --dry-run "
          + run.values.operands.shellOperands)
    }
    return try run.ask("Delete \(what)?")
  }

  /// Returns the output about the deletion.
  func report() throws -> DogDeletionReport {
    DogDeletionReport(json: try json(), lines: lines)
  }

  private var lines: [String] {
    let isDryRun = run.values.contains(.dryRun)
    var lines = zip(dogs, counts).map {
      "\(isDryRun ? "Would delete" : "Deleted") \(Self.reading(of: $0, $1))."
    }
    if !isDryRun { lines[lines.count - 1] += "  Undo: \(run.call) undo" }
    return lines
  }

  /// Returns the deleted walks for a program; `nil` without `--json`.
  private func json() throws -> JSONWriter? {
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

/// The output about dogs that were or would be deleted.
private struct DogDeletionReport {
  let json: JSONWriter?
  let lines: [String]

  func write(_ run: CommandRun) throws {
    if var json {
      return try json.drain(into: run.output)
    }
    // This is the only result of a dry run, so `--quiet` does not suppress it.
    let isDryRun = run.values.contains(.dryRun)
    for line in lines { try isDryRun ? run.tell(line) : run.say(line) }
  }
}

@available(*, unavailable)
extension DogDeletion: Sendable {}

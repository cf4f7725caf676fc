import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// The output of `dogwalk sync`, with or without `--dry-run`.
struct SyncAnswer {
  private let report: SyncReport
  private let path: String
  private let run: CommandRun
  private let isDryRun: Bool

  /// The maximum number of walks that are listed individually.
  private static let most = 10

  /// Creates the output about a sync with the store at a path or URL.
  init(_ report: SyncReport, path: String, run: CommandRun) {
    self.report = report
    self.path = path
    self.run = run
    isDryRun = run.values.contains(.dryRun)
  }

  /// Prints the output.
  func write() throws {
    if run.values.contains(.json) {
      try writeJSON()
    } else {
      try writeLines()
    }
    for conflict in report.conflicts { try noteConflict(conflict) }
    for (side, store) in [(SyncSide.here, "this store"), (.there, path.escapingControls)]
    where report.damagedRecords.contains(side) {
      try run.note(
        "What \(store) recorded about earlier syncs is damaged, and "
          + "\(isDryRun ? "would be" : "was") replaced: as in a first sync, what was deleted in "
          + "one store comes back from the other.")
    }
    if report.leftOut > 0 {
      let isOne = report.leftOut == 1
      try run.note(
        "\(report.leftOut) \(isOne ? "walk has" : "walks have") no dog or no date, and "
          + "\(isOne ? "was" : "were") left out. See "
          + "\(run.call) doctor."
      )
    }
    for (kind, noun) in [(SyncKind.dog, "dog"), (.walker, "walker"), (.tag, "tag")] {
      guard let count = report.nameless[kind] else { continue }
      let isOne = count == 1
      let remedy =
        kind == .dog ? "Name it: \(run.call) dogs rename \"\" NAME" : "See \(run.call) doctor."
      try run.note(
        "\(count) \(noun)\(isOne ? " has" : "s have") no name, and \(isOne ? "was" : "were") left "
          + "out with \(isOne ? "its" : "their") walks. \(remedy)")
    }
  }

  // MARK: For people

  private func writeLines() throws {
    let name = path.escapingControls
    guard !report.isEmpty else {
      return try say(
        report.conflicts.isEmpty
          ? "Nothing to do: this store and \(name) contain the same." : "Synced with \(name).")
    }
    let undo = report.here.isEmpty || isDryRun ? "" : "  Undo: \(run.call) undo"
    try say(isDryRun ? "With \(name):" : "Synced with \(name).\(undo)")
    try write(report.here, "Here", isBack: "changed there")
    try write(report.there, "There", isBack: "changed here")
    for dog in report.joinedDogs {
      let name = dog.escapingControls
      try say(
        isDryRun
          ? "There are two dogs called \(name): they would be one."
          : "There were two dogs called \(name): they are one now.")
    }
    for (dog, other) in report.absorbedDogs {
      let names = sentenceList([dog.escapingControls, other.escapingControls])
      try say(
        "\(names) \(isDryRun ? "would be one dog" : "are one dog now"), "
          + "because another sync merged them.")
    }
    if isDryRun { try run.note("Nothing was changed: this was a dry run.") }
  }

  /// Prints a line, even with `--quiet` in a dry run, which has no other result.
  private func say(_ line: String) throws {
    try isDryRun ? run.tell(line) : run.say(line)
  }

  private func write(_ changes: SyncReport.Changes, _ place: String, isBack: String) throws {
    for (dogs, one, more) in [
      (changes.addedDogs, "is new", "are new"),
      (changes.changedDogs.filter { changes.formerNames[$0] == nil }, "is changed", "are changed"),
      (changes.deletedDogs, "is deleted", "are deleted"),
    ] where !dogs.isEmpty {
      try say("\(place): \(sentenceList(dogs)) \(dogs.count == 1 ? one : more).")
    }
    for (name, former) in changes.formerNames.sorted(byName: { $0.key }) {
      let (name, former) = (name.escapingControls, former.escapingControls)
      try say(
        "\(place): \(former) \(isDryRun ? "would be called \(name)" : "is called \(name) now").")
    }
    let now = try run.clock().now
    for (walks, what) in [
      (changes.added, "new"), (changes.changed, "changed"), (changes.deleted, "deleted"),
      (changes.kept, "back, since it was \(isBack)"),
    ] where !walks.isEmpty {
      guard walks.count <= Self.most else {
        try say("\(place): \(walks.count) walks are \(what).")
        continue
      }
      for walk in walks {
        let start = walk.start(in: run.zone).fullReading(now: now)
        let number = walk.number > 0 ? "walk \(walk.number)" : "a walk"
        let whole = walk.wholeReading(start, tags: report.tags.names(of: walk))
        try say("\(place): \(number) is \(what): \(whole).")
      }
    }
  }

  // MARK: Conflicts

  private func noteConflict(_ conflict: SyncReport.Conflict) throws {
    let words = SyncConflictWords(conflict, of: report, run)
    guard let name = words.property else { return }
    let now = try run.clock().now
    let whose: String
    if let walk = conflict.walk {
      let start = walk.start(in: run.zone).fullReading(now: now)
      whose = "walk \(walk.number) (\(walk.shownDogName), \(start))"
    } else {
      whose = conflict.dogName?.escapingControls ?? "a dog"
    }
    guard !conflict.isOfTwoDogs else {
      return try run.note(
        "The dogs that \(isDryRun ? "would be" : "are") one now differed in the \(name): "
          + "\(whose) \(isDryRun ? "would have" : "has") \(words.other), not \(words.mine)."
          + (isDryRun ? "" : words.remedy.map { " " + $0 } ?? ""))
    }
    let head = conflict.isFirst ? "The two stores differ in" : "Both stores changed"
    let what = "\(head) the \(name) of \(whose): \(words.other)"
    try run.note(
      isDryRun
        ? "\(what) would stay, yours is \(words.mine)."
        : "\(what) stays, yours was \(words.mine).\(words.remedy.map { " " + $0 } ?? "")")
  }

  // MARK: For programs

  private func writeJSON() throws {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", 1)
      if isDryRun { json.member("dry_run", true) }
      for (name, changes) in [("here", report.here), ("there", report.there)] {
        json.member(name) { json in
          json.object { json in
            for (kind, walks) in [
              ("added", changes.added), ("changed", changes.changed), ("deleted", changes.deleted),
              ("kept", changes.kept),
            ] {
              json.member(kind) { json in
                json.lines(walks) {
                  $0.value($1, zone: run.zone, tags: report.tags.names(of: $1))
                }
              }
            }
            for (kind, dogs) in [
              ("added_dogs", changes.addedDogs), ("changed_dogs", changes.changedDogs),
              ("deleted_dogs", changes.deletedDogs),
            ] {
              json.member(kind) { $0.array { json in for dog in dogs { json.value(dog) } } }
            }
          }
        }
      }
      json.member("joined_dogs") {
        $0.array { json in
          for dog in report.joinedDogs + report.absorbedDogs.map(\.other) { json.value(dog) }
        }
      }
      json.member("conflicts") { json in
        json.array { json in
          for conflict in report.conflicts {
            let words = SyncConflictWords(conflict, of: report, run)
            guard let property = words.property else { continue }
            json.object { json in
              json.member("id", conflict.walk.map { Int($0.number) })
              json.member("uuid", conflict.walk?.sharedIdentifier.uuidString)
              json.member("dog", conflict.walk?.dog?.name ?? conflict.dogName)
              json.member("property", property)
              json.member("yours", words.mine)
              json.member("theirs", words.other)
              json.member("command", words.command)
            }
          }
        }
      }
    }
    json.endLine()
    try json.drain(into: run.output)
  }
}

@available(*, unavailable)
extension SyncAnswer: Sendable {}

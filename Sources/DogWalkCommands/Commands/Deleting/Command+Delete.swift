import CommandLineKit
import DogWalkModel

extension Option {
  /// `-y`, `--yes`: deletes without asking.
  static let yes = flag("yes", short: "y", help: "delete more than ten walks without asking")
  /// `--dry-run`: only shows what would be deleted.
  static let dryRun = flag("dry-run", help: "show what would be deleted, and delete nothing")
}

extension Command {
  /// `dogwalk delete`: deletes walks, all or none.
  static let delete = Command(
    CommandSpecification(
      abstract: "Delete walks; if one of them cannot be deleted, none is.",
      examples: [
        .init("dogwalk delete 3", "delete walk 3"),
        .init("dogwalk delete 3 5-8", "delete several walks"),
        .init("dogwalk delete --dry-run 3", "show walk 3, and delete nothing"),
      ],
      arguments: [
        Argument(
          "ID", help: "the number in front of a walk in dogwalk list; or several, 3 5-8",
          isRepeating: true, completion: .walks)
      ],
      options: [.yes, .dryRun, .json],
      discussion: [
        WalkNumbers.rule,
        "A walk keeps its number, and no other walk ever gets it. One that a sync brings back gets "
          + "a new number.",
      ])
  ) { run in
    let ranges = try WalkNumbers.ranges(run.values.operands, call: run.call)
    let numbers = try WalkNumbers.numbers(in: ranges)
    if run.values.contains(.dryRun) {
      return try DeleteReport(run.walksToDelete(ranges), run).write()
    }
    guard try DeleteReport.mayDelete(ranges, run) else {
      try run.note("Nothing was deleted.")
      throw ExitCode.no
    }
    let report = try run.log().performWriting(onWalksNumbered: numbers) {
      let walks = try run.walksToDelete(ranges)
      // The text needs the objects, so it is made before they are deleted.
      let report = try DeleteReport(walks, run)
      try run.log().delete(walks)
      return report
    }
    run.hasChanged = true
    try report.write()
  }
}

extension CommandRun {
  /// Returns the walks with some numbers; of a range, those that exist.
  ///
  /// - Throws: `Complaint` if a number or a whole range has no walk.
  func walksToDelete(_ ranges: [ClosedRange<Int64>]) throws -> [Walk] {
    let walks = try log().walks(numbered: WalkNumbers.numbers(in: ranges)).found
    let found = Set(walks.map(\.number))
    var missing: [String] = []
    for range in ranges where !range.contains(where: found.contains) {
      let typed = WalkNumbers.reading(range)
      if !missing.contains(typed) { missing.append(typed) }
    }
    guard missing.isEmpty else {
      throw Complaint(noWalks: missing, nothingDeleted: ranges.count > 1, call: call)
    }
    return walks
  }
}

extension Complaint {
  /// Creates the complaint that there are no walks with some numbers.
  ///
  /// - Parameter call: How the program is called in the commands that hints suggest.
  init(noWalks numbers: [String], nothingDeleted: Bool, call: String) {
    let which =
      numbers.count == 1
      ? "there is no walk \(numbers[0])"
      : "there are no walks \(sentenceList(numbers))"
    self.init(
      .no, nothingDeleted ? "\(which), so nothing was deleted" : which,
      hint: "\(call) list shows the walks and their numbers.")
  }
}

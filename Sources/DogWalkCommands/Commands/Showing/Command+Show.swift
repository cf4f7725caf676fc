import CommandLineKit
import DataFormats
import DogWalkModel

extension Command {
  /// `dogwalk show`: shows all values of a walk.
  static let show = Command(
    CommandSpecification(
      abstract: "Show everything about a walk, with its route if one was recorded.",
      examples: [
        .init("dogwalk show 12", "everything about walk 12, with its route and elevation profile"),
        .init("dogwalk show", "the newest walk"),
        .init("dogwalk show Fido yesterday", "Fido's last walk yesterday"),
        .init("dogwalk show 12 --json", "the same for a program, the points of its track too"),
      ],
      arguments: [
        Argument(
          "WORDS",
          help: "the number in front of a walk in dogwalk list; else dogs, tags, a day and a "
            + "walker, whose newest walk is meant", isRequired: false, isRepeating: true,
          completion: .walksDogsAndTags
        )
      ],
      options: [.json, .noPager],
      discussion: [
        "A route comes from a tracker's file: dogwalk add Fido --gpx walk.gpx. North is at the top."
      ]),
    isReading: true
  ) { run in
    try run.log().performReading {
      let walk = try run.walkToShow()
      guard !run.values.contains(.json) else {
        var json = JSONWriter()
        json.object { json in
          json.member("schema", 1)
          json.member("walks") { json in
            json.lines([walk]) {
              $0.value($1, zone: run.zone, tags: $1.tagNames, isExport: true)
            }
          }
        }
        json.endLine()
        return try json.drain(into: run.output)
      }
      let page = PagedOutput(
        to: run.output, on: run.terminal,
        pager: run.values.contains(.noPager) ? nil : Pager(environment: run.environment))
      try WalkSheet(walk, companions: run.companions(of: walk), run: run).write(to: page)
      try page.end()
    }
  }
}

extension CommandRun {
  /// Returns the walk with the number among the words, else the newest one that they select.
  ///
  /// - Throws: `Complaint` if there is none.
  fileprivate func walkToShow() throws -> Walk {
    if let word = values.operands.first, WalkNumbers.range(word) != nil || word.first == "#" {
      let others = values.operands.dropFirst()
      guard !WalkNumbers.isRange(word), !others.contains(where: { WalkNumbers.range($0) != nil })
      else {
        throw ValidationError(
          "one walk is shown at a time",
          hint: "Write the number of one, as in \(call) show \(word.prefix { $0 != "-" }).")
      }
      if values.operands.count == 1 { return try walk(numbered: word) }
    }
    let filter = try WalkFilter(self, clock: clock)
    var query = try filter.query(dogs: filter.dogs(self), zone: zone)
    query.limit = 1
    guard let walk = try log().walks(query).first else {
      throw try filter.isEmpty
        ? Complaint(
          .no, "there are no walks yet", hint: "Write one down: \(call) add Fido 35m")
        : Complaint(
          .no, "there is no walk \(filter.reading)",
          hint: TypedWords.text(of: filter.hints(self) + ["See all: \(call) list"]))
    }
    return walk
  }
}

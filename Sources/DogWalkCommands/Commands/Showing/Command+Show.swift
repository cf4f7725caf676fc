import CommandLineKit
import DataFormats
import DogWalkModel

extension Command {
  /// `dogwalk show`: everything about a walk.
  static let show = Command(
    CommandSpecification(
      abstract: "Show everything about a walk; where it was recorded, the way it took.",
      examples: [
        .init("dogwalk show 12", "all about walk 12, its route and its heights drawn"),
        .init("dogwalk show 12 --json", "the same for a program, the points of its track too"),
      ],
      arguments: [
        Argument("ID", help: "the number in front of a walk in dogwalk list", completion: .walks)
      ],
      options: [.json, .noPager],
      discussion: [
        "A route comes from a tracker's file: dogwalk add Fido --gpx walk.gpx. North is above."
      ]),
    isReading: true
  ) { run in
    try run.log().performReading {
      let walk = try run.walk(numbered: run.values.operands[0])
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
  /// The walks of other dogs that were out together with this one's.
  fileprivate func companions(of walk: Walk) throws -> [Walk] {
    guard let start = walk.start else { return [] }
    var query = WalkQuery()
    (query.earliest, query.latest) = (start, start)
    let outings = try OutingGatherer.outings(of: log().walks(query))
    return outings.first { $0.walks.contains(walk) }?.walks.filter { $0 !== walk } ?? []
  }
}

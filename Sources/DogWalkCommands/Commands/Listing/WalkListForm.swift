import CommandLineKit
import DataFormats
import DogWalkModel

/// How `dogwalk list` shows walks.
enum WalkListForm: Hashable, Sendable {
  /// For people: grouped by day.
  case table
  /// For pipes: a line a walk, with tabs.
  case lines
  /// For programs.
  case json
  /// For spreadsheets.
  case csv

  /// The form that a run asks for, by its options and by where its output goes.
  ///
  /// - Throws: `ValidationError` where it asks for two.
  init(_ run: CommandRun) throws(ValidationError) {
    switch (run.values.contains(.json), run.values.contains(.csv)) {
    case (true, true):
      throw ValidationError("--json and --csv are two forms", hint: "Give one.")
    case (true, false): self = .json
    case (false, true): self = .csv
    case (false, false): self = run.terminal.isTerminal ? .table : .lines
    }
  }

  /// Writes the walks that a query asks for, the newest first or last; tells how many there were.
  ///
  /// - Parameter isExport: whether JSON and CSV have what only another store needs, too.
  func write(
    _ query: WalkQuery, isReversed: Bool, isExport: Bool = false, _ run: CommandRun,
    to output: OutputSink
  ) throws -> Int {
    var count = 0
    let tags = try run.log().tags()
    let store = try isExport && run.log().hasStore ? run.log().storeIdentifier : nil
    func forEach(_ body: (Walk) throws -> Void) throws {
      count = try run.forEachWalk(query, isReversed: isReversed, tags: tags, body)
    }
    switch self {
    case .table:
      // Looked at twice, so that none need be kept.
      var columns = WalkColumns()
      try forEach { columns.take($0) }
      columns.end()
      let page = PagedOutput(
        to: run.output, on: run.terminal,
        pager: run.values.contains(.noPager) ? nil : Pager(environment: run.environment))
      var table = try WalkTable(
        columns, tags: tags, terminal: run.terminal, clock: run.clock(), isDescending: !isReversed,
        isCut: run.hasOlder(than: query), to: page)
      try forEach { try table.write($0) }
      try table.end()
      try page.end()
    case .lines:
      let lines = WalkLines(zone: run.zone)
      try forEach { try lines.write($0, to: output) }
    case .csv:
      let lines = WalkCSV(zone: run.zone, tags: tags, isExport: isExport, store: store)
      try lines.writeHeader(to: output)
      try forEach { try lines.write($0, to: output) }
    case .json:
      var json = JSONWriter()
      try json.object { json in
        json.member("schema", 1)
        try json.member("walks") { json in
          try json.array { json in
            try forEach { walk in
              json.startLine()
              json.value(
                walk, zone: run.zone, tags: tags.names(of: walk), isExport: isExport, from: store)
              try json.drain(into: output)
            }
            if count > 0 { json.endLine() }
          }
        }
      }
      json.endLine()
      try json.drain(into: output)
    }
    return count
  }
}

extension CommandRun {
  /// Whether there are walks that a query would ask for, were it not for its limit.
  ///
  /// O(limit).
  fileprivate func hasOlder(than query: WalkQuery) throws -> Bool {
    guard let limit = query.limit else { return false }
    var next = query
    next.limit = limit + 1
    return try forEachWalk(next, isReversed: false) { _ in } > limit
  }

  /// Goes through the walks that a query asks for, the newest first or last; tells how many there
  /// were.
  ///
  /// Within `performReading`, else what is written meanwhile may come or not.
  func forEachWalk(
    _ query: WalkQuery, isReversed: Bool, tags: WalkTags? = nil, _ body: (Walk) throws -> Void
  ) throws -> Int {
    var count = 0
    try log().forEachWalk(query, isReversed: isReversed, tags: tags) { walk in
      try body(walk)
      count += 1
    }
    return count
  }
}

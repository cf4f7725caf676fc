import CommandLineKit
import DataFormats
import DogWalkModel

/// The output formats of `dogwalk list`.
enum WalkListForm: Hashable, Sendable {
  /// For people: grouped by day.
  case table
  /// For pipes: a line for each walk, separated by tabs.
  case lines
  /// JSON, for programs.
  case json
  /// CSV, for spreadsheets.
  case csv

  /// Creates the format that a run's options and output determine.
  ///
  /// - Throws: `ValidationError` if there are two.
  init(_ run: CommandRun) throws(ValidationError) {
    switch (run.values.contains(.json), run.values.contains(.csv)) {
    case (true, true):
      throw ValidationError("--json and --csv are two formats", hint: "Give one.")
    case (true, false): self = .json
    case (false, true): self = .csv
    case (false, false): self = run.terminal.isTerminal ? .table : .lines
    }
  }

  /// Writes the walks of a query, the newest first or last, and returns their number.
  ///
  /// - Parameter isExport: whether JSON and CSV include what only other stores need.
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
      // The walks are read twice, so that they need not be kept in memory.
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
  /// Returns whether a query's limit excludes walks.
  ///
  /// O(limit).
  fileprivate func hasOlder(than query: WalkQuery) throws -> Bool {
    guard let limit = query.limit else { return false }
    var next = query
    next.limit = limit + 1
    return try forEachWalk(next, isReversed: false) { _ in } > limit
  }

  /// Calls a closure with each walk of a query, the newest first or last, and returns their number.
  ///
  /// Outside `performReading`, concurrent changes may be included or not.
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

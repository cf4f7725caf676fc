import CommandLineKit
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

  /// Writes walks in the order given.
  func write(_ walks: [Walk], _ run: CommandRun) throws {
    switch self {
    case .table:
      let page = PagedOutput(
        to: run.output, on: run.terminal,
        pager: run.values.contains(.noPager) ? nil : Pager(environment: run.environment))
      try WalkTable(walks, terminal: run.terminal, clock: run.clock()).write(to: page)
      try page.end()
    case .lines:
      let lines = WalkLines(zone: run.zone)
      for walk in walks { try lines.write(walk, to: run.output) }
    case .csv: try WalkCSV(zone: run.zone).write(walks, to: run.output)
    case .json: try Self.writeJSON(walks, zone: run.zone, to: run.output)
    }
  }

  /// Writes walks as a document.
  static func writeJSON(_ walks: [Walk], zone: LocalZone, to output: OutputSink) throws {
    var json = JSONWriter()
    try json.object { json in
      json.member("schema", 1)
      try json.member("walks") { json in
        try json.lines(walks) { json, walk in
          json.value(walk, zone: zone)
          try json.drain(into: output)
        }
      }
    }
    json.endLine()
    try json.drain(into: output)
  }
}

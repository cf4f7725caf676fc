import CommandLineKit
import DataFormats
import DogWalkModel

extension Option {
  /// `--format`: the format of the export.
  fileprivate static let writtenFormat = Option(
    "format", value: .required("FORMAT"),
    help: "json, csv, ics or gpx; by default from the file's name, else json",
    completion: .choices(["json", "csv", "ics", "gpx"]))
  /// `-o`, `--output`: writes to a file.
  fileprivate static let outputFile = Option(
    "output", short: "o", value: .required("FILE"), help: "write into this file", completion: .files
  )
}

extension Command {
  /// `dogwalk export`: writes walks in formats of other programs.
  static let export = Command(
    CommandSpecification(
      abstract: "Write walks for other programs: JSON, CSV, iCalendar or GPX.",
      examples: [
        .init("dogwalk export -o walks.json", "all walks, for dogwalk import elsewhere"),
        .init("dogwalk export -o walks.csv --month=2026-11", "a month for a spreadsheet"),
        .init("dogwalk export --format ics Fido", "Fido's walks for a calendar"),
        .init("dogwalk export -o walks.gpx --limit 1", "the last walk's recorded track"),
      ],
      arguments: [.filterWords],
      options: [.writtenFormat, .outputFile, .ofDog] + Option.period + [
        .byWalker, .inNote, .withTag, .limit, .reverse,
      ],
      discussion: [
        "A file is replaced only after the new one is completely on the disk. JSON has "
          + "everything about a walk; CSV and iCalendar leave out the points of recorded "
          + "tracks; GPX has only these. Only walks are written: to copy the whole store, "
          + "see dogwalk doctor --backup."
      ]),
    isReading: true
  ) { run in
    if run.environment.nonEmpty("DOGWALK_NOW") != nil { _ = try run.clock() }
    guard run.values[.outputFile] != "" else {
      throw ValidationError("--output needs the name of a file", hint: "Write -o FILE.")
    }
    let path = run.values[.outputFile].flatMap { OutputFile.isStandardOutput($0) ? nil : $0 }
    let format = try WalkFile.Format(writing: path, run.values[.writtenFormat])
    let filter = try WalkFilter(run, clock: run.clock)
    let count = try run.log().performReading { () -> Int in
      let dogs = try filter.dogs(run)
      let query = filter.query(dogs: dogs, zone: run.zone)
      guard let path else { return try format.write(query, run, to: run.output) }
      return try run.writeFile(path) { try format.write(query, run, to: $0) }
    }
    if let path {
      try run.say("Wrote \(count) \(count == 1 ? "walk" : "walks") to \(path.escapingControls).")
    }
    if count == 0, format != .gpx {
      try run.note(
        TypedWords.text(
          of: ["No walks \(filter.reading.isEmpty ? "yet" : filter.reading)."] + filter.hints(run)))
    }
  }
}

extension WalkFile.Format {
  /// Creates the format given by the option, else by the file name; else JSON.
  fileprivate init(writing path: String?, _ asked: String?) throws(ValidationError) {
    if let asked, let format = WalkFile.Format(rawValue: asked) {
      self = format
      return
    }
    guard let path, let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else {
      self = .json
      return
    }
    let ending = path[path.index(after: dot)...].lowercased()
    guard let format = WalkFile.Format(rawValue: ending),
      [.json, .csv, .ics, .gpx].contains(format)
    else {
      throw ValidationError(
        "\(ValidationError.quoted(path)) does not show the format",
        hint: "End it with .json, .csv, .ics or .gpx, or say --format.")
    }
    self = format
  }

  /// Writes the walks of a query in this format, and returns their number.
  fileprivate func write(
    _ query: WalkQuery, _ run: CommandRun, to sink: OutputSink
  ) throws -> Int {
    let isReversed = run.values.contains(.reverse)
    switch self {
    case .json, .timewarrior, .watson:
      return try WalkListForm.json.write(
        query, isReversed: isReversed, isExport: true, run, to: sink)
    case .csv:
      return try WalkListForm.csv.write(
        query, isReversed: isReversed, isExport: true, run, to: sink)
    case .ics:
      let calendar = WalkCalendar(tags: try run.log().tags())
      try calendar.writeHead(to: sink)
      var left = 0
      let count = try run.forEachWalk(query, isReversed: isReversed) {
        if try !calendar.write($0, to: sink) { left += 1 }
      }
      try calendar.writeFoot(to: sink)
      if left > 0 {
        try run.note("Note: \(left) of them \(left == 1 ? "has" : "have") no date, and no event.")
      }
      return count
    case .gpx:
      var query = query
      query.hasTrack = true
      let file = WalkGPX()
      try file.writeHead(to: sink)
      var count = 0
      _ = try run.forEachWalk(query, isReversed: isReversed) {
        if try file.write($0, to: sink) { count += 1 }
      }
      try file.writeFoot(to: sink)
      if count == 0 { try run.note("No walk of these was recorded by a tracker.") }
      return count
    }
  }
}

import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

extension Option {
  /// `--format`: how the files are written.
  fileprivate static let readFormat = Option(
    "format", value: .required("FORMAT"), help: "json or csv, where the file's name does not say",
    completion: .choices(["json", "csv"]))
  /// `--skip-bad`: leave out what cannot be read.
  fileprivate static let skipBad = flag(
    "skip-bad", help: "leave out walks that cannot be read, and list them")
}

extension Command {
  /// `dogwalk import`: takes over walks from files.
  static let importing = Command(
    CommandSpecification(
      abstract: "Take over walks from files: JSON or CSV, all or none.",
      examples: [
        .init("dogwalk import walks.json", "what dogwalk export wrote, here or elsewhere"),
        .init("dogwalk import walks.csv", "a spreadsheet with the columns dog, start and minutes"),
        .init("dogwalk import --skip-bad old.csv", "leave out the lines that cannot be read"),
        .init("dogwalk import - --format csv", "from another program"),
      ],
      arguments: [
        Argument(
          "FILE", help: "a file with walks; - for standard input", isRepeating: true,
          completion: .files)
      ],
      options: [.readFormat, .skipBad, .json],
      discussion: [
        "A walk that is there already, by its uuid, is not added again; where it differs, the file's "
          + "values win. A walk without a uuid is known by its dog, start and minutes; each line of a "
          + "file is a walk of its own. dogwalk undo takes the whole import back.",
        "CSV needs a first line with the names of the columns: dog and start, and any of uuid, end, "
          + "minutes, metres, note, by, pee, poo, ongoing, tags and dog_uuid. Times are written as 2026-11-20T18:00:00+01:00 "
          + "or 2026-11-20 18:00.",
      ])
  ) { run in
    let request = try ImportRequest(run)
    let progress = request.progress
    let zone = run.zone
    let merged = try run.logForAdding().merge(
      request.files, localOffset: { zone.moment(at: $0).utcOffset },
      progress: { progress.show("Taking over… \($0) of \(request.count) walks") })
    progress.end()
    run.hasChanged = merged.new + merged.changed > 0
    try request.report(merged)
  }
}

/// The walks that `dogwalk import` is to take over.
private struct ImportRequest {
  let run: CommandRun
  let progress: Progress
  /// What each file says.
  private(set) var files: [[WalkRecord]] = []
  private var leftOut: [String] = []

  /// Reads the files.
  ///
  /// - Throws: `Complaint` where one cannot be read, or has what cannot be taken over.
  init(_ run: CommandRun) throws {
    self.run = run
    progress = run.progress()
    let now = try run.clock().now.date
    // Read once, though it may be named twice.
    var paths: [String] = []
    for path in run.values.operands where !paths.contains(path) { paths.append(path) }
    for path in paths { try take(path, now: now) }
  }

  private mutating func take(_ path: String, now: Date) throws {
    try run.refuseReadingStore(from: path)
    let source: InputFile
    do throws(InputFile.Failure) {
      source = try InputFile(path, atMost: WalkFile.mostBytes)
    } catch {
      throw Complaint(reading: path, error)
    }
    let file: WalkFile
    do {
      file = try WalkFile(
        InputBytes(source), format: Self.format(of: path, run),
        understanding: WalkUnderstanding(zone: run.zone, now: now)
      ) { [progress] in
        progress.show("Reading \(Self.name(path))…")
      }
    } catch {
      progress.end()
      // What could not be read explains what is missing.
      if let failure = source.failure { throw Complaint(reading: path, failure) }
      guard let error = error as? DataError else { throw error }
      throw Complaint(
        .badData, "cannot import \(Self.name(path)): line \(error.line): \(error.reason)",
        hint: "Nothing was imported.")
    }
    if let failure = source.failure {
      progress.end()
      throw Complaint(reading: path, failure)
    }
    files.append(file.records)
    guard let first = file.errors.first else { return }
    progress.end()
    guard run.values.contains(.skipBad) else {
      let more = file.errors.count - 1
      throw Complaint(
        .badData, "cannot import \(Self.name(path)): line \(first.line): \(first.reason)",
        hint: (more == 0 ? "" : "\(more) more cannot be read. ")
          + "Nothing was imported; --skip-bad leaves out what cannot be.")
    }
    leftOut += file.errors.map {
      "Left out line \($0.line) of \(Self.name(path)): \($0.reason)."
    }
  }

  /// How many walks the files have.
  var count: Int { files.reduce(0) { $0 + $1.count } }

  private static func format(of path: String, _ run: CommandRun) -> WalkFile.Format? {
    if let format = run.values[.readFormat] { return WalkFile.Format(rawValue: format) }
    let name = path.lowercased()
    return name.hasSuffix(".json") ? .json : name.hasSuffix(".csv") ? .csv : nil
  }

  private static func name(_ path: String) -> String {
    path == "-" ? "standard input" : path.escapingControls
  }

  // MARK: Afterwards

  func report(_ merged: WalkLog.Merged) throws {
    if run.values.contains(.json) {
      var json = JSONWriter()
      json.object { json in
        json.member("schema", 1)
        json.member("new", merged.new)
        json.member("changed", merged.changed)
        json.member("known", merged.known)
        json.member("left_out", leftOut.count)
      }
      json.endLine()
      try json.drain(into: run.output)
    } else {
      try run.say(Self.sentence(merged))
    }
    for line in leftOut { try run.note(line) }
  }

  private static func sentence(_ merged: WalkLog.Merged) -> String {
    let count = merged.new + merged.changed + merged.known
    guard count > 0 else { return "There was no walk to import." }
    guard merged.new + merged.changed > 0 else {
      return count == 1
        ? "Nothing new: the walk was there already."
        : "Nothing new: all \(count) walks were there already."
    }
    var text = "Imported \(count) \(count == 1 ? "walk" : "walks"): \(merged.new) new, "
    text += "\(merged.changed) changed, \(merged.known) there already."
    let dogs = merged.newDogs
    if !dogs.isEmpty {
      text += " (New \(dogs.count == 1 ? "dog" : "dogs"): \(sentenceList(dogs)).)"
    }
    return text + "  Undo: dogwalk undo"
  }
}

@available(*, unavailable)
extension ImportRequest: Sendable {}

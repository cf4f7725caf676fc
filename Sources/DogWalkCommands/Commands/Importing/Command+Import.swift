import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

extension Option {
  /// `--format`: the format of the files.
  fileprivate static let readFormat = Option(
    "format", value: .required("FORMAT"),
    help: "json, csv, gpx, timewarrior or watson, if it cannot be detected",
    completion: .choices(["json", "csv", "gpx", "timewarrior", "watson"]))
  /// `--column`: the names of columns.
  static let column = Option(
    "column", value: .required("FIELD=NAME"), isRepeating: true,
    help: "the column of a field: minutes=Dauer, or two: start=Date+Time")
  /// `--dates`: the order of days, months and years.
  static let dates = Option(
    "dates", value: .required("ORDER"), help: "how days are written: dmy, mdy or ymd",
    completion: .choices(["dmy", "mdy", "ymd"]))
  /// `--ignore-unknown`: ignores unknown columns and keys.
  static let ignoreUnknown = flag(
    "ignore-unknown", help: "ignore unknown columns and keys")
  /// `-d`, `--dog`: the dog of walks without one.
  static let dogOfFile = Option(
    "dog", short: "d", value: .required("NAME"),
    help: "whose walks they are, if the file does not say",
    completion: .dogs)
  /// `--dry-run`: only shows what would be imported.
  fileprivate static let dryImport = flag(
    "dry-run", help: "show what would happen to each walk, and import nothing")
  /// `--skip-bad`: skips walks that cannot be read.
  fileprivate static let skipBad = flag(
    "skip-bad", help: "leave out walks that cannot be read, and list them")
}

extension Option {
  /// `--overwrite`: takes the file's values over later changes.
  fileprivate static let overwrite = flag(
    "overwrite", help: "use the file's values even if the walks were changed here since")
}

extension Command {
  /// `dogwalk import`: imports walks from files.
  static let importing = Command(
    CommandSpecification(
      abstract: "Import walks from files: JSON, CSV, GPX and other programs' exports, all or none.",
      examples: [
        .init("dogwalk import walks.json", "what dogwalk export wrote, here or elsewhere"),
        .init("dogwalk import walks.csv", "a spreadsheet with the columns dog, start and minutes"),
        .init(
          "dogwalk import old.csv --column start=Date+Time --dates dmy --dry-run",
          "what would happen to each line of a spreadsheet"),
        .init("dogwalk import - --format timewarrior", "what timew export prints"),
      ],
      arguments: [
        Argument(
          "FILE", help: "a file with walks; - for standard input", isRepeating: true,
          completion: .files)
      ],
      options: [
        .readFormat, .dogOfFile, .column, .dates, .ignoreUnknown, .skipBad, .overwrite, .dryImport,
        .json,
      ],
      discussion: [
        "A walk that already exists, by its uuid, is not added again; if it differs, "
          + "the file's values are used. A walk without a uuid is identified by its dog, "
          + "start and minutes. Each line of a file is a walk of its own, so a copied line "
          + "needs an empty uuid. A dog is identified by its dog_uuid, whatever its name in "
          + "the file. dogwalk undo reverts the whole import.",
        "If an end and a length disagree, the one that differs from the stored walk is "
          + "used, with a note; if that does not decide it, the line is refused.",
        "If a file is imported into the store that it was exported from, walks that "
          + "were changed or deleted there since are left as they are, and listed; "
          + "--overwrite uses the file's values. To keep two stores the same, see dogwalk "
          + "sync.",
        "CSV needs a first line with the names of the columns: dog and start, and any "
          + "of uuid, end, minutes, metres, note, by, pee, poo, ongoing, tags, dog_uuid and "
          + "version; also duration (35m, 1:15, 1:15:00), distance (2.4km), kilometres and "
          + "miles. --column gives the names of columns that are called otherwise. Tags are "
          + "separated by spaces, commas or semicolons. If fields are not separated by "
          + "commas, numbers may have a decimal comma: 2,4; a number that could also have a "
          + "thousands separator is refused: 1.200 between semicolons, and between tabs in "
          + "a file with decimal commas; 1,200 between tabs.",
        "Times are written as 2026-11-20T18:00:00+01:00, 2026-11-20 18:00, 20.11.2026 "
          + "18:00 or 20.11.2026 6:00 pm; dates such as 20/11/2026 need --dates for the "
          + "order. An end may be a time alone, 18:45: it is on the day of the start, or on "
          + "the next day if it is earlier.",
        "The exports of timewarrior and Watson (watson log --json, or its file frames) "
          + "are JSON, too: the project is the dog, and so is each tag that is a dog's "
          + "name, or the only tag if there are no dogs yet; beside such a tag, a project "
          + "that is not a dog's name is a tag. With --dog, no new dog is made from a "
          + "project or a tag. Spaces in other tags become hyphens, +dog-park. A GPX file "
          + "needs --dog.",
      ])
  ) { run in
    let request = try ImportRequest(run)
    let progress = request.progress
    let zone = run.zone
    guard !run.values.contains(.dryImport) else {
      let preview = try run.log().preview(
        request.files, overwrites: run.values.contains(.overwrite),
        longestUsual: CommandRun.longestUsual, localOffset: { zone.moment(at: $0).utcOffset })
      progress.end()
      return try request.report(preview.merged, preview: ImportPreview(preview, run: run))
    }
    let merged = try run.logForAdding().merge(
      request.files, overwrites: run.values.contains(.overwrite),
      longestUsual: CommandRun.longestUsual, localOffset: { zone.moment(at: $0).utcOffset },
      progress: { progress.show("Importing… \($0) of \(request.count) walks") })
    progress.end()
    run.hasChanged = merged.new + merged.changed > 0
    try request.report(merged)
  }
}

/// The walks that `dogwalk import` is asked to import.
private struct ImportRequest {
  let run: CommandRun
  let progress: Progress
  private let rules: ImportRules
  /// The walks of each file.
  private(set) var files: [[WalkRecord]] = []
  private var leftOut: [String] = []
  /// How to correct the files with walks that were skipped.
  private var remedies: [String] = []
  /// The notes about dogs with other names in a file, by their identifiers.
  private var otherNames: [UUID: String] = [:]
  /// The notes about lengths that a file gives twice, and differently.
  private var lengths: [String] = []

  /// Reads the files.
  ///
  /// - Throws: `Complaint` if one cannot be read, or contains walks that cannot be imported.
  init(_ run: CommandRun) throws {
    self.run = run
    progress = run.progress()
    rules = try ImportRules(run)
    let now = try run.clock().now.date
    // Each file is read once, even if it is named several times.
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
    let recordReader = WalkRecordReader(zone: run.zone, now: now, rules: rules)
    let format = Self.format(of: path, run)
    do {
      if format == .gpx {
        var bytes: [UInt8] = []
        while source.read(into: &bytes) {}
        file = try WalkFile(gpx: bytes, recordReader: recordReader)
      } else {
        file = try WalkFile(
          InputBytes(source), format: format, recordReader: recordReader
        ) { [progress] in
          progress.show("Reading \(Self.name(path))…")
        }
      }
    } catch {
      progress.end()
      // A failure to read the file explains missing data.
      if let failure = source.failure { throw Complaint(reading: path, failure) }
      guard let error = error as? DataError else { throw error }
      throw Self.complaint(
        about: path, error,
        hint: ["Nothing was imported.", error.remedy(for: path, format)].compactMap { $0 })
    }
    if let failure = source.failure {
      progress.end()
      throw Complaint(reading: path, failure)
    }
    files.append(file.records)
    noteNames(in: file, path)
    lengths += file.disagreements.map { line, used, stored in
      "Line \(line) of \(Self.name(path)) gives two lengths: "
        + "\(Duration.seconds(used).reading) is used, since the walk here has "
        + "\(Duration.seconds(stored).reading)."
    }
    // An encoding error explains the errors in lines.
    guard let first = file.errors.first(where: { $0.encoding != nil }) ?? file.errors.first else {
      return
    }
    progress.end()
    let remedy = first.remedy(for: path, format)
    guard run.values.contains(.skipBad) else {
      let more = file.errors.count - 1
      var hint = more == 0 ? [] : ["\(more) more cannot be read."]
      if let remedy {
        hint += ["Nothing was imported.", remedy]
      } else {
        hint.append("Nothing was imported; --skip-bad leaves out what cannot be.")
      }
      throw Self.complaint(about: path, first, hint: hint)
    }
    leftOut += file.errors.map {
      "Left out \($0.lines) of \(Self.name(path)): \($0.reason)."
    }
    if let remedy { remedies.append(remedy) }
  }

  private static func complaint(
    about path: String, _ error: DataError, hint: [String]
  ) -> Complaint {
    Complaint(
      .badData, "cannot import \(name(path)): \(error.lines): \(error.reason)",
      hint: hint.joined(separator: " "))
  }

  /// Adds notes about the dogs that have other names in a file, once for each dog.
  private mutating func noteNames(in file: WalkFile, _ path: String) {
    for (uuid, dog) in file.otherNames where otherNames[uuid] == nil {
      let (name, other) = (dog.name.escapingControls, dog.nameInFile.escapingControls)
      otherNames[uuid] =
        "In \(Self.name(path)) the dog \(name) is called \(other), but stays \(name) here. "
        + "If \(other) is another dog, empty its dog_uuid in the file; if that is its new name: "
        + "\(run.call) dogs rename \([dog.name, dog.nameInFile].shellOperands)"
    }
  }

  /// The number of walks in the files.
  var count: Int { files.reduce(0) { $0 + $1.count } }

  private static func format(of path: String, _ run: CommandRun) -> WalkFile.Format? {
    if let format = run.values[.readFormat] { return WalkFile.Format(rawValue: format) }
    let name = path.lowercased()
    for format in [WalkFile.Format.json, .csv, .gpx] where name.hasSuffix(".\(format.rawValue)") {
      return format
    }
    return nil
  }

  private static func name(_ path: String) -> String {
    path == "-" ? "standard input" : path.escapingControls
  }

  // MARK: Output

  /// Prints the result; with a preview, walk by walk what would have been imported.
  func report(_ merged: WalkLog.Merged, preview: ImportPreview? = nil) throws {
    if run.values.contains(.json) {
      var json = JSONWriter()
      json.object { json in
        json.member("schema", 1)
        if preview != nil { json.member("dry_run", true) }
        json.member("new", merged.new)
        json.member("changed", merged.changed)
        json.member("known", merged.known)
        json.member("kept", merged.keptNumbers.count + merged.gone.count)
        json.member("left_out", leftOut.count)
      }
      json.endLine()
      try json.drain(into: run.output)
    } else if let preview {
      try preview.write()
      try run.note(Self.conditional(merged))
    } else {
      try run.say(sentence(merged))
      try list(merged.changedNumbers) { "Changed walk \($0): \($1)." }
    }
    try noteKept(merged)
    for line in otherNames.values.sorted(byName: \.self) { try run.note(line) }
    for line in lengths.prefix(Self.most) { try run.note(line) }
    if lengths.count > Self.most {
      try run.note("Likewise of \(lengths.count - Self.most) more.")
    }
    if let preview {
      try preview.writeNotes()
    } else {
      try noteOverlaps(merged)
      try noteLengths(merged)
    }
    for line in leftOut + remedies { try run.note(line) }
  }

  /// The maximum number of walks that are listed individually.
  private static let most = 10

  /// Lists walks if they are few.
  private func list(_ numbers: [Int64], _ sentence: (Int64, String) -> String) throws {
    guard numbers.count <= Self.most else { return }
    let now = try run.clock().now
    for walk in try run.log().walks(numbered: numbers).found {
      try run.say(
        sentence(walk.number, walk.reading(walk.start(in: run.zone).fullReading(now: now))))
    }
  }

  /// Notes the walks that were kept since they are not as they were when the file was exported.
  private func noteKept(_ merged: WalkLog.Merged) throws {
    let now = try run.clock().now
    let (kept, gone) = (merged.keptNumbers, merged.gone)
    guard !kept.isEmpty || !gone.isEmpty else { return }
    if kept.count > Self.most {
      try run.note(
        "\(kept.count) walks stay as they are here, since they were different at the export.")
    } else {
      for walk in try run.log().walks(numbered: kept).found {
        let start = walk.start(in: run.zone).fullReading(now: now)
        try run.note(
          "Walk \(walk.number) stays as it is here, since it was different at the export: \(walk.reading(start))."
        )
      }
    }
    if gone.count > Self.most {
      try run.note(
        "\(gone.count) walks were not added, since it seems that they were deleted here.")
    } else {
      for walk in gone {
        let start = Moment(date: walk.draft.start, utcOffset: walk.draft.utcOffset)
        try run.note(
          "A walk was not added, since it seems that it was deleted here: \(walk.dog.escapingControls), "
            + "\(start.fullReading(now: now)).")
      }
    }
    // The same command, but not as a dry run.
    try run.note(
      "To use the file's values anyway: "
        + run.call(adding: "--overwrite", without: .dryRun))
  }

  /// Notes new walks that overlap walks of the same dog.
  private func noteOverlaps(_ merged: WalkLog.Merged) throws {
    guard let first = merged.overlappingNumbers.first,
      let walk = try run.log().walk(numbered: first)
    else { return }
    let numbers = merged.overlappingNumbers.map { String($0) }
    let count = merged.overlapping
    let text =
      count == 1
      ? "Note: walk \(first) overlaps another walk of the same dog"
      : count == numbers.count
        ? "Note: walks \(sentenceList(numbers)) overlap other walks of the same dog"
        : "Note: \(count) new walks overlap other walks of the same dog, "
          + "\(sentenceList(numbers)) among them"
    var words = ["\(run.call) list"]
    if let dog = walk.dog { words.append(dog.name.shellValue(of: "dog")) }
    if let start = walk.start(in: run.zone) { words.append("\(start.day)") }
    try run.note(
      "\(text). \(count == 1 ? "To see both" : "To see the first"): "
        + words.joined(separator: " "))
  }

  /// Notes new walks that are long, like `add`.
  private func noteLengths(_ merged: WalkLog.Merged) throws {
    guard let first = merged.longNumbers.first else { return }
    if merged.long == 1 {
      let walks = try run.log().walks(numbered: [first]).found
      return try run.noteLength(of: walks, remedy: "edit", " 35m")
    }
    let numbers = merged.longNumbers.map { String($0) }
    let usual = Duration.seconds(CommandRun.longestUsual).reading
    let text =
      merged.long == numbers.count
      ? "Note: walks \(sentenceList(numbers)) are longer than \(usual)"
      : "Note: \(merged.long) of the new walks are longer than \(usual), walks "
        + "\(sentenceList(numbers)) among them"
    try run.note("\(text). To see the first: \(run.call) show \(first)")
  }

  private static func conditional(_ merged: WalkLog.Merged) -> String {
    let kept = merged.keptNumbers.count + merged.gone.count
    let count = merged.new + merged.changed + merged.known + kept
    guard count > 0 else { return "There is no walk to import." }
    return
      "\(count) \(count == 1 ? "walk" : "walks"): \(merged.new) new, \(merged.changed) to change, "
      + "\(merged.known) already there\(kept > 0 ? ", \(kept) to keep as here" : "").\(newNames(merged)) "
      + "Nothing was imported: this was a dry run."
  }

  private func sentence(_ merged: WalkLog.Merged) -> String {
    let kept = merged.keptNumbers.count + merged.gone.count
    let count = merged.new + merged.changed + merged.known + kept
    guard count > 0 else { return "There was no walk to import." }
    if kept > 0, merged.new + merged.changed == 0 { return "Nothing was imported." }
    guard merged.new + merged.changed > 0 else {
      return count == 1
        ? "Nothing new: the walk already exists."
        : "Nothing new: all \(count) walks already exist."
    }
    var text = "Imported \(count) \(count == 1 ? "walk" : "walks"): \(merged.new) new, "
    text += "\(merged.changed) changed, \(merged.known) already there"
    text += kept > 0 ? ", \(kept) kept as here." : "."
    return text + Self.newNames(merged) + "  Undo: \(run.call) undo"
  }

  private static func newNames(_ merged: WalkLog.Merged) -> String {
    CommandRun.newNames(
      dogs: merged.newDogs, walkers: merged.newWalkers, tags: merged.newTags)
  }
}

@available(*, unavailable)
extension ImportRequest: Sendable {}

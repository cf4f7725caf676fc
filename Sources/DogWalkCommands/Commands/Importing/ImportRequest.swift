import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// The walks that `dogwalk import` is asked to import.
struct ImportRequest {
  let run: CommandRun
  let progress: Progress
  private let rules: ImportRules
  /// The walks of each file.
  private(set) var files: [[WalkRecord]] = []
  private(set) var leftOut: [String] = []
  /// How to correct the files with walks that were skipped.
  private(set) var remedies: [String] = []
  /// The notes about dogs with other names in a file, by their identifiers.
  private(set) var otherNames: [UUID: String] = [:]
  /// The notes about lengths that a file gives twice, and differently.
  private(set) var lengths: [String] = []

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
}

@available(*, unavailable)
extension ImportRequest: Sendable {}

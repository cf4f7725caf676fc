import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// The walks in a file, and the errors about those that cannot be read.
struct WalkFile {
  /// The format of a file.
  enum Format: String, Sendable {
    case json, csv, ics, gpx, timewarrior, watson
  }

  /// The walks that can be imported.
  private(set) var records: [WalkRecord] = []
  /// The errors about the others, in the order of the file.
  private(set) var errors: [DataError] = []

  private var recordReader: WalkRecordReader
  /// The line numbers of the walks that have an identifier.
  private var lines: [UUID: Int] = [:]
  private let rules: ImportRules
  private let progress: () -> Void

  /// The dogs that have another name in the file than here.
  var otherNames: [UUID: WalkRecordReader.OtherName] { recordReader.otherNames }

  /// The walks whose end and length disagreed.
  var disagreements: [(line: Int, used: Double, stored: Double)] { recordReader.disagreements }

  /// The maximum size of a file in bytes: a household's walks of a century.
  static let mostBytes = 1 << 28
  /// The maximum number of walks, which are all in memory at once, since all or none are imported.
  private static let mostWalks = 1_000_000
  private static let mostErrors = 100_000

  /// Reads a file's bytes.
  ///
  /// - Parameters:
  ///   - format: its format; `nil` to derive it from the first character.
  ///   - progress: called repeatedly, and at the end.
  /// - Throws: `DataError` if it is not a file of walks, is too long, or has an error after which
  ///   the next walk cannot be found.
  init(
    _ input: InputBytes, format: Format?, recordReader: WalkRecordReader,
    progress: @escaping () -> Void
  ) throws {
    self.recordReader = recordReader
    rules = recordReader.rules
    self.progress = progress
    var input = input
    try Self.refuseUTF16(&input)
    switch try format ?? Self.format(of: &input) {
    case .json, .timewarrior, .watson: try readJSON(JSONReader(input))
    case .csv, .ics, .gpx: try readCSV(CSVReader(input))
    }
    progress()
  }

  /// Throws for bytes that begin like UTF-16 or UTF-32.
  ///
  /// - Throws: `DataError` with the encoding.
  private static func refuseUTF16(_ input: inout InputBytes) throws(DataError) {
    var start: [UInt8] = []
    _ = input.first { byte in
      start.append(byte)
      return start.count == 16
    }
    guard let encoding = ForeignEncoding(utf16: start) else { return }
    throw DataError(
      line: 1, encoding: encoding, encoding == .utf32 ? "it is UTF-32" : "it is UTF-16")
  }

  /// Returns the format of some bytes: JSON if they begin with a bracket, else CSV.
  ///
  /// - Throws: `DataError` if they begin like XML, which requires a file name or `--format`.
  private static func format(of input: inout InputBytes) throws(DataError) -> Format {
    let first = input.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    guard first != UInt8(ascii: "<") else {
      throw DataError(line: 1, "it is neither JSON nor CSV: for a GPX file, give --format gpx")
    }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json : .csv
  }

  /// Reads the walks in a tracker's file.
  ///
  /// - Throws: `DataError` if it is invalid.
  init(gpx bytes: [UInt8], recordReader: WalkRecordReader) throws {
    self.recordReader = recordReader
    rules = recordReader.rules
    progress = {}
    for track in try GPXTrack.tracks(bytes, zone: recordReader.zone) {
      do throws(DataError) {
        records.append(try self.recordReader.record(of: track))
      } catch {
        try note(error)
      }
    }
  }

  private mutating func take(_ walk: WrittenWalk) throws(DataError) {
    guard records.count < Self.mostWalks else {
      throw DataError(line: walk.line, "it has more than a million walks: split it")
    }
    if records.count % 1024 == 1023 { progress() }
    do throws(DataError) {
      let found = try recordReader.records(of: walk)
      for record in found {
        guard let uuid = record.uuid, let line = lines.updateValue(walk.line, forKey: uuid) else {
          continue
        }
        lines[uuid] = line
        throw DataError(
          line: walk.line, to: walk.lastLine,
          "its uuid is that of the walk in line \(line): to make it a new walk, empty its uuid")
      }
      records += found
    } catch {
      try note(error)
    }
  }

  private mutating func note(_ error: DataError) throws(DataError) {
    guard errors.count < Self.mostErrors else {
      throw DataError(
        line: error.line, "\(Self.mostErrors) before it cannot be read, and this: \(error.reason)")
    }
    errors.append(error)
  }

  // MARK: JSON

  private mutating func readJSON(_ json: consuming JSONReader) throws {
    var isFound = false
    if try json.next() == .array {
      try readWalks(&json)
      isFound = true
    } else {
      try json.object { name, json in
        switch name {
        case "walks":
          try readWalks(&json)
          isFound = true
        case "schema":
          guard try json.number() == 1 else {
            throw DataError(line: json.line, "it was written by a newer version of dogwalk")
          }
        default: try json.skip()
        }
      }
    }
    try json.end()
    guard isFound else {
      throw DataError(line: 1, "there is no list \"walks\" in it, as dogwalk export writes it")
    }
  }

  private mutating func readWalks(_ json: inout JSONReader) throws {
    try json.array { json in
      switch try json.next() {
      case .object: break
      case .array: return try readFrame(&json)
      default:
        try note(DataError(line: json.line, "this is not a walk"))
        return try json.skip()
      }
      var walk = WrittenWalk(line: json.line)
      var error: DataError?
      try json.object { name, json in
        guard let field = WrittenWalk.Field(rawValue: name) else {
          if !rules.ignoresUnknown {
            error =
              error
              ?? DataError(
                line: json.line,
                "its key \(ValidationError.quoted(name)) is unknown: --ignore-unknown ignores it"
              )
          }
          return try json.skip()
        }
        switch try json.next() {
        case .null: walk[field] = try json.null() ? WrittenWalk.Value.none : nil
        case .string: walk[field] = .text(field.text(try json.string()))
        case .number: walk[field] = .number(try json.number())
        case .boolean: walk[field] = .boolean(try json.boolean())
        case .array where field == .tags:
          walk[field] = try json.texts().map { .texts($0) }
          if walk[field] == nil {
            error = error ?? DataError(line: json.line, "its tags are not a list of strings")
          }
        case .array where field == .track:
          walk[field] = try json.track().map { .track($0) }
          if walk[field] == nil {
            error =
              error ?? DataError(line: json.line, "its track has a point with an invalid position")
          }
        case .object, .array:
          error = error ?? DataError(line: json.line, "its \(name) is neither text nor number")
          try json.skip()
        }
      }
      if let error { try note(error) } else { try take(walk) }
    }
  }

  /// Reads a frame of Watson's file: start, stop, project, identifier and tags.
  private mutating func readFrame(_ json: inout JSONReader) throws {
    var walk = WrittenWalk(line: json.line)
    var index = 0
    var isFrame = true
    try json.array { json in
      defer { index += 1 }
      switch (index, try json.next()) {
      case (0, .number):
        walk[.start] = .text(Self.utc(try json.number()))
      case (1, .number):
        walk[.stop] = .text(Self.utc(try json.number()))
      case (2, .string): walk[.project] = .text(try json.string())
      case (3, .string): walk[.id] = .text(try json.string())
      case (4, .array):
        walk[.tags] = try json.texts().map { .texts($0) }
        if walk[.tags] == nil { isFrame = false }
      case (5..., _): try json.skip()
      default:
        isFrame = false
        try json.skip()
      }
    }
    guard isFrame, index >= 3 else {
      return try note(DataError(line: walk.line, "this is neither a walk nor a frame of Watson's"))
    }
    try take(walk)
  }

  /// Returns seconds since 1970 in timewarrior's form: `20261120T170000Z`.
  private static func utc(_ seconds: Double) -> String {
    let moment = Moment(secondsSince1970: seconds.wholeSeconds, utcOffset: 0)
    return moment.iso8601.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
  }

  // MARK: CSV

  private mutating func readCSV(_ csv: consuming CSVReader) throws {
    var first = try csv.next()
    while let record = first, Self.isEmpty(record) { first = try csv.next() }
    guard let header = first else { return }
    let fields = try rules.fields(of: header)
    // If commas do not separate fields, they may occur in numbers. Between semicolons they are
    // decimal, so that a point may separate thousands; between tabs a comma may, and also a point
    // once a comma was clearly decimal.
    let isTabbed = csv.separator == UInt8(ascii: "\t")
    var marks: [Character] = isTabbed ? [","] : csv.separator == UInt8(ascii: ",") ? [] : ["."]
    while true {
      let walk: WrittenWalk
      do throws(DataError) {
        guard let record = try csv.next() else { return }
        if Self.isEmpty(record) { continue }
        walk = try Self.walk(
          record, fields, columns: header.fields.count, thousands: &marks)
      } catch {
        guard !csv.isBroken else { throw error }
        try note(error)
        continue
      }
      try take(walk)
    }
  }

  /// Returns whether all fields are empty, as in a blank row of a spreadsheet.
  private static func isEmpty(_ record: CSVReader.Record) -> Bool {
    record.fields.allSatisfy { $0.allSatisfy(\.isWhitespace) }
  }

  private static func walk(
    _ record: CSVReader.Record, _ fields: [(field: WrittenWalk.Field, columns: [Int])],
    columns: Int, thousands marks: inout [Character]
  ) throws(DataError) -> WrittenWalk {
    guard record.fields.count == columns else {
      throw DataError(
        line: record.line, to: record.lastLine,
        "it has \(record.fields.count) \(record.fields.count == 1 ? "column" : "columns"), and the first line names \(columns)"
      )
    }
    var walk = WrittenWalk(line: record.line, to: record.lastLine)
    if marks == [","] {
      let hasDecimalComma = fields.contains { field, columns in
        field.isNumber && columns.contains { LocalNumber.hasDecimalComma(record.fields[$0]) }
      }
      if hasDecimalComma { marks.append(".") }
    }
    for (field, columns) in fields {
      var text = ""
      for column in columns where !record.fields[column].isEmpty {
        text += (text.isEmpty ? "" : " ") + String(csvField: record.fields[column])
      }
      text = field.text(text)
      if !marks.isEmpty, field.isNumber {
        if let reason = LocalNumber.ambiguity(of: text, dividedBy: marks) {
          throw DataError(
            line: record.line, to: record.lastLine, "its \(field.rawValue) \(reason)")
        }
        text = LocalNumber.plain(text)
      }
      walk[field] = text.isEmpty ? WrittenWalk.Value.none : .text(text)
    }
    return walk
  }
}

@available(*, unavailable)
extension WalkFile: Sendable {}

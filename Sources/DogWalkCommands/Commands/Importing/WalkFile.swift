import CommandLineKit
import DataFormats
import DogWalkModel

/// A file of walks: what each of them says, and what in it cannot be read.
struct WalkFile {
  /// How a file is written.
  enum Format: String, Sendable {
    case json, csv, ics
  }

  /// The walks that can be taken over.
  private(set) var records: [WalkRecord] = []
  /// What cannot be, in the file's order.
  private(set) var errors: [DataError] = []

  private var understanding: WalkUnderstanding
  private let progress: () -> Void

  /// The most bytes of a file: a household's walks of a century.
  static let mostBytes = 1 << 28
  /// All walks of a file are held at once, since all of them or none are taken over.
  private static let mostWalks = 1_000_000
  private static let mostErrors = 100_000

  /// Reads a file's bytes.
  ///
  /// - Parameters:
  ///   - format: how it is written; `nil` where the first character is to tell.
  ///   - progress: called from time to time, and at the end.
  /// - Throws: `DataError` where the file is none of walks, broken in a way that leaves unclear where
  ///   the next walk begins, or too long.
  init(
    _ input: InputBytes, format: Format?, understanding: WalkUnderstanding,
    progress: @escaping () -> Void
  ) throws {
    self.understanding = understanding
    self.progress = progress
    var input = input
    if (format ?? Self.format(of: &input)) == .json {
      try readJSON(JSONReader(input))
    } else {
      try readCSV(CSVReader(input))
    }
    progress()
  }

  /// The form that some bytes have: JSON where they begin with a bracket.
  private static func format(of input: inout InputBytes) -> Format {
    let first = input.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json : .csv
  }

  private mutating func take(_ walk: WrittenWalk) throws(DataError) {
    guard records.count < Self.mostWalks else {
      throw DataError(line: walk.line, "it has more than a million walks: divide it")
    }
    if records.count % 1024 == 1023 { progress() }
    do throws(DataError) {
      records.append(try understanding.record(of: walk))
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
      guard try json.next() == .object else {
        try note(DataError(line: json.line, "this is no walk"))
        return try json.skip()
      }
      var walk = WrittenWalk(line: json.line)
      var error: DataError?
      try json.object { name, json in
        guard let field = WrittenWalk.Field(rawValue: name) else { return try json.skip() }
        switch try json.next() {
        case .null: walk[field] = try json.null() ? WrittenWalk.Value.none : nil
        case .string: walk[field] = .text(try json.string())
        case .number: walk[field] = .number(try json.number())
        case .boolean: walk[field] = .boolean(try json.boolean())
        case .array where field == .tags:
          walk[field] = try json.texts().map { .texts($0) }
          if walk[field] == nil {
            error = error ?? DataError(line: json.line, "its tags are no list of texts")
          }
        case .array where field == .track:
          walk[field] = try json.track().map { .track($0) }
          if walk[field] == nil {
            error = error ?? DataError(line: json.line, "its track has what is no point on Earth")
          }
        case .object, .array:
          error = error ?? DataError(line: json.line, "its \(name) is neither text nor number")
          try json.skip()
        }
      }
      if let error { try note(error) } else { try take(walk) }
    }
  }

  // MARK: CSV

  private mutating func readCSV(_ csv: consuming CSVReader) throws {
    guard let header = try csv.next() else { return }
    let fields = header.fields.map { name in
      WrittenWalk.Field(rawValue: name.lowercased().filter { !$0.isWhitespace })
    }
    guard fields.contains(.dog), fields.contains(.start) else {
      throw DataError(
        line: header.line, "the first line has to name the columns, dog and start among them")
    }
    for (place, field) in fields.enumerated() where field != nil {
      guard fields.firstIndex(of: field) == place else {
        throw DataError(line: header.line, "the column \(header.fields[place]) is there twice")
      }
    }
    while true {
      let walk: WrittenWalk
      do throws(DataError) {
        guard let record = try csv.next() else { return }
        walk = try Self.walk(record, fields)
      } catch {
        guard !csv.isBroken else { throw error }
        try note(error)
        continue
      }
      try take(walk)
    }
  }

  private static func walk(
    _ record: CSVReader.Record, _ fields: [WrittenWalk.Field?]
  ) throws(DataError) -> WrittenWalk {
    guard record.fields.count == fields.count else {
      throw DataError(
        line: record.line,
        "it has \(record.fields.count) columns, and the first line names \(fields.count)")
    }
    var walk = WrittenWalk(line: record.line)
    for (field, text) in zip(fields, record.fields) {
      guard let field else { continue }
      walk[field] = text.isEmpty ? WrittenWalk.Value.none : .text(String(csvField: text))
    }
    return walk
  }
}

@available(*, unavailable)
extension WalkFile: Sendable {}

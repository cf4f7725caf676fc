import CommandLineKit
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

  /// Reads a file's bytes.
  ///
  /// - Throws: `DataError` where the file is none of walks, or broken in a way that leaves unclear
  ///   where the next walk begins.
  init(_ bytes: [UInt8], format: Format, understanding: WalkUnderstanding) throws {
    self.understanding = understanding
    if format == .json { try readJSON(bytes) } else { try readCSV(bytes) }
  }

  /// The form that some bytes have: JSON where they begin with a bracket.
  static func format(of bytes: [UInt8]) -> Format {
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json : .csv
  }

  private mutating func take(_ walk: WrittenWalk) {
    do throws(DataError) {
      records.append(try understanding.record(of: walk))
    } catch {
      errors.append(error)
    }
  }

  // MARK: JSON

  private mutating func readJSON(_ bytes: [UInt8]) throws {
    var json = JSONReader(bytes)
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
        errors.append(DataError(line: json.line, "this is no walk"))
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
        case .object, .array, .boolean:
          error = error ?? DataError(line: json.line, "its \(name) is neither text nor number")
          try json.skip()
        }
      }
      if let error { errors.append(error) } else { take(walk) }
    }
  }

  // MARK: CSV

  private mutating func readCSV(_ bytes: [UInt8]) throws {
    var csv = CSVReader(bytes)
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
      do throws(DataError) {
        guard let record = try csv.next() else { return }
        guard record.fields.count == fields.count else {
          throw DataError(
            line: record.line,
            "it has \(record.fields.count) columns, and the first line names \(fields.count)")
        }
        var walk = WrittenWalk(line: record.line)
        for (field, text) in zip(fields, record.fields) {
          if let field { walk[field] = text.isEmpty ? WrittenWalk.Value.none : .text(text) }
        }
        take(walk)
      } catch {
        errors.append(error)
      }
    }
  }
}

@available(*, unavailable)
extension WalkFile: Sendable {}

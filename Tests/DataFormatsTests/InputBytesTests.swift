import Foundation
import TestSupport
import Testing

@testable import DataFormats

/// Bytes read in chunks, compared with the same bytes read at once.
@Suite struct `Reading a file in chunks` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func input(_ text: String) throws -> InputBytes {
    let file = try folder.write(Data(text.utf8), to: "input")
    return InputBytes(try InputFile(file.path, atMost: .max))
  }

  @Test(arguments: [65_530, 65_534, 65_535, 65_536, 65_537, 131_071])
  func `reads CSV across chunk boundaries`(count: Int) throws {
    let long = String(repeating: "x", count: count)
    for field in ["\(long)", "\"\(long)\"", "\"\(long)\"\"\"", "\"\(long)\r\n\"", "\(long)é"] {
      let text = "a,b\r\n\(field),1\r\n2,\(field)\n"
      var (whole, pieces) = (CSVReader(Array(text.utf8)), CSVReader(try input(text)))
      for _ in 0..<4 { #expect(try pieces.next() == whole.next()) }
    }
  }

  @Test(arguments: [65_530, 65_534, 65_535, 65_536, 65_537, 131_071])
  func `reads JSON across chunk boundaries`(count: Int) throws {
    let long = String(repeating: "x", count: count)
    let blank = String(repeating: " ", count: count)
    for value in ["\"\(long)\"", "\"\(long)\\ud83d\\udc36\\n\"", "\"\\u00e9\"", "-12.5e3", "true"] {
      let text = "[\(blank)\(value),  \n false, null]"
      var (whole, pieces) = (JSONReader(Array(text.utf8)), JSONReader(try input(text)))
      #expect(try values(&pieces) == values(&whole))
      #expect(pieces.line == 2)
    }
  }

  private func values(_ json: inout JSONReader) throws -> [String] {
    var values: [String] = []
    try json.array { json in
      switch try json.next() {
      case .string: values.append(try json.string())
      case .number: values.append("\(try json.number())")
      case .boolean: values.append("\(try json.boolean())")
      default: values.append("\(try json.null())")
      }
    }
    try json.end()
    return values
  }

  @Test func `refuses a file above the size limit`() throws {
    let bytes = [UInt8](repeating: 0x61, count: 200_000)
    let file = try folder.write(bytes, to: "large")
    #expect(throws: InputFile.Failure.tooLarge(limit: 100_000)) {
      try InputFile.bytes(of: file.path, atMost: 100_000)
    }
    #expect(try InputFile.bytes(of: file.path, atMost: 200_000) == bytes)
    let input = try InputFile(file.path, atMost: 100_000)
    var reader = CSVReader(InputBytes(input))
    _ = try? reader.next()
    #expect(input.failure == .tooLarge(limit: 100_000))
  }

  @Test func `reports why a file cannot be read`() {
    #expect(throws: InputFile.Failure.system(errno: ENOENT)) {
      try InputFile(folder.url.path + "/none", atMost: 1)
    }
    #expect(throws: InputFile.Failure.system(errno: EISDIR)) {
      try InputFile(folder.url.path, atMost: 1)
    }
  }

  @Test(arguments: [
    (String(repeating: "[", count: 200), "it is nested deeper than 128 levels"),
    ("\"" + String(repeating: "x", count: 1 << 21) + "\"", "a string in it has more than 1 MiB"),
    ("\"\\n" + String(repeating: "x", count: 1 << 21) + "\"", "a string in it has more than 1 MiB"),
    (String(repeating: "1", count: 1 << 21), "a string in it has more than 1 MiB"),
  ])
  func `refuses JSON that is too long or too deep`(text: String, reason: String) throws {
    for input in [InputBytes(Array(text.utf8)), try input(text)] {
      var json = JSONReader(input)
      let error = #expect(throws: DataError.self) { try json.skip() }
      #expect(error?.line == 1 && error?.reason == reason)
    }
  }
}

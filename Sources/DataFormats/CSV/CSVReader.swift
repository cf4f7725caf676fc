/// A reader of CSV, record by record, by RFC 4180.
///
///     var csv = CSVReader(bytes)
///     while let record = try csv.next() { print(record.line, record.fields) }
///
/// Lines may have any system's line endings; a byte order mark and empty lines are skipped; a
/// quoted field may contain line breaks. The separator is the first comma, semicolon or tab outside
/// of quotes in the first line, since spreadsheets in many countries write semicolons; if the first
/// line is `sep=;`, a convention of Excel, the separator is the one given there, and that line is
/// skipped. A field of more than a mebibyte is an error, and so are more than a thousand fields in
/// a line: this limits the memory for each line.
package struct CSVReader {
  /// The fields of a record, which may span several lines of the file.
  package struct Record: Hashable, Sendable {
    /// The line at which it begins, from 1.
    package let line: Int
    /// The line at which it ends: a later one if a quoted field contains line breaks.
    package let lastLine: Int
    /// The fields, without their quotes.
    package let fields: [String]

    init(line: Int, to lastLine: Int? = nil, fields: [String]) {
      self.line = line
      self.lastLine = lastLine ?? line
      self.fields = fields
    }
  }

  /// Whether non-ASCII text has been read, which shows the encoding.
  private var hasUTF8 = false
  private var input: InputBytes
  /// Whether a limit was exceeded: then there is no next record.
  package private(set) var isBroken = false
  /// The line of the next byte, from 1.
  package private(set) var line = 1
  /// The separator of fields.
  package let separator: UInt8

  private static let longestField = 1 << 20
  private static let mostFields = 1_000

  /// Creates a reader at the beginning of some input.
  package init(_ input: InputBytes) {
    var input = input
    input.pass([0xEF, 0xBB, 0xBF])
    if let declared = Self.passDeclaredSeparator(&input) {
      separator = declared
      self.input = input
      return
    }
    let separators: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
    // A quote opens a field only at its beginning.
    var isInQuotes = false
    let isQuoted = input.first { _ in true } == UInt8(ascii: "\"")
    let first = input.first {
      if isQuoted, $0 == UInt8(ascii: "\"") { isInQuotes.toggle() }
      return !isInQuotes && (separators.contains($0) || $0 == 0x0A || $0 == 0x0D)
    }
    separator = first.flatMap { separators.contains($0) ? $0 : nil } ?? UInt8(ascii: ",")
    self.input = input
  }

  /// Skips a first line `sep=;`, quoted or not, except for its line break; returns the separator it
  /// gives, or nil if the first line is another one.
  private static func passDeclaredSeparator(_ input: inout InputBytes) -> UInt8? {
    let quote = UInt8(ascii: "\"")
    var line: [UInt8] = []
    let end = input.first { byte in
      guard byte != 0x0A, byte != 0x0D, line.count < 8 else { return true }
      line.append(byte)
      return false
    }
    let isQuoted = line.count > 1 && line.first == quote && line.last == quote
    let words = isQuoted ? line.dropFirst().dropLast() : line[...]
    guard end == 0x0A || end == 0x0D, words.count == 5, let separator = words.last,
      String(decoding: words.dropLast(), as: UTF8.self).lowercased() == "sep=",
      [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|"), 0x09].contains(separator)
    else { return nil }
    input.pass(line)
    return separator
  }

  /// Creates a reader of bytes in memory.
  package init(_ bytes: [UInt8]) { self.init(InputBytes(bytes)) }

  /// The next record; nil at the end.
  ///
  /// - Throws: `DataError` with all skipped lines if a quote is not closed, is followed by other
  ///   text, or a text is not UTF-8; the next call continues with the next line. Also if a limit is
  ///   exceeded, which ends reading.
  package mutating func next() throws(DataError) -> Record? {
    guard !isBroken else { return nil }
    while input.hasByte, isAtEndOfLine { endLine() }
    guard input.hasByte else { return nil }
    let start = line
    var fields: [String] = []
    do throws(DataError) {
      while true {
        guard fields.count < Self.mostFields else {
          throw tooLong("it has more than \(Self.mostFields) columns", start)
        }
        fields.append(try field(from: start))
        guard input.hasByte, byte == separator else { break }
        input.position += 1
      }
    } catch {
      _ = input.end()
      guard !isBroken else { throw error }
      while input.hasByte, !isAtEndOfLine { input.position += 1 }
      throw DataError(
        line: start, to: error.lastLine, encoding: error.encoding, error.reason)
    }
    let last = line
    if input.hasByte { endLine() }
    return Record(line: start, to: last, fields: fields)
  }

  /// The next byte.
  private var byte: UInt8 { input.bytes[input.position] }
  private var isAtEndOfLine: Bool { byte == 0x0A || byte == 0x0D }

  /// Skips a line break: CR LF, LF or CR.
  private mutating func endLine() {
    let isReturn = byte == 0x0D
    input.position += 1
    if isReturn, input.hasByte, byte == 0x0A { input.position += 1 }
    line += 1
  }

  private mutating func field(from start: Int) throws(DataError) -> String {
    guard input.hasByte, byte == UInt8(ascii: "\"") else {
      input.begin()
      while input.hasByte, byte != separator, !isAtEndOfLine {
        input.position += 1
        guard input.textCount <= Self.longestField else { throw tooLong(Self.longField, start) }
      }
      return try text(input.end())
    }
    return try quotedField(from: start)
  }

  private mutating func quotedField(from start: Int) throws(DataError) -> String {
    var field: [UInt8] = []
    let opened = line
    input.position += 1
    while input.hasByte {
      guard field.count <= Self.longestField else {
        throw tooLong(
          "quotes that were opened in line \(opened) are not closed within "
            + "\(Self.longestField >> 20) MiB", start)
      }
      switch byte {
      case UInt8(ascii: "\""):
        input.position += 1
        guard input.hasByte, byte != separator, !isAtEndOfLine else { return try text(field[...]) }
        guard byte == UInt8(ascii: "\"") else {
          throw DataError(
            line: line,
            line == opened
              ? "text follows a quoted field"
              : "in line \(line) text follows quotes that were opened in line \(opened)")
        }
        field.append(UInt8(ascii: "\""))
        input.position += 1
      case 0x0D, 0x0A:
        input.begin()
        endLine()
        field += input.end()
      default:
        field.append(byte)
        input.position += 1
      }
    }
    // A line break at the end of the file begins no further line.
    let last = field.last == 0x0A || field.last == 0x0D ? line - 1 : line
    throw DataError(
      line: last,
      last == opened
        ? "a quote is not closed" : "quotes that were opened in line \(opened) are not closed")
  }

  private static var longField: String { "a field has more than \(longestField >> 20) MiB" }

  private mutating func tooLong(_ reason: String, _ start: Int) -> DataError {
    isBroken = true
    return DataError(line: start, reason)
  }

  private mutating func text(_ bytes: ArraySlice<UInt8>) throws(DataError) -> String {
    // Most fields are ASCII, which needs no slower validation.
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw DataError(line: line, encoding: hasUTF8 ? nil : .windows1252, "it is not UTF-8")
    }
    hasUTF8 = true
    return text
  }
}

@available(*, unavailable)
extension CSVReader: Sendable {}

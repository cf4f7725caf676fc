/// Reads CSV record by record, by RFC 4180.
///
///     var csv = CSVReader(bytes)
///     while let record = try csv.next() { print(record.line, record.fields) }
///
/// Lines may end as on any system; a byte order mark and empty lines are passed over; a field in
/// quotes may have line ends in it. The separator is the first of comma, semicolon and tab in the
/// first line, since spreadsheets of many countries write semicolons.
package struct CSVReader {
  /// The fields of one line, which may be several lines of the file.
  package struct Record: Hashable, Sendable {
    /// The line at which it begins, from 1 on.
    package let line: Int
    /// The fields, without their quotes.
    package let fields: [String]
  }

  private let bytes: [UInt8]
  private var place: Int
  private var line = 1
  private let separator: UInt8

  /// A reader at the beginning of some bytes.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let separators: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
    separator =
      bytes[place...].prefix { $0 != 0x0A && $0 != 0x0D }.first(where: separators.contains)
      ?? UInt8(ascii: ",")
  }

  /// The next record; nil at the end.
  ///
  /// - Throws: `DataError` where a quote is not closed, something follows one, or a text is no UTF-8;
  ///   the next call goes on with the next line.
  package mutating func next() throws(DataError) -> Record? {
    while place < bytes.count, bytes[place] == 0x0A || bytes[place] == 0x0D { endLine() }
    guard place < bytes.count else { return nil }
    let start = line
    var fields: [String] = []
    do {
      while true {
        fields.append(try field(from: start))
        guard place < bytes.count, bytes[place] == separator else { break }
        place += 1
      }
    } catch {
      while place < bytes.count, bytes[place] != 0x0A, bytes[place] != 0x0D { place += 1 }
      throw error
    }
    if place < bytes.count { endLine() }
    return Record(line: start, fields: fields)
  }

  /// Passes over the end of a line: CR LF, LF or CR.
  private mutating func endLine() {
    if bytes[place] == 0x0D, place + 1 < bytes.count, bytes[place + 1] == 0x0A { place += 1 }
    place += 1
    line += 1
  }

  private mutating func field(from start: Int) throws(DataError) -> String {
    guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else {
      let first = place
      while place < bytes.count, bytes[place] != separator, bytes[place] != 0x0A,
        bytes[place] != 0x0D
      {
        place += 1
      }
      return try text(bytes[first..<place])
    }
    return try quotedField(from: start)
  }

  private mutating func quotedField(from start: Int) throws(DataError) -> String {
    var field: [UInt8] = []
    place += 1
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        place += 1
        guard place < bytes.count, bytes[place] != separator, bytes[place] != 0x0A,
          bytes[place] != 0x0D
        else { return try text(field[...]) }
        guard bytes[place] == UInt8(ascii: "\"") else {
          throw DataError(line: line, "something follows a field in quotes")
        }
        field.append(UInt8(ascii: "\""))
        place += 1
      case 0x0D, 0x0A:
        let first = place
        endLine()
        field += bytes[first..<place]
      default:
        field.append(bytes[place])
        place += 1
      }
    }
    throw DataError(line: start, "a quote is not closed")
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(DataError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw DataError(line: line, "it is not UTF-8")
    }
    return text
  }
}

@available(*, unavailable)
extension CSVReader: Sendable {}

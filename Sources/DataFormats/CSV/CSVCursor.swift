/// Goes through CSV that is all there, field by field, by RFC 4180.
///
///     var csv = CSVCursor(blob)
///     while csv.nextRecord() {
///       while let field = try csv.nextField() { print(String(decoding: field, as: UTF8.self)) }
///     }
///
/// It makes no texts, so that a hundred thousand lines are gone through in some milliseconds. What
/// is passed over, and which separator there is, are as `CSVReader` says; nothing is too long.
package struct CSVCursor {
  /// How a file is spelled, which whoever writes it again may keep.
  package struct Spelling: Hashable, Sendable {
    /// Whether it begins with a byte order mark.
    package var hasByteOrderMark = false
    /// What stands between two fields.
    package var separator = UInt8(ascii: ",")
    /// What ends a line.
    package var lineEnd: [UInt8] = [0x0A]

    /// RFC 4180's, with lines as this system has them.
    package init() {}
  }

  /// All bytes.
  package let bytes: [UInt8]
  /// How they are spelled.
  package let spelling: Spelling
  /// How many bytes come before the field that was read last.
  package private(set) var fieldOffset = 0
  private var position: Int
  private var hasField = false

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// At the beginning of some bytes.
  package init(_ bytes: [UInt8]) {
    var spelling = Spelling()
    spelling.hasByteOrderMark = bytes.starts(with: Self.byteOrderMark)
    position = spelling.hasByteOrderMark ? Self.byteOrderMark.count : 0
    // Only at its beginning does a quote open a field.
    let isQuoted = position < bytes.count && bytes[position] == UInt8(ascii: "\"")
    var isInQuotes = false
    var separator: UInt8?
    for (index, byte) in bytes.enumerated().dropFirst(position) {
      if isQuoted, byte == UInt8(ascii: "\"") { isInQuotes.toggle() }
      if isInQuotes { continue }
      if byte == 0x0A || byte == 0x0D {
        let isPair = byte == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
        spelling.lineEnd = isPair ? [0x0D, 0x0A] : [byte]
        break
      }
      if separator == nil, [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].contains(byte) {
        separator = byte
      }
    }
    spelling.separator = separator ?? spelling.separator
    self.spelling = spelling
    self.bytes = bytes
  }

  /// Goes to the next line that is not empty, once all fields of the one before were read; false at
  /// the end.
  package mutating func nextRecord() -> Bool {
    while position < bytes.count, bytes[position] == 0x0A || bytes[position] == 0x0D {
      position += 1
    }
    hasField = position < bytes.count
    return hasField
  }

  /// The next field of the line, without its quotes; nil at the line's end.
  ///
  /// - Throws: `DataError` where a quote is not closed, or something follows one.
  package mutating func nextField() throws(DataError) -> ArraySlice<UInt8>? {
    guard hasField else { return nil }
    fieldOffset = position
    let field: ArraySlice<UInt8>
    if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
      field = try quotedField()
    } else {
      let separator = spelling.separator
      let end = bytes.withUnsafeBufferPointer { bytes in
        var end = position
        while end < bytes.count, bytes[end] != separator, bytes[end] != 0x0A, bytes[end] != 0x0D {
          end += 1
        }
        return end
      }
      field = bytes[position..<end]
      position = end
    }
    hasField = position < bytes.count && bytes[position] == spelling.separator
    if hasField { position += 1 }
    return field
  }

  private mutating func quotedField() throws(DataError) -> ArraySlice<UInt8> {
    let quote = UInt8(ascii: "\"")
    var start = position + 1
    // What stands before a quote that is doubled.
    var parts: [UInt8] = []
    while let end = bytes[start...].firstIndex(of: quote) {
      position = end + 1
      guard position < bytes.count, bytes[position] == quote else {
        let isEnd =
          position == bytes.count
          || [spelling.separator, 0x0A, 0x0D].contains(bytes[position])
        guard isEnd else { throw error("something follows a field in quotes", at: position) }
        return parts.isEmpty ? bytes[start..<end] : (parts + bytes[start..<end])[...]
      }
      parts += bytes[start...end]
      start = position + 1
    }
    throw error("a quote is not closed", at: fieldOffset)
  }

  /// What is wrong at a place: how many bytes come before it.
  package func error(_ reason: String, at offset: Int) -> DataError {
    var line = 1
    var start = spelling.hasByteOrderMark ? Self.byteOrderMark.count : 0
    for index in start..<max(start, offset) {
      let isEnd = bytes[index] == 0x0A || bytes[index] == 0x0D
      guard isEnd, bytes[index] == 0x0A || index + 1 == bytes.count || bytes[index + 1] != 0x0A
      else { continue }
      line += 1
      start = index + 1
    }
    let column = bytes[start..<max(start, offset)].characterCount + 1
    return DataError(line: line, column: column, reason)
  }
}

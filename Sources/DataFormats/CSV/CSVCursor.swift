import SystemLibraries

/// A cursor over the fields of CSV data in memory, by RFC 4180.
///
///     var csv = CSVCursor(blob)
///     while csv.nextRecord() {
///       while let field = try csv.nextField() { print(String(decoding: csv[field], as: UTF8.self)) }
///     }
///
/// It creates no strings, so that a hundred thousand lines take only milliseconds. What is skipped
/// and how the separator is detected are as in `CSVReader`, except that a first line `sep=;` is an
/// ordinary one; there is no limit on lengths.
package struct CSVCursor {
  /// The format of a file, which can be kept when it is rewritten.
  package struct Spelling: Hashable, Sendable {
    /// Whether the file begins with a byte order mark.
    package var hasByteOrderMark = false
    /// The separator of fields.
    package var separator = UInt8(ascii: ",")
    /// The bytes that end a line.
    package var lineEnd: [UInt8] = [0x0A]

    /// The format of RFC 4180, with line feeds.
    package init() {}
  }

  /// The location of a field.
  package struct Field: Hashable, Sendable {
    /// The offset of the field, including its quote, in bytes.
    package let offset: Int
    /// The range of its bytes, without quotes.
    package let byteRange: Range<Int>
    /// Whether it contains doubled quotes, so that its bytes are not its value.
    package let hasDoubledQuotes: Bool
  }

  /// All bytes.
  package let bytes: [UInt8]
  /// The format of the data.
  package let spelling: Spelling
  private var position: Int
  private var hasField = false
  /// Whether lines are assumed to end with a line feed, which is faster.
  private var endsWithLineFeed: Bool

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let quote = UInt8(ascii: "\"")

  /// Creates a cursor at the beginning of some bytes.
  package init(_ bytes: [UInt8]) {
    var spelling = Spelling()
    spelling.hasByteOrderMark = bytes.starts(with: Self.byteOrderMark)
    position = spelling.hasByteOrderMark ? Self.byteOrderMark.count : 0
    // A quote opens a field only at its beginning.
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
    endsWithLineFeed = spelling.lineEnd.last == 0x0A
  }

  /// Advances to the next non-empty line, after all fields of the previous one were read; returns
  /// false at the end.
  package mutating func nextRecord() -> Bool {
    while position < bytes.count, bytes[position] == 0x0A || bytes[position] == 0x0D {
      position += 1
    }
    hasField = position < bytes.count
    return hasField
  }

  /// The next field of the line; nil at its end.
  ///
  /// - Throws: `DataError` if a quote is not closed, or is followed by other text.
  package mutating func nextField() throws(DataError) -> Field? {
    guard hasField else { return nil }
    let field: Field
    if position < bytes.count, bytes[position] == Self.quote {
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
      field = Field(offset: position, byteRange: position..<end, hasDoubledQuotes: false)
      position = end
    }
    hasField = position < bytes.count && bytes[position] == spelling.separator
    if hasField { position += 1 }
    return field
  }

  /// The value of a field.
  package subscript(field: Field) -> ArraySlice<UInt8> {
    guard field.hasDoubledQuotes else { return bytes[field.byteRange] }
    var text: [UInt8] = []
    var isSecond = false
    for byte in bytes[field.byteRange] {
      isSecond = byte == Self.quote && !isSecond
      if !isSecond { text.append(byte) }
    }
    return text[...]
  }

  /// Skips the fields of the line that have not been read.
  ///
  /// - Throws: `DataError` if a quote is not closed, or is followed by other text.
  package mutating func skipFields() throws(DataError) {
    if hasField, endsWithLineFeed {
      let (end, isPlain) = lineEnd
      if isPlain {
        position = end
        hasField = false
      } else if bytes[end] == 0x0D {
        // From here on, lines must not be searched repeatedly for a distant line feed.
        endsWithLineFeed = false
      }
    }
    while try nextField() != nil {}
  }

  /// The end of the line if it is plain, that is without quotes and ended by a line feed; otherwise
  /// the position of what makes it not plain.
  private var lineEnd: (index: Int, isPlain: Bool) {
    bytes.withUnsafeBytes { bytes in
      let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
      let line = UnsafeRawBufferPointer(rebasing: rest[..<(rest.offset(of: 0x0A) ?? rest.count)])
      let end = line.offset(of: 0x0D) ?? line.count
      guard end >= line.count - 1 else { return (position + end, false) }
      return line.offset(of: Self.quote).map { (position + $0, false) } ?? (position + end, true)
    }
  }

  private mutating func quotedField() throws(DataError) -> Field {
    let offset = position
    var start = position + 1
    var hasDoubledQuotes = false
    while let end = bytes[start...].firstIndex(of: Self.quote) {
      position = end + 1
      guard position < bytes.count, bytes[position] == Self.quote else {
        let isEnd =
          position == bytes.count
          || [spelling.separator, 0x0A, 0x0D].contains(bytes[position])
        guard isEnd else { throw error("text follows a quoted field", at: position) }
        return Field(
          offset: offset, byteRange: offset + 1..<end, hasDoubledQuotes: hasDoubledQuotes)
      }
      hasDoubledQuotes = true
      start = position + 1
    }
    throw error("a quote is not closed", at: offset)
  }

  /// The error at a byte offset.
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

extension UnsafeRawBufferPointer {
  /// The offset of the first byte with a value; nil if there is none.
  fileprivate func offset(of byte: UInt8) -> Int? {
    guard let baseAddress, let found = memchr(baseAddress, Int32(byte), count) else { return nil }
    return UnsafeRawPointer(found) - baseAddress
  }
}

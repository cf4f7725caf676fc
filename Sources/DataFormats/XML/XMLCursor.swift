/// A position in an XML document, with the tokens that all parts of its grammar share.
struct XMLCursor {
  /// The text: UTF-8 in which all lines end with LF.
  let bytes: [UInt8]
  /// The index of the next byte.
  private(set) var index = 0
  /// The line of the next byte, from 1.
  private(set) var line = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The next byte; nil at the end.
  var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// An error in the line of the next byte.
  func error(_ reason: String) -> DataError { DataError(line: line, reason) }

  /// Whether a text comes next.
  func isAt(_ text: StaticString) -> Bool {
    guard bytes.count - index >= text.utf8CodeUnitCount else { return false }
    for offset in 0..<text.utf8CodeUnitCount
    where bytes[index + offset] != text.utf8Start[offset] { return false }
    return true
  }

  /// Skips one byte.
  mutating func advance() {
    if bytes[index] == 0x0A { line += 1 }
    index += 1
  }

  /// Skips a text without line breaks if it comes next; returns whether it did.
  mutating func take(_ text: StaticString) -> Bool {
    guard isAt(text) else { return false }
    index += text.utf8CodeUnitCount
    return true
  }

  /// Skips a text that must come next.
  ///
  /// - Parameter part: what the text ends, for the error.
  mutating func expect(_ text: StaticString, toEnd part: String) throws(DataError) {
    guard take(text) else {
      throw error(byte == nil ? "the text ends inside \(part)" : "\(part) has no \(text)")
    }
  }

  /// Skips white space; returns whether there was any.
  mutating func takeSpace() -> Bool {
    let start = index
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D { advance() }
    return index > start
  }

  /// The bytes before the first of two characters; all remaining ones if neither occurs.
  mutating func takeUntil(_ first: UInt8, or second: UInt8) -> ArraySlice<UInt8> {
    let start = index
    while let byte, byte != first, byte != second { advance() }
    return bytes[start..<index]
  }

  /// The bytes before a text without line breaks; skips both.
  ///
  /// - Parameter part: what the text ends, for the error.
  mutating func takeAll(before end: StaticString, of part: String) throws(DataError)
    -> ArraySlice<UInt8>
  {
    let (start, firstLine) = (index, line)
    while index < bytes.count {
      if take(end) { return bytes[start..<(index - end.utf8CodeUnitCount)] }
      advance()
    }
    throw DataError(line: firstLine, "\(part) has no end")
  }

  /// Parses a name (XML's production `Name`); nil if none comes next.
  mutating func takeName() -> String? {
    let start = index
    while let byte, !Self.endsName(byte) { index += 1 }
    let name = String(decoding: bytes[start..<index], as: UTF8.self)
    guard name.isXMLName else {
      index = start
      return nil
    }
    return name
  }

  /// Whether an ASCII byte cannot be part of a name.
  private static func endsName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF, UInt8(ascii: "_"), UInt8(ascii: ":"),
      UInt8(ascii: "-"), UInt8(ascii: "."):
      false
    default: true
    }
  }
}

extension String {
  /// Whether the text is a valid XML name.
  fileprivate var isXMLName: Bool {
    guard let first = unicodeScalars.first, first.startsXMLName else { return false }
    return unicodeScalars.dropFirst().allSatisfy { $0.startsXMLName || $0.continuesXMLName }
  }
}

extension Unicode.Scalar {
  /// Whether XML's production `NameStartChar` matches.
  fileprivate var startsXMLName: Bool {
    switch value {
    case 0x41...0x5A, 0x61...0x7A, 0x3A, 0x5F, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF,
      0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF,
      0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF:
      true
    default: false
    }
  }

  /// Whether XML's production `NameChar` matches but `NameStartChar` does not.
  fileprivate var continuesXMLName: Bool {
    switch value {
    case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
    default: false
    }
  }
}

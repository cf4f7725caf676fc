/// Converts the bytes of an XML document to UTF-8 in which all lines end with LF.
///
/// XML processors must support UTF-8 and UTF-16; other encodings are not supported. They are
/// distinguished by the byte order mark, which XML 1.0 requires for UTF-16; a declaration that
/// contradicts it is an error.
enum XMLEncoding {
  /// The document's text.
  ///
  /// - Throws: `DataError` if the encoding is another one, the bytes are invalid in it, or they
  ///   contain a character that XML does not allow.
  static func text(of bytes: [UInt8]) throws(DataError) -> [UInt8] {
    if let other = unreadable(bytes) {
      throw DataError(line: 1, "\(other) is not supported; only UTF-8 and UTF-16 are")
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      let text = try utf16(bytes[2...], isLittleEndian: bytes[0] == 0xFF)
      try check(declared: declaredEncoding(text), isOneOf: ["utf-16"])
      return text
    }
    let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    let content = isMarked ? bytes[3...] : bytes[...]
    try check(declared: declaredEncoding(content), isOneOf: ["utf-8", "utf8", "us-ascii", "ascii"])
    if let text = try changedUTF8(content) { return text }
    return isMarked ? Array(content) : bytes
  }

  /// The name of an unsupported encoding, detected from the first bytes of XML in it.
  private static func unreadable(_ bytes: [UInt8]) -> String? {
    let starts: [(bytes: [UInt8], name: String)] = [
      ([0xFF, 0xFE, 0, 0], "UTF-32"), ([0, 0, 0xFE, 0xFF], "UTF-32"), ([0x3C, 0, 0, 0], "UTF-32"),
      ([0, 0, 0, 0x3C], "UTF-32"), ([0x3C, 0], "UTF-16 without a byte order mark"),
      ([0, 0x3C], "UTF-16 without a byte order mark"), ([0x4C, 0x6F, 0xA7, 0x94], "EBCDIC"),
    ]
    return starts.first { bytes.starts(with: $0.bytes) }?.name
  }

  /// The encoding in the XML declaration, as written; nil if there is none.
  ///
  /// Read before the text is decoded: a declaration is ASCII in every supported encoding. A
  /// malformed one is reported when the document is parsed.
  private static func declaredEncoding(_ bytes: some Collection<UInt8>) -> String? {
    var cursor = XMLCursor(Array(bytes.prefix(1024)))
    return (try? XMLDeclaration(&cursor))?.encoding
  }

  private static func check(declared: String?, isOneOf names: [String]) throws(DataError) {
    guard let declared, !names.contains(declared.lowercased()) else { return }
    if ["utf-8", "utf8", "utf-16"].contains(declared.lowercased()) {
      throw DataError(line: 1, "the declared encoding is \(declared), but the file has another one")
    }
    throw DataError(
      line: 1,
      "the declared encoding is \(declared.prefix(40)); only UTF-8 and UTF-16 are supported")
  }

  // MARK: UTF-8

  /// The text if its lines end otherwise than with LF; nil if the bytes can be used unchanged, so
  /// that a large document is not copied.
  private static func changedUTF8(_ bytes: ArraySlice<UInt8>) throws(DataError) -> [UInt8]? {
    let isPlain = bytes.allSatisfy { ($0 >= 0x20 && $0 < 0x80) || $0 == 0x0A || $0 == 0x09 }
    if isPlain { return nil }
    let hasReturns = bytes.contains(0x0D)
    var text = XMLText(capacity: hasReturns ? bytes.count : nil)
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded): try text.append(Unicode.UTF8.decode(encoded))
      case .error: throw DataError(line: text.line, "this is not UTF-8 text")
      case .emptyInput: return hasReturns ? text.bytes : nil
      }
    }
  }

  // MARK: UTF-16

  private static func utf16(
    _ bytes: ArraySlice<UInt8>, isLittleEndian: Bool
  ) throws(DataError) -> [UInt8] {
    var text = XMLText(capacity: bytes.count)
    var first: UInt32?
    var rest = bytes
    while let low = rest.popFirst() {
      guard let high = rest.popFirst() else {
        throw DataError(line: text.line, "the text ends in the middle of a character")
      }
      let unit = isLittleEndian ? UInt32(high) << 8 | UInt32(low) : UInt32(low) << 8 | UInt32(high)
      switch (first, unit) {
      case (nil, 0xD800...0xDBFF): first = unit
      case (let half?, 0xDC00...0xDFFF):
        first = nil
        // Both halves are in range, so the scalar is valid.
        try text.append(Unicode.Scalar(0x10000 + (half - 0xD800) << 10 + (unit - 0xDC00))!)
      default:
        guard first == nil, let scalar = Unicode.Scalar(unit) else {
          throw text.unpaired(first ?? unit)
        }
        try text.append(scalar)
      }
    }
    if let first { throw text.unpaired(first) }
    return text.bytes
  }
}

/// The decoded text of a document: characters that XML allows, and lines that end with LF.
private struct XMLText {
  private(set) var bytes: [UInt8] = []
  /// The line of the next character, from 1.
  private(set) var line = 1
  private var followsReturn = false

  private let keepsBytes: Bool

  /// - Parameter capacity: the number of bytes to reserve; nil to check the text only.
  init(capacity: Int?) {
    keepsBytes = capacity != nil
    bytes.reserveCapacity(capacity ?? 0)
  }

  mutating func append(_ scalar: Unicode.Scalar) throws(DataError) {
    guard scalar.isXMLCharacter else {
      throw DataError(line: line, "the character \(scalar.codePoint) is not allowed in XML")
    }
    let isSecondHalf = followsReturn && scalar == "\n"
    followsReturn = scalar == "\r"
    if isSecondHalf { return }
    if scalar == "\n" || scalar == "\r" {
      line += 1
      if keepsBytes { bytes.append(0x0A) }
    } else if keepsBytes {
      bytes.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
    }
  }

  func unpaired(_ unit: UInt32) -> DataError {
    DataError(line: line, "unpaired surrogate U+\(String(unit, radix: 16, uppercase: true))")
  }
}

extension Unicode.Scalar {
  /// Whether XML 1.0 allows the character (its production `Char`).
  var isXMLCharacter: Bool {
    switch value {
    case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  /// The code point in Unicode's notation: `U+000B`.
  var codePoint: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}

/// Reads JSON piece by piece out of bytes: the caller says what it expects, in order.
///
///     var json = JSONReader(bytes)
///     try json.object { name, json in
///       if name == "schema" { schema = try json.number() } else { try json.skip() }
///     }
///
/// By RFC 8259, UTF-8 alone, safe for bytes from anywhere: what nests deeper than 128 levels is an
/// error. Nothing is kept but the place, so reading takes no memory but that of the values.
package struct JSONReader {
  private let bytes: [UInt8]
  private var place: Int
  private var depth = 0
  /// The line of the place, from 1 on.
  package private(set) var line = 1

  /// A reader at the beginning of some bytes; a byte order mark is passed over.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// What the next value is.
  package enum Kind: Sendable {
    /// `{…}`.
    case object
    /// `[…]`.
    case array
    /// A text in quotes.
    case string
    /// A number.
    case number
    /// `true` or `false`.
    case boolean
    /// `null`.
    case null
  }

  // MARK: Values

  /// What comes next.
  ///
  /// - Throws: `DataError` where nothing does, or no value.
  package mutating func next() throws(DataError) -> Kind {
    switch try peek() {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    default: throw error("this is no JSON value")
    }
  }

  /// Reads an object: the closure reads, or skips, each value behind its name.
  package mutating func object(
    _ member: (_ name: String, inout JSONReader) throws -> Void
  ) throws {
    try open("{")
    if try !closes("}") {
      repeat {
        guard try peek() == UInt8(ascii: "\"") else { throw error("a name in quotes is missing") }
        let name = try string()
        try expect(":")
        try member(name, &self)
      } while try goesOn(until: "}")
    }
    depth -= 1
  }

  /// Reads an array: the closure reads, or skips, each element.
  package mutating func array(_ element: (inout JSONReader) throws -> Void) throws {
    try open("[")
    if try !closes("]") {
      repeat { try element(&self) } while try goesOn(until: "]")
    }
    depth -= 1
  }

  /// Reads a text.
  package mutating func string() throws(DataError) -> String {
    try expect("\"")
    let start = place
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        defer { place += 1 }
        return try text(bytes[start..<place])
      case UInt8(ascii: "\\"): return try escapedString(from: start)
      case 0..<0x20: throw error("a text has a control character in it")
      default: place += 1
      }
    }
    throw error("a text has no end")
  }

  /// Reads a number; parts of a size that no number has are an error.
  package mutating func number() throws(DataError) -> Double {
    _ = try peek()
    let start = place
    if at("-") { place += 1 }
    let whole = digits()
    guard whole > 0, whole == 1 || bytes[place - whole] != UInt8(ascii: "0") else {
      throw error("this is no number")
    }
    if at(".") {
      place += 1
      guard digits() > 0 else { throw error("this is no number") }
    }
    if at("e") || at("E") {
      place += 1
      if at("+") || at("-") { place += 1 }
      guard digits() > 0 else { throw error("this is no number") }
    }
    guard let number = Double(try text(bytes[start..<place])), number.isFinite else {
      throw error("a number is too large")
    }
    return number
  }

  /// Reads `true` or `false`.
  package mutating func boolean() throws(DataError) -> Bool {
    let isTrue = try peek() == UInt8(ascii: "t")
    try word(isTrue ? "true" : "false")
    return isTrue
  }

  /// Reads `null`, or gives false and reads nothing.
  package mutating func null() throws(DataError) -> Bool {
    guard try peek() == UInt8(ascii: "n") else { return false }
    try word("null")
    return true
  }

  /// Reads a value of any kind, and forgets it.
  package mutating func skip() throws {
    switch try next() {
    case .object: try object { _, json in try json.skip() }
    case .array: try array { try $0.skip() }
    case .string: _ = try string()
    case .number: _ = try number()
    case .boolean: _ = try boolean()
    case .null: _ = try null()
    }
  }

  /// Makes sure that nothing follows.
  package mutating func end() throws(DataError) {
    passSpace()
    guard place == bytes.count else { throw error("something follows the end") }
  }

  // MARK: Pieces

  private func error(_ reason: String) -> DataError { DataError(line: line, reason) }

  private mutating func passSpace() {
    while place < bytes.count {
      switch bytes[place] {
      case 0x0A: line += 1
      case 0x20, 0x09, 0x0D: break
      default: return
      }
      place += 1
    }
  }

  private mutating func peek() throws(DataError) -> UInt8 {
    passSpace()
    guard place < bytes.count else { throw error("it ends too early") }
    return bytes[place]
  }

  private func at(_ character: Unicode.Scalar) -> Bool {
    place < bytes.count && bytes[place] == UInt8(ascii: character)
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(DataError) {
    guard try peek() == UInt8(ascii: character) else {
      throw error("a \"\(character)\" is missing")
    }
    place += 1
  }

  private mutating func open(_ bracket: Unicode.Scalar) throws(DataError) {
    try expect(bracket)
    depth += 1
    guard depth <= 128 else { throw error("it nests too deep") }
  }

  private mutating func closes(_ bracket: Unicode.Scalar) throws(DataError) -> Bool {
    guard try peek() == UInt8(ascii: bracket) else { return false }
    place += 1
    return true
  }

  /// Whether a comma follows, or else the end.
  private mutating func goesOn(until bracket: Unicode.Scalar) throws(DataError) -> Bool {
    if try closes(bracket) { return false }
    guard at(",") else { throw error("a comma or \(bracket) is missing") }
    place += 1
    return true
  }

  private mutating func word(_ word: StaticString) throws(DataError) {
    let matches = word.withUTF8Buffer { bytes[place...].starts(with: $0) }
    guard matches else { throw error("this is no JSON value") }
    place += word.utf8CodeUnitCount
  }

  private mutating func digits() -> Int {
    let start = place
    while place < bytes.count, (0x30...0x39).contains(bytes[place]) { place += 1 }
    return place - start
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(DataError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw error("a text is not UTF-8")
    }
    return text
  }

  // MARK: Escapes

  private mutating func escapedString(from start: Int) throws(DataError) -> String {
    var text = Array(bytes[start..<place])
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return try self.text(text[...])
      case UInt8(ascii: "\\"): text += Array(String(try escape()).utf8)
      case 0..<0x20: throw error("a text has a control character in it")
      default: text.append(byte)
      }
    }
    throw error("a text has no end")
  }

  private mutating func escape() throws(DataError) -> Unicode.Scalar {
    guard place < bytes.count else { throw error("a text has no end") }
    defer { place += 1 }
    switch bytes[place] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw error("a text has an escape that JSON does not know")
    }
  }

  /// Reads the digits behind `\u`, and a second such escape where two make one character.
  ///
  /// The place is at the `u`, and ends at the last digit.
  private mutating func unicodeEscape() throws(DataError) -> Unicode.Scalar {
    let first = try hexadecimal(at: place + 1)
    place += 4
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, place + 2 < bytes.count, bytes[place + 1] == UInt8(ascii: "\\"),
      bytes[place + 2] == UInt8(ascii: "u")
    else { throw error("a text has half a character in it") }
    let second = try hexadecimal(at: place + 3)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw error("a text has half a character in it") }
    place += 6
    return scalar
  }

  private func hexadecimal(at start: Int) throws(DataError) -> UInt32 {
    guard start + 4 <= bytes.count else { throw error("a text has no end") }
    var number: UInt32 = 0
    for byte in bytes[start..<start + 4] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt32(byte & 0xF)
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        number = number << 4 | UInt32(byte & 0xF + 9)
      default: throw error("a text has an escape that JSON does not know")
      }
    }
    return number
  }
}

@available(*, unavailable)
extension JSONReader: Sendable {}

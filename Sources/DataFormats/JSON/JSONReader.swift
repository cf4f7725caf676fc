/// Reads JSON piece by piece out of bytes: the caller says what it expects, in order.
///
///     var json = JSONReader(bytes)
///     try json.object { name, json in
///       if name == "schema" { schema = try json.number() } else { try json.skip() }
///     }
///
/// By RFC 8259, UTF-8 alone, safe for bytes from anywhere: what nests deeper than 128 levels is an
/// error, and so is a text of more than a mebibyte, unless longer ones are asked for. Nothing else
/// is kept but the position, so reading takes no memory but that of the values.
package struct JSONReader {
  private var input: InputBytes
  private var depth = 0
  /// Whether nothing has been read of the object or array that was begun last.
  private var isAtStart = false
  private let longestText: Int
  /// The line of the position, from 1 on.
  package private(set) var line = 1
  private var lineStart = 0
  /// Where the name stands that was read last.
  package private(set) var namePosition = Position(line: 1, lineStart: 0, offset: 0)

  private static let greatestDepth = 128

  /// A reader at the beginning of some bytes; a byte order mark is passed over.
  package init(_ input: InputBytes, longestText: Int = 1 << 20) {
    self.input = input
    self.longestText = longestText
    self.input.pass([0xEF, 0xBB, 0xBF])
    lineStart = offset
  }

  /// The same of bytes that are all there.
  package init(_ bytes: [UInt8], longestText: Int = 1 << 20) {
    self.init(InputBytes(bytes), longestText: longestText)
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
    try beginObject()
    while let name = try nextName() { try member(name, &self) }
  }

  /// Begins to read an object, whose names come next.
  package mutating func beginObject() throws(DataError) { try open("{") }

  /// Reads a name of the object that was begun; nil at its end.
  ///
  /// The value, to be read or skipped, comes next.
  package mutating func nextName() throws(DataError) -> String? {
    guard try hasMember(until: "}") else { return nil }
    guard try peek() == UInt8(ascii: "\"") else { throw error("a name in quotes is missing") }
    namePosition = position
    let name = try string()
    try expect(":")
    return name
  }

  /// Reads an array: the closure reads, or skips, each element.
  package mutating func array(_ element: (inout JSONReader) throws -> Void) throws {
    try beginArray()
    while try nextElement() { try element(&self) }
  }

  /// Begins to read an array, whose elements come next.
  package mutating func beginArray() throws(DataError) { try open("[") }

  /// Whether the array that was begun has another element, to be read or skipped.
  package mutating func nextElement() throws(DataError) -> Bool { try hasMember(until: "]") }

  /// Reads a text.
  package mutating func string() throws(DataError) -> String {
    try expect("\"")
    input.begin()
    while try hasByte() {
      switch byte {
      case UInt8(ascii: "\""):
        defer { input.position += 1 }
        return try text(input.end())
      case UInt8(ascii: "\\"): return try escapedString(after: input.end())
      case 0..<0x20: throw error("a text has a control character in it")
      default: input.position += 1
      }
    }
    throw error("a text has no end")
  }

  /// Reads a number; parts of a size that no number has are an error.
  package mutating func number() throws(DataError) -> Double {
    guard let number = Double(try numberText()), number.isFinite else {
      throw error("a number is too large")
    }
    return number
  }

  /// Reads a number as it is written, however many digits it has.
  package mutating func numberText() throws(DataError) -> String {
    _ = try peek()
    input.begin()
    _ = try take("-")
    let isZero = try take("0")
    let count = try digits()
    guard isZero ? count == 0 : count > 0 else { throw error("this is no number") }
    if try take(".") {
      guard try digits() > 0 else { throw error("this is no number") }
    }
    if try take("e", or: "E") {
      _ = try take("+", or: "-")
      guard try digits() > 0 else { throw error("this is no number") }
    }
    return try text(input.end())
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
  package mutating func skip() throws(DataError) {
    switch try next() {
    case .object:
      try beginObject()
      while try nextName() != nil { try skip() }
    case .array:
      try beginArray()
      while try nextElement() { try skip() }
    case .string: _ = try string()
    case .number: _ = try number()
    case .boolean: _ = try boolean()
    case .null: _ = try null()
    }
  }

  /// Makes sure that nothing follows.
  package mutating func end() throws(DataError) {
    try passSpace()
    guard try !hasByte() else { throw error("something follows the end") }
  }

  // MARK: Positions

  /// How many bytes come before the position.
  package var offset: Int { input.droppedCount + input.position }

  /// The position; that of a value once its kind was asked for (`next()`).
  package var position: Position { Position(line: line, lineStart: lineStart, offset: offset) }

  /// What is wrong at the position.
  package func error(_ reason: String) -> DataError { error(reason, at: position) }

  /// What is wrong at a position.
  ///
  /// Columns are told as far as the line is held: of bytes that are all there, always.
  package func error(_ reason: String, at position: Position) -> DataError {
    let start = position.lineStart - input.droppedCount
    let end = position.offset - input.droppedCount
    guard start >= 0, end <= input.bytes.count else {
      return DataError(line: position.line, reason)
    }
    return DataError(
      line: position.line, column: input.bytes[start..<end].characterCount + 1, reason)
  }

  // MARK: Pieces

  /// Whether there is a next byte.
  @inline(__always)
  private mutating func hasByte() throws(DataError) -> Bool {
    if input.position < input.bytes.count { return true }
    // Looked at once a piece, lest a text without end take all memory.
    guard input.textCount <= longestText else { throw tooLong }
    return input.hasByte
  }

  private var tooLong: DataError {
    error("a text in it has more than \(longestText >> 20) MiB")
  }

  /// The next byte.
  private var byte: UInt8 { input.bytes[input.position] }

  private mutating func passSpace() throws(DataError) {
    while try hasByte() {
      switch byte {
      case 0x0A:
        line += 1
        lineStart = offset + 1
      case 0x20, 0x09, 0x0D: break
      default: return
      }
      input.position += 1
    }
  }

  private mutating func peek() throws(DataError) -> UInt8 {
    try passSpace()
    guard try hasByte() else { throw error("it ends too early") }
    return byte
  }

  /// Passes over a character, or another one, where it comes next.
  private mutating func take(
    _ character: Unicode.Scalar, or other: Unicode.Scalar? = nil
  ) throws(DataError) -> Bool {
    guard try hasByte() else { return false }
    let next = Unicode.Scalar(byte)
    guard next == character || next == other else { return false }
    input.position += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(DataError) {
    guard try peek() == UInt8(ascii: character) else {
      throw error("a \"\(character)\" is missing")
    }
    input.position += 1
  }

  private mutating func open(_ bracket: Unicode.Scalar) throws(DataError) {
    try expect(bracket)
    depth += 1
    guard depth <= Self.greatestDepth else {
      throw error("it nests deeper than \(Self.greatestDepth) levels")
    }
    isAtStart = true
  }

  /// Whether a member follows in the object or array that was begun last; passes over its end where
  /// none does.
  private mutating func hasMember(until bracket: Unicode.Scalar) throws(DataError) -> Bool {
    let goesOn = try isAtStart ? !closes(bracket) : goesOn(until: bracket)
    isAtStart = false
    if !goesOn { depth -= 1 }
    return goesOn
  }

  private mutating func closes(_ bracket: Unicode.Scalar) throws(DataError) -> Bool {
    guard try peek() == UInt8(ascii: bracket) else { return false }
    input.position += 1
    return true
  }

  /// Whether a comma follows, or else the end.
  private mutating func goesOn(until bracket: Unicode.Scalar) throws(DataError) -> Bool {
    if try closes(bracket) { return false }
    guard try take(",") else { throw error("a comma or \(bracket) is missing") }
    return true
  }

  private mutating func word(_ word: String) throws(DataError) {
    for expected in word.utf8 {
      guard try hasByte(), byte == expected else { throw error("this is no JSON value") }
      input.position += 1
    }
  }

  private mutating func digits() throws(DataError) -> Int {
    let start = input.textCount
    while try hasByte(), (0x30...0x39).contains(byte) { input.position += 1 }
    return input.textCount - start
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(DataError) -> String {
    guard bytes.count <= longestText else { throw tooLong }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let found = error("a text is not UTF-8")
      throw DataError(
        line: found.line, column: found.column, encoding: .windows1252, found.reason)
    }
    return text
  }

  // MARK: Escapes

  private mutating func escapedString(after start: ArraySlice<UInt8>) throws(DataError) -> String {
    var text = Array(start)
    while input.hasByte, text.count <= longestText {
      let next = byte
      input.position += 1
      switch next {
      case UInt8(ascii: "\""): return try self.text(text[...])
      case UInt8(ascii: "\\"): text += Array(String(try escape()).utf8)
      case 0..<0x20: throw error("a text has a control character in it")
      default: text.append(next)
      }
    }
    throw text.count > longestText ? tooLong : error("a text has no end")
  }

  private mutating func escape() throws(DataError) -> Unicode.Scalar {
    guard input.hasByte else { throw error("a text has no end") }
    defer { input.position += 1 }
    switch byte {
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
  /// The position is at the `u`, and ends at the last digit.
  private mutating func unicodeEscape() throws(DataError) -> Unicode.Scalar {
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, try next(is: "\\"), try next(is: "u") else { throw half }
    let second = try hexadecimal()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw half }
    return scalar
  }

  private var half: DataError { error("a text has half a character in it") }

  /// Steps to the next byte; whether it is a character.
  private mutating func next(is character: Unicode.Scalar) throws(DataError) -> Bool {
    input.position += 1
    return input.hasByte && byte == UInt8(ascii: character)
  }

  /// The four digits behind the position, which ends at the last.
  private mutating func hexadecimal() throws(DataError) -> UInt32 {
    var number: UInt32 = 0
    for _ in 0..<4 {
      input.position += 1
      guard input.hasByte else { throw error("a text has no end") }
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

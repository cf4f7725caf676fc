/// A pull parser for JSON: the caller states what it expects, in order.
///
///     var json = JSONReader(bytes)
///     try json.object { name, json in
///       if name == "schema" { schema = try json.number() } else { try json.skip() }
///     }
///
/// By RFC 8259, only UTF-8, safe for untrusted bytes: nesting deeper than 128 levels is an error,
/// and so is a string of more than a mebibyte, unless longer ones are allowed. Only the position is
/// kept, so that parsing needs no memory except for the values.
package struct JSONReader {
  private var input: InputBytes
  private var depth = 0
  /// Whether nothing has been read yet of the object or array begun last.
  private var isAtStart = false
  private let longestText: Int
  /// The line of the position, from 1.
  package private(set) var line = 1
  private var lineStart = 0
  /// The position of the name read last.
  package private(set) var namePosition = Position(line: 1, lineStart: 0, offset: 0)

  private static let greatestDepth = 128

  /// Creates a parser at the beginning of some input; a byte order mark is skipped.
  package init(_ input: InputBytes, longestText: Int = 1 << 20) {
    self.input = input
    self.longestText = longestText
    self.input.pass([0xEF, 0xBB, 0xBF])
    lineStart = offset
  }

  /// Creates a parser of bytes in memory.
  package init(_ bytes: [UInt8], longestText: Int = 1 << 20) {
    self.init(InputBytes(bytes), longestText: longestText)
  }

  /// The kind of a value.
  package enum Kind: Sendable {
    /// `{…}`.
    case object
    /// `[…]`.
    case array
    /// A string in quotes.
    case string
    /// A number.
    case number
    /// `true` or `false`.
    case boolean
    /// `null`.
    case null
  }

  // MARK: Values

  /// The kind of the next value.
  ///
  /// - Throws: `DataError` if there is none, or it is not a value.
  package mutating func next() throws(DataError) -> Kind {
    switch try peek() {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    default: throw error("this is not a JSON value")
    }
  }

  /// Parses an object: the closure parses or skips the value after each name.
  package mutating func object(
    _ member: (_ name: String, inout JSONReader) throws -> Void
  ) throws {
    try beginObject()
    while let name = try nextName() { try member(name, &self) }
  }

  /// Begins an object, whose names follow.
  package mutating func beginObject() throws(DataError) { try open("{") }

  /// Parses the next name of the current object; nil at its end.
  ///
  /// The value follows, to be parsed or skipped.
  package mutating func nextName() throws(DataError) -> String? {
    guard try hasMember(until: "}") else { return nil }
    guard try peek() == UInt8(ascii: "\"") else { throw error("a name in quotes is missing") }
    namePosition = position
    let name = try string()
    try expect(":")
    return name
  }

  /// Parses an array: the closure parses or skips each element.
  package mutating func array(_ element: (inout JSONReader) throws -> Void) throws {
    try beginArray()
    while try nextElement() { try element(&self) }
  }

  /// Begins an array, whose elements follow.
  package mutating func beginArray() throws(DataError) { try open("[") }

  /// Whether the current array has another element, to be parsed or skipped.
  package mutating func nextElement() throws(DataError) -> Bool { try hasMember(until: "]") }

  /// Parses a string.
  package mutating func string() throws(DataError) -> String {
    try expect("\"")
    input.begin()
    while try hasByte() {
      switch byte {
      case UInt8(ascii: "\""):
        defer { input.position += 1 }
        return try text(input.end())
      case UInt8(ascii: "\\"): return try escapedString(after: input.end())
      case 0..<0x20: throw error("a string contains a control character")
      default: input.position += 1
      }
    }
    throw error("a string is not closed")
  }

  /// Parses a number; one beyond the range of `Double` is an error.
  package mutating func number() throws(DataError) -> Double {
    guard let number = Double(try numberText()), number.isFinite else {
      throw error("a number is too large")
    }
    return number
  }

  /// Parses a number as it is written, with any number of digits.
  package mutating func numberText() throws(DataError) -> String {
    _ = try peek()
    input.begin()
    _ = try take("-")
    let isZero = try take("0")
    let count = try digits()
    guard isZero ? count == 0 : count > 0 else { throw error("this is not a number") }
    if try take(".") {
      guard try digits() > 0 else { throw error("this is not a number") }
    }
    if try take("e", or: "E") {
      _ = try take("+", or: "-")
      guard try digits() > 0 else { throw error("this is not a number") }
    }
    return try text(input.end())
  }

  /// Parses `true` or `false`.
  package mutating func boolean() throws(DataError) -> Bool {
    let isTrue = try peek() == UInt8(ascii: "t")
    try word(isTrue ? "true" : "false")
    return isTrue
  }

  /// Parses `null`; returns false, without consuming anything, for another value.
  package mutating func null() throws(DataError) -> Bool {
    guard try peek() == UInt8(ascii: "n") else { return false }
    try word("null")
    return true
  }

  /// Skips a value of any kind.
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

  /// Checks that nothing follows.
  package mutating func end() throws(DataError) {
    try passSpace()
    guard try !hasByte() else { throw error("something follows the end of the value") }
  }

  // MARK: Positions

  /// The offset of the position in bytes.
  package var offset: Int { input.droppedCount + input.position }

  /// The position; that of a value after its kind was requested (`next()`).
  package var position: Position { Position(line: line, lineStart: lineStart, offset: offset) }

  /// The error at the position.
  package func error(_ reason: String) -> DataError { error(reason, at: position) }

  /// The error at a position.
  ///
  /// Contains the column if the line is still in memory: always, for bytes in memory.
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
    // Checked once per piece, so that an endless string does not use up all memory.
    guard input.textCount <= longestText else { throw tooLong }
    return input.hasByte
  }

  private var tooLong: DataError {
    error("a string in it has more than \(longestText >> 20) MiB")
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

  /// Consumes a character, or an alternative one, if it comes next.
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
      throw error("it is nested deeper than \(Self.greatestDepth) levels")
    }
    isAtStart = true
  }

  /// Whether the current object or array has another member; consumes its end if not.
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

  /// Consumes a comma and returns true, or the end and returns false.
  private mutating func goesOn(until bracket: Unicode.Scalar) throws(DataError) -> Bool {
    if try closes(bracket) { return false }
    guard try take(",") else { throw error("a comma or \(bracket) is missing") }
    return true
  }

  private mutating func word(_ word: String) throws(DataError) {
    for expected in word.utf8 {
      guard try hasByte(), byte == expected else { throw error("this is not a JSON value") }
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
      let found = error("a string is not UTF-8")
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
      case 0..<0x20: throw error("a string contains a control character")
      default: text.append(next)
      }
    }
    throw text.count > longestText ? tooLong : error("a string is not closed")
  }

  private mutating func escape() throws(DataError) -> Unicode.Scalar {
    guard input.hasByte else { throw error("a string is not closed") }
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
    default: throw error("a string has an unknown escape sequence")
    }
  }

  /// Parses the digits after `\u`, and a second escape if it is a surrogate pair.
  ///
  /// The position is at the `u` before, and at the last digit after.
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

  private var half: DataError { error("a string has half of a surrogate pair") }

  /// Advances by one byte; returns whether that is a character.
  private mutating func next(is character: Unicode.Scalar) throws(DataError) -> Bool {
    input.position += 1
    return input.hasByte && byte == UInt8(ascii: character)
  }

  /// Parses four hexadecimal digits; leaves the position at the last one.
  private mutating func hexadecimal() throws(DataError) -> UInt32 {
    var number: UInt32 = 0
    for _ in 0..<4 {
      input.position += 1
      guard input.hasByte else { throw error("a string is not closed") }
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt32(byte & 0xF)
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        number = number << 4 | UInt32(byte & 0xF + 9)
      default: throw error("a string has an unknown escape sequence")
      }
    }
    return number
  }
}

@available(*, unavailable)
extension JSONReader: Sendable {}

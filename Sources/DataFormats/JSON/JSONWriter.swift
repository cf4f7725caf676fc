/// Writes JSON piece by piece into bytes: always the same bytes for the same calls.
///
///     var json = JSONWriter()
///     json.object { json in
///       json.member("schema", 1)
///       json.member("walks") { $0.lines(walks) { json, walk in json.value(walk.dog) } }
///     }
///
/// Members are parted by `, ` and `: `. What is not known is `null`, and a number that is whole has
/// no decimals. Keeping to JSON's grammar (a value behind each key, one value at the top) is the
/// caller's part.
package struct JSONWriter: Sendable {
  /// What has been written and not been taken yet.
  package private(set) var bytes: [UInt8] = []
  /// Whether the next value or key follows another one, and so needs a comma.
  private var followsValue = false

  /// A writer that has written nothing.
  package init() {}

  /// The bytes as text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Hands what has been written so far to a closure and forgets it, so that long output needs no
  /// memory.
  package mutating func drain<Failure: Error>(
    into write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  // MARK: Objects and arrays

  /// Writes an object; the closure writes its members.
  package mutating func object<Failure: Error>(
    _ members: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    open("{")
    try members(&self)
    close("}")
  }

  /// Writes an array on one line; the closure writes its elements.
  package mutating func array<Failure: Error>(
    _ elements: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    open("[")
    try elements(&self)
    close("]")
  }

  /// Writes an array with a line for each element; an empty one as `[]`.
  package mutating func lines<Elements: Sequence, Failure: Error>(
    _ elements: Elements, write: (inout JSONWriter, Elements.Element) throws(Failure) -> Void
  ) throws(Failure) {
    open("[")
    for element in elements {
      startLine()
      try write(&self, element)
    }
    if followsValue { append("\n") }
    close("]")
  }

  /// Starts a new line for the next element of an array or the next key; what they stand in is
  /// closed on the last one's line.
  ///
  /// For elements that come one by one: `lines` wants them as a sequence.
  package mutating func startLine() {
    if followsValue { append(",") }
    append("\n  ")
    followsValue = false
  }

  /// Writes a key; its value must follow.
  package mutating func key(_ name: String) {
    separate()
    appendQuoted(name)
    append(": ")
    followsValue = false
  }

  /// Writes a key and lets the closure write its value.
  package mutating func member<Failure: Error>(
    _ name: String, _ value: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    key(name)
    try value(&self)
  }

  // MARK: Members with plain values; nil is written as null

  /// Writes a key and a text.
  package mutating func member(_ name: String, _ value: String?) {
    key(name)
    if let value { self.value(value) } else { null() }
  }

  /// Writes a key and a whole number.
  package mutating func member(_ name: String, _ value: Int?) {
    key(name)
    if let value { self.value(value) } else { null() }
  }

  /// Writes a key and a number.
  package mutating func member(_ name: String, _ value: Double?) {
    key(name)
    if let value { self.value(value) } else { null() }
  }

  /// Writes a key and `true` or `false`.
  package mutating func member(_ name: String, _ value: Bool?) {
    key(name)
    if let value { self.value(value) } else { null() }
  }

  // MARK: Values

  /// Writes a text.
  package mutating func value(_ text: String) {
    separate()
    appendQuoted(text)
  }

  /// Writes a whole number.
  package mutating func value(_ number: Int) {
    separate()
    bytes.append(decimal: number)
  }

  /// Writes a number, in the fewest digits that read back as the same; infinities as `null`.
  package mutating func value(_ number: Double) {
    separate()
    append(number.isFinite ? number.shortest : "null")
  }

  /// Writes a number as `value(_:)` does, but infinities as numbers too large for any reader.
  ///
  /// JSON has no word for them; readers take `1e999` for one.
  package mutating func value(unbounded number: Double) {
    guard number.isInfinite else { return value(number) }
    separate()
    append(number < 0 ? "-1e999" : "1e999")
  }

  /// Writes bytes as text in base64.
  package mutating func value(base64 data: some Collection<UInt8>) {
    separate()
    bytes.append(0x22)
    var rest = data[...]
    while !rest.isEmpty {
      let piece = rest.prefix(3)
      rest = rest.dropFirst(3)
      let word = piece.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - piece.count))
      for position in 0..<4 {
        let digit = Int(word >> (18 - 6 * UInt32(position)) & 63)
        bytes.append(position <= piece.count ? Self.base64Digits[digit] : 0x3D)
      }
    }
    bytes.append(0x22)
  }

  private static let base64Digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Writes `true` or `false`.
  package mutating func value(_ isTrue: Bool) {
    separate()
    append(isTrue ? "true" : "false")
  }

  /// Writes `null`.
  package mutating func null() {
    separate()
    append("null")
  }

  /// Writes the line feed behind the one value at the top.
  package mutating func endLine() {
    append("\n")
    followsValue = false
  }
}

extension JSONWriter {
  /// Writes a value that a closure appends, in JSON's grammar.
  mutating func raw(_ append: (inout [UInt8]) -> Void) {
    separate()
    append(&bytes)
    followsValue = true
  }

  private mutating func append(_ text: String) {
    bytes.append(text)
  }

  private mutating func open(_ bracket: String) {
    separate()
    append(bracket)
    followsValue = false
  }

  private mutating func close(_ bracket: String) {
    append(bracket)
    followsValue = true
  }

  private mutating func separate() {
    if followsValue { append(", ") }
    followsValue = true
  }

  private mutating func appendQuoted(_ text: String) { bytes.append(json: text) }
}

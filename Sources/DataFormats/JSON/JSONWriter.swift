/// A JSON writer whose output is the same for the same calls.
///
///     var json = JSONWriter()
///     json.object { json in
///       json.member("schema", 1)
///       json.member("walks") { $0.lines(walks) { json, walk in json.value(walk.dog) } }
///     }
///
/// Separators are `, ` and `: `. A nil value is `null`, and a number that is an integer has no
/// decimals. Following JSON's grammar (a value after each key, a single value at the top) is up to
/// the caller.
package struct JSONWriter: Sendable {
  /// The output that was not drained yet.
  package private(set) var bytes: [UInt8] = []
  /// Whether the next value or key follows another one and needs a comma.
  private var followsValue = false

  /// Creates a writer without output.
  package init() {}

  /// The output as text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Passes the output so far to a closure and discards it, so that long output needs little
  /// memory.
  package mutating func drain<Failure: Error>(
    into write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  // MARK: Objects and arrays

  /// Writes an object, whose members the closure writes.
  package mutating func object<Failure: Error>(
    _ members: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    open("{")
    try members(&self)
    close("}")
  }

  /// Writes an array on one line, whose elements the closure writes.
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

  /// Starts a new line for the next element or key; the array or object is closed on the line of
  /// its last element.
  ///
  /// For elements written one at a time; `lines` takes a sequence.
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

  /// Writes a key, whose value the closure writes.
  package mutating func member<Failure: Error>(
    _ name: String, _ value: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    key(name)
    try value(&self)
  }

  // MARK: Members with plain values; nil is written as null

  /// Writes a key with a string.
  package mutating func member(_ name: String, _ value: String?) {
    key(name)
    if let value { self.value(value) } else { null() }
  }

  /// Writes a key with an integer.
  package mutating func member(_ name: String, _ value: Int?) {
    key(name)
    if let value { self.value(value) } else { null() }
  }

  /// Writes a key with a number.
  package mutating func member(_ name: String, _ value: Double?) {
    key(name)
    if let value { self.value(value) } else { null() }
  }

  /// Writes a key with `true` or `false`.
  package mutating func member(_ name: String, _ value: Bool?) {
    key(name)
    if let value { self.value(value) } else { null() }
  }

  // MARK: Values

  /// Writes a string.
  package mutating func value(_ text: String) {
    separate()
    appendQuoted(text)
  }

  /// Writes an integer.
  package mutating func value(_ number: Int) {
    separate()
    bytes.append(decimal: number)
  }

  /// Writes a number in the fewest digits that read back as the same; infinity as `null`.
  package mutating func value(_ number: Double) {
    separate()
    append(number.isFinite ? number.shortest : "null")
  }

  /// Writes a number like `value(_:)`, but infinity as a number beyond any parser's range.
  ///
  /// JSON cannot represent infinity; parsers read `1e999` as it.
  package mutating func value(unbounded number: Double) {
    guard number.isInfinite else { return value(number) }
    separate()
    append(number < 0 ? "-1e999" : "1e999")
  }

  /// Writes bytes as a base64 string.
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

  /// Writes a line feed after the value at the top.
  package mutating func endLine() {
    append("\n")
    followsValue = false
  }
}

extension JSONWriter {
  /// Writes a value in JSON's grammar that a closure appends.
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

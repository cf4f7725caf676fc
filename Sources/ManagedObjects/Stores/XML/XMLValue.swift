import DataFormats
import DataModel
import SystemLibraries

/// The representation of values in XML stores.
enum XMLValue {
  /// The name of an attribute type.
  ///
  /// `int16`, `int32`, `bool`, `float`, `string`, `date` and `binary` were found in Apple's files;
  /// the other names are formed alike.
  static func name(of type: AttributeDescription.AttributeType) -> String {
    switch type {
    case .integer16: "int16"
    case .integer32: "int32"
    case .integer64: "int64"
    case .boolean: "bool"
    case .float: "float"
    case .double: "double"
    case .decimal: "decimal"
    case .string: "string"
    case .date: "date"
    case .uri: "uri"
    case .uuid: "uuid"
    case .transformable: "transformable"
    case .undefined, .binaryData, .composite: "binary"
    }
  }

  // MARK: Writing

  /// Appends the value of a slot.
  static func append(
    _ row: PackedRow, _ slot: Int, _ type: AttributeDescription.AttributeType,
    to text: inout [UInt8]
  ) {
    switch type {
    case .integer16, .integer32, .integer64: text.append(decimal: Int(row.integer(slot)))
    case .boolean: text.append(row.integer(slot) == 0 ? 0x30 : 0x31)
    case .float:
      let number = row.real(slot)
      let single = Float(number)
      text.append(Double(single) == number ? single.shortest : number.shortest)
    case .double: text.append(row.real(slot).shortest)
    case .decimal: text.append(Decimal(stored: row.real(slot)).description)
    case .date: text.append(xmlDate: row.real(slot))
    case .string, .uri: text.append(xmlStoreText: row.bytes(slot))
    case .uuid:
      if let uuid = UUID(slotBytes: row.bytes(slot)) { text.append(uuid) }
    case .undefined, .binaryData, .transformable, .composite:
      text.append(base64Lines: row.bytes(slot))
    }
  }

  // MARK: Reading

  /// A value in the form that a row stores.
  enum Stored {
    case bits(UInt64)
    case bytes([UInt8])
  }

  /// Parses a text as a value of a type; nil if it is not one.
  static func value(
    _ text: String, _ type: AttributeDescription.AttributeType
  ) -> Stored? {
    switch type {
    case .integer16: Int16(text).map { .bits(UInt64(bitPattern: Int64($0))) }
    case .integer32: Int32(text).map { .bits(UInt64(bitPattern: Int64($0))) }
    case .integer64: Int64(text).map { .bits(UInt64(bitPattern: $0)) }
    case .boolean: boolean(text).map { .bits($0 ? 1 : 0) }
    // Rounded to Float, as a saved value is.
    case .float where Float(text)?.isFinite == true:
      Float(text).map { .bits(Double($0).bitPattern) }
    case .float, .double, .date, .decimal:
      Double(text).flatMap { $0.isNaN ? nil : .bits($0.bitPattern) }
    case .string, .uri: .bytes(Array(text.unescapedXMLStoreText.utf8))
    case .uuid:
      UUID(text: text).map { uuid in
        .bytes(withUnsafeBytes(of: uuid.uuid) { Array($0) })
      }
    case .undefined, .binaryData, .transformable, .composite:
      Data(base64Encoded: String(decoding: text.utf8.filter { $0 > 0x20 }, as: UTF8.self))
        .map { .bytes(Array($0)) }
    }
  }

  private static func boolean(_ text: String) -> Bool? {
    switch text {
    case "1", "true", "YES": true
    case "0", "false", "NO": false
    default: nil
    }
  }
}

extension Float {
  /// The fewest digits that read back as the same number, without `.0`.
  fileprivate var shortest: String {
    if let whole = Int64(exactly: self) { return String(whole) }
    return description
  }
}

extension [UInt8] {
  /// Appends a string as Core Data writes it.
  ///
  /// A backslash is doubled, and characters that XML would misread become `\u` and four digits, a
  /// UTF-16 code unit with its bytes swapped.
  ///
  /// Those are `<`, `>`, `&`, control characters except tab and line feed, and all code units from
  /// U+D800 on.
  mutating func append(xmlStoreText content: UnsafeRawBufferPointer) {
    var start = 0
    // Within a character that was appended there is nothing to find, also where it is not UTF-8.
    for (index, byte) in content.enumerated() where index >= start {
      guard byte < 0x20 ? byte != 0x09 && byte != 0x0A : byte >= 0xED || Self.isSpecial(byte) else {
        continue
      }
      append(contentsOf: content[start..<index])
      start = index
      if byte == UInt8(ascii: "\\") {
        append("\\\\")
        start = index + 1
      } else if byte < 0x80 {
        append(xmlStoreUnit: UInt16(byte))
        start = index + 1
      } else {
        // Only lead bytes of three- and four-byte characters remain.
        start = index + appendCharacter(content[index...])
      }
    }
    append(contentsOf: content[start...])
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
      || byte == UInt8(ascii: "&")
  }

  /// Appends the character at the start of some bytes, escaped if necessary; returns its length in
  /// bytes.
  private mutating func appendCharacter(_ content: Slice<UnsafeRawBufferPointer>) -> Int {
    let length = content[content.startIndex] >= 0xF0 ? 4 : 3
    let bytes = content.prefix(length)
    for unit in String(decoding: bytes, as: UTF8.self).utf16 {
      // In bytes that are not UTF-8, anything may follow.
      if unit >= 0xD800 || unit < 0x20 || UInt8(exactly: unit).map(Self.isSpecial) ?? false {
        append(xmlStoreUnit: unit)
      } else {
        append(contentsOf: String(decoding: [unit], as: UTF16.self).utf8)
      }
    }
    return bytes.count
  }

  private mutating func append(xmlStoreUnit unit: UInt16) {
    append("\\u")
    for shift in [4, 0, 12, 8] {
      let digit = UInt8(truncatingIfNeeded: unit >> UInt16(shift) & 0xF)
      append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
    }
  }

  /// Appends seconds since 2001 with 20 decimals, as C's `%.20f` does in the C locale.
  mutating func append(xmlDate seconds: Double) {
    let magnitude = seconds.magnitude
    // Infinity and dates beyond any clock.
    guard magnitude < 1e18 else { return append(seconds.shortest) }
    if seconds.sign == .minus { append(ascii: "-") }
    var whole = UInt64(magnitude)
    let fraction = magnitude - Double(whole)
    // The fraction is `rest` divided by `one`, a power of two; a fraction far below half of the
    // last decimal counts as 0.
    var rest: UInt128 = 0
    var one: UInt128 = 1
    if fraction >= 0x1p-70 {
      rest = UInt128(fraction.significandBitPattern | 1 << 52)
      one <<= UInt128(52 - fraction.exponent)
    }
    var digits: [UInt8] = []
    for _ in 0..<20 {
      rest *= 10
      digits.append(UInt8(truncatingIfNeeded: rest / one))
      rest %= one
    }
    // Ties round to even digits.
    if rest * 2 > one || rest * 2 == one && digits[19] % 2 == 1 {
      var index = 19
      while index >= 0, digits[index] == 9 {
        digits[index] = 0
        index -= 1
      }
      if index >= 0 { digits[index] += 1 } else { whole += 1 }
    }
    append(decimal: Int(whole))
    append(ascii: ".")
    append(contentsOf: digits.map { 0x30 + $0 })
  }

  /// Appends bytes in base64 as Core Data writes it: a line of 76 characters, and the rest in a
  /// second line.
  mutating func append(base64Lines bytes: UnsafeRawBufferPointer) {
    let digits = Data(bytes).base64EncodedData()
    for line in [digits.prefix(76), digits.dropFirst(76)] where !line.isEmpty {
      append(contentsOf: line)
      append(0x0A)
    }
  }
}

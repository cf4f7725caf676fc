import DataFormats
import DataModel
import SystemLibraries

/// How values stand in the fields of a CSV store.
///
/// No value is an empty field. An empty text is an apostrophe, which also stands before a text that
/// a spreadsheet would take for a formula, as a person would write it there.
enum CSVValue {
  // MARK: Writing

  /// Appends the field of a value.
  static func append(
    _ value: AttributeValue, _ type: AttributeDescription.AttributeType,
    _ spelling: CSVCursor.Spelling, to text: inout [UInt8]
  ) {
    switch value {
    case .integer(let number): text.append(decimal: Int(number))
    case .boolean(let flag): text.append(flag ? "true" : "false")
    case .double(let number): append(number, isSingle: type == .float, spelling, to: &text)
    case .decimal(let number): append(field: number.description, spelling, to: &text)
    case .date(let date):
      let seconds = date.timeIntervalSinceReferenceDate
      if !InstantText.append(seconds, to: &text) {
        append(seconds, isSingle: false, spelling, to: &text)
      }
    case .string(let string):
      append(field: string.needsApostrophe ? "'" + string : string, spelling, to: &text)
    case .uri(let url): append(field: url.absoluteString, spelling, to: &text)
    case .uuid(let uuid): text.append(uuid.uuidString)
    case .binary(let data) where data.isEmpty: text.append(ascii: "'")
    case .binary(let data): text.append(contentsOf: data.base64EncodedData())
    }
  }

  private static func append(
    _ number: Double, isSingle: Bool, _ spelling: CSVCursor.Spelling, to text: inout [UInt8]
  ) {
    guard number.isFinite else { return text.append(number < 0 ? "-Infinity" : "Infinity") }
    let single = Float(number)
    guard isSingle, single.isFinite, Int64(exactly: single) == nil else {
      return text.append(number.shortest)
    }
    text.append("\(single)")
  }

  /// Appends a text as a field, in quotes where it needs them.
  static func append(
    field: String, _ spelling: CSVCursor.Spelling, to text: inout [UInt8]
  ) {
    let start = text.count
    text.append(field)
    let bytes = text[start...]
    let isPlain = bytes.allSatisfy {
      $0 != 0x22 && $0 != 0x2C && $0 != 0x3B && $0 != 0x0A && $0 != 0x0D && $0 != 0x09
    }
    if isPlain, bytes.first != 0x20, bytes.last != 0x20, bytes.first != 0xEF { return }
    text.removeSubrange(start...)
    text.append(0x22)
    for byte in field.utf8 {
      if byte == 0x22 { text.append(0x22) }
      text.append(byte)
    }
    text.append(0x22)
  }

  // MARK: Reading

  /// The value of a field that is not empty; nil where it is none of the type.
  static func value(
    _ bytes: ArraySlice<UInt8>, _ type: AttributeDescription.AttributeType,
    _ spelling: CSVCursor.Spelling
  ) -> AttributeValue? {
    guard let field = String(validating: bytes, as: UTF8.self) else { return nil }
    switch type {
    case .integer16: return Int16(field).map { .integer(Int64($0)) }
    case .integer32: return Int32(field).map { .integer(Int64($0)) }
    case .integer64: return Int64(field).map { .integer($0) }
    // Spreadsheets write them in capitals.
    case .boolean:
      switch field.lowercased() {
      case "true", "1": return .boolean(true)
      case "false", "0": return .boolean(false)
      default: return nil
      }
    case .float: return number(field, spelling).map { .double(Double(Float($0))) }
    case .double: return number(field, spelling).map { .double($0) }
    case .decimal:
      let digits = withPoint(field, spelling)
      guard number(digits, CSVCursor.Spelling())?.isFinite == true else { return nil }
      return Decimal(string: digits).map { .decimal($0) }
    case .date:
      return seconds(field, spelling)
        .map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .string: return .string(field.hasApostrophe ? String(field.dropFirst()) : field)
    case .uri: return URL(string: field).map { .uri($0) }
    case .uuid: return UUID(uuidString: field).map { .uuid($0) }
    case .undefined, .binaryData, .transformable, .composite:
      return field == "'" ? .binary(Data()) : Data(base64Encoded: field).map { .binary($0) }
    }
  }

  /// The number of an object; nil where a field has none.
  static func objectNumber(_ field: ArraySlice<UInt8>) -> Int64? {
    // Nineteen digits may be too many for 64 bits; and "007" is another text than 7.
    guard let first = field.first, first != 0x30, field.count < 19 else { return nil }
    var number: Int64 = 0
    for byte in field {
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      number = number * 10 + Int64(byte - 0x30)
    }
    return number
  }

  /// A number as programs write it: digits, a point, an exponent.
  private static func number(_ field: String, _ spelling: CSVCursor.Spelling) -> Double? {
    switch field {
    case "Infinity": .infinity
    case "-Infinity": -.infinity
    default:
      field.utf8.allSatisfy { "0123456789+-.,eE".utf8.contains($0) }
        ? Double(withPoint(field, spelling)).flatMap { $0.isFinite ? $0 : nil } : nil
    }
  }

  /// Where semicolons stand between fields, a spreadsheet writes a comma as a number's point.
  private static func withPoint(_ field: String, _ spelling: CSVCursor.Spelling) -> String {
    guard spelling.separator == UInt8(ascii: ";"), field.utf8.contains(UInt8(ascii: ",")) else {
      return field
    }
    let parts = field.split(separator: ",", omittingEmptySubsequences: false)
    return parts.count == 2 ? parts.joined(separator: ".") : field
  }

  /// An instant, also as spreadsheets write one, in UTC: `2026-11-21 09:00`; else the seconds since
  /// 2001.
  private static func seconds(_ field: String, _ spelling: CSVCursor.Spelling) -> Double? {
    if let seconds = InstantText.seconds(of: field) { return seconds }
    let parts = field.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts[0].utf8.contains(UInt8(ascii: "-")), parts[0].utf8.count == 10
    else { return number(field, spelling) }
    var clock = parts.count == 2 ? String(parts[1]) : "00:00"
    if clock.utf8.count == 5 { clock += ":00" }
    return InstantText.seconds(of: "\(parts[0])T\(clock)Z")
  }

  /// What a value of a type looks like, for whoever wrote another one.
  static func example(of type: AttributeDescription.AttributeType) -> String {
    switch type {
    case .integer16: "a whole number of 16 bits, such as 7"
    case .integer32: "a whole number of 32 bits, such as 7"
    case .integer64: "a whole number of 64 bits, such as 7"
    case .boolean: "true or false"
    case .float, .double, .decimal: "a number, such as 7.5"
    case .string: "text in UTF-8"
    case .date: "a date, such as 2026-11-21T09:00:00Z"
    case .uri: "an address"
    case .uuid: "a UUID, such as 0E82928F-05F0-40AF-851B-1FA617A37DB3"
    case .undefined, .binaryData, .transformable, .composite: "base64, such as AQID"
    }
  }
}

extension String {
  /// Whether the text needs an apostrophe before it: it is empty, begins a formula, or with an
  /// apostrophe that would be taken for one.
  fileprivate var needsApostrophe: Bool { isFormula || utf8.allSatisfy { $0 == 0x27 } }

  /// Whether the apostrophe at its beginning is no part of the text.
  fileprivate var hasApostrophe: Bool { utf8.first == 0x27 && needsApostrophe }
}

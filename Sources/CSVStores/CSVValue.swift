import DataFormats
import DataModel
import SystemLibraries

/// The representation of values in the fields of a CSV store.
///
/// An empty field stands for no value. An empty text is an apostrophe, which also precedes a text
/// that a spreadsheet would take for a formula, as it is entered there.
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
    case .string(let string): append(string: Array(string.utf8).span, spelling, to: &text)
    case .uri(let url): append(field: url.absoluteString, spelling, to: &text)
    case .uuid(let uuid): text.append(uuid)
    case .binary(let data) where data.isEmpty: text.append(ascii: "'")
    case .binary(let data): text.append(contentsOf: data.base64EncodedData())
    }
  }

  /// Appends the field of a UTF-8 text.
  static func append(
    string: Span<UInt8>, _ spelling: CSVCursor.Spelling, to text: inout [UInt8]
  ) {
    string.withUnsafeBufferPointer { bytes in
      // Most texts begin with a letter or digit and so are not formulas.
      if let first = bytes.first, first.isLetterOrDigit, isPlain(bytes) {
        return text.append(contentsOf: bytes)
      }
      let string = String(decoding: bytes, as: UTF8.self)
      append(field: string.needsApostrophe ? "'" + string : string, spelling, to: &text)
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

  /// Appends a text as a field, quoted if necessary.
  static func append(
    field: String, _ spelling: CSVCursor.Spelling, to text: inout [UInt8]
  ) {
    if isPlain(field.utf8) { return text.append(field) }
    text.append(0x22)
    for byte in field.utf8 {
      if byte == 0x22 { text.append(0x22) }
      text.append(byte)
    }
    text.append(0x22)
  }

  /// Whether a field needs no quotes.
  private static func isPlain(_ bytes: some BidirectionalCollection<UInt8>) -> Bool {
    bytes.allSatisfy {
      $0 != 0x22 && $0 != 0x2C && $0 != 0x3B && $0 != 0x0A && $0 != 0x0D && $0 != 0x09
    } && bytes.first != 0x20 && bytes.last != 0x20 && bytes.first != 0xEF
  }

  // MARK: Reading

  /// Parses a field that is not empty; nil if it does not have the type.
  static func value(
    _ field: Span<UInt8>, _ type: AttributeDescription.AttributeType,
    _ spelling: CSVCursor.Spelling
  ) -> AttributeValue? {
    switch type {
    case .integer16: return Int16(digits: field).map { .integer(Int64($0)) }
    case .integer32: return Int32(digits: field).map { .integer(Int64($0)) }
    case .integer64: return Int64(digits: field).map { .integer($0) }
    case .float: return number(field, spelling).map { .double(Double(Float($0))) }
    case .double: return number(field, spelling).map { .double($0) }
    case .date:
      guard let seconds = InstantText.seconds(of: field) ?? seconds(field, spelling) else {
        return nil
      }
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .uuid: return UUID(text: field).map { .uuid($0) }
    default: break
    }
    guard let field = string(field) else { return nil }
    switch type {
    // Spreadsheets write them in upper case.
    case .boolean:
      switch field.lowercased() {
      case "true", "1": return .boolean(true)
      case "false", "0": return .boolean(false)
      default: return nil
      }
    case .decimal:
      let digits = withPoint(field, spelling)
      guard Double(digits: Array(digits.utf8).span)?.isFinite == true else { return nil }
      return Decimal(string: digits).map { .decimal($0) }
    case .string: return .string(field.hasApostrophe ? String(field.dropFirst()) : field)
    case .uri: return URL(string: field).map { .uri($0) }
    default: return field == "'" ? .binary(Data()) : Data(base64Encoded: field).map { .binary($0) }
    }
  }

  private static func string(_ field: Span<UInt8>) -> String? {
    field.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) }
  }

  /// Parses the number of an object; nil if the field is not one.
  static func objectNumber(_ field: Span<UInt8>) -> Int64? {
    // Nineteen digits may exceed 64 bits, and "007" must not be another spelling of 7.
    guard !field.isEmpty, field[0] != 0x30, field.count < 19 else { return nil }
    var number: Int64 = 0
    for index in field.indices {
      guard field[index] >= 0x30, field[index] <= 0x39 else { return nil }
      number = number * 10 + Int64(field[index] - 0x30)
    }
    return number
  }

  /// A number in the usual format: digits, a decimal point, an exponent.
  private static func number(_ field: Span<UInt8>, _ spelling: CSVCursor.Spelling) -> Double? {
    if let number = Double(digits: field) { return number.isFinite ? number : nil }
    switch string(field) {
    case "Infinity": return .infinity
    case "-Infinity": return -.infinity
    case let text?:
      return Double(digits: Array(withPoint(text, spelling).utf8).span)
        .flatMap { $0.isFinite ? $0 : nil }
    case nil: return nil
    }
  }

  /// With semicolons as separators, spreadsheets write a decimal comma.
  private static func withPoint(_ field: String, _ spelling: CSVCursor.Spelling) -> String {
    guard spelling.separator == UInt8(ascii: ";"), field.utf8.contains(UInt8(ascii: ",")) else {
      return field
    }
    let parts = field.split(separator: ",", omittingEmptySubsequences: false)
    return parts.count == 2 ? parts.joined(separator: ".") : field
  }

  /// A date in UTC, also in a spreadsheet's format: `2026-11-21 09:00`; otherwise the seconds since
  /// 2001.
  private static func seconds(_ bytes: Span<UInt8>, _ spelling: CSVCursor.Spelling) -> Double? {
    guard let field = string(bytes) else { return nil }
    let parts = field.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts[0].utf8.contains(UInt8(ascii: "-")), parts[0].utf8.count == 10
    else { return number(bytes, spelling) }
    var clock = parts.count == 2 ? String(parts[1]) : "00:00"
    if clock.utf8.count == 5 { clock += ":00" }
    return InstantText.seconds(of: "\(parts[0])T\(clock)Z")
  }
}

extension String {
  /// Whether the text needs an apostrophe: it is empty, begins like a formula, or consists only of
  /// apostrophes.
  fileprivate var needsApostrophe: Bool { isFormula || utf8.allSatisfy { $0 == 0x27 } }

  /// Whether the apostrophe at its beginning is not part of the text.
  fileprivate var hasApostrophe: Bool { utf8.first == 0x27 && needsApostrophe }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    0x30...0x39 ~= self || 0x41...0x5A ~= self || 0x61...0x7A ~= self
  }
}

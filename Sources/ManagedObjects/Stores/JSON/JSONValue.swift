import DataFormats
import DataModel
import SystemLibraries

/// The representation of values in JSON stores: native JSON where possible, otherwise exact and
/// readable text.
///
/// A date is a UTC timestamp (`"2026-11-21T09:00:00Z"`) with as many decimals as it needs; a date
/// outside the years 1 to 9999 is a number, the seconds since 2001. A decimal is a number. Binary
/// and transformed values are base64. Infinity is `"Infinity"` or `"-Infinity"`. A property without
/// a value is omitted.
enum JSONValue {
  // MARK: Writing

  /// Appends the value of a slot.
  static func append(
    _ row: PackedRow, _ slot: Int, _ type: AttributeDescription.AttributeType,
    to text: inout [UInt8]
  ) {
    switch type {
    case .integer16, .integer32, .integer64: text.append(decimal: Int(row.integer(slot)))
    case .boolean: text.append(row.integer(slot) == 0 ? "false" : "true")
    case .float:
      let single = Float(row.real(slot))
      append(
        single.isFinite ? Int64(exactly: single).map { String($0) } ?? "\(single)" : nil,
        row.real(slot), to: &text)
    case .double, .decimal: append(nil, row.real(slot), to: &text)
    case .date:
      let length = text.count
      text.append(ascii: "\"")
      if InstantText.append(row.real(slot), to: &text) {
        text.append(ascii: "\"")
      } else {
        text.removeLast(text.count - length)
        append(nil, row.real(slot), to: &text)
      }
    case .string, .uri: text.append(json: row.bytes(slot))
    case .uuid:
      text.append(ascii: "\"")
      if let uuid = UUID(slotBytes: row.bytes(slot)) { text.append(uuid) }
      text.append(ascii: "\"")
    case .undefined, .binaryData, .transformable, .composite:
      text.append(ascii: "\"")
      text.append(contentsOf: Data(row.bytes(slot)).base64EncodedData())
      text.append(ascii: "\"")
    }
  }

  /// Appends a number with the given digits, or else with the fewest that are exact.
  private static func append(_ digits: String?, _ number: Double, to text: inout [UInt8]) {
    if number.isFinite {
      text.append(digits ?? number.shortest)
    } else {
      text.append(number < 0 ? "\"-Infinity\"" : "\"Infinity\"")
    }
  }

  // MARK: Reading

  /// Reads a value into a row under construction; returns false if it does not have the type.
  ///
  /// - Parameter kind: the kind of the next JSON value.
  /// - Throws: `DataError` if it is not valid JSON.
  static func read(
    _ json: inout JSONReader, _ kind: JSONReader.Kind, _ type: AttributeDescription.AttributeType,
    into draft: inout RowDraft, at slot: Int
  ) throws(DataError) -> Bool {
    switch (type, kind) {
    case (_, .null): _ = try json.null()
    case (.integer16, .number), (.integer32, .number), (.integer64, .number):
      guard let number = integer(try json.numberText(), type) else { return false }
      draft.set(UInt64(bitPattern: number), at: slot)
    case (.boolean, .boolean): draft.set(try json.boolean() ? 1 : 0, at: slot)
    case (.float, .number):
      guard let number = Float(try json.numberText()), number.isFinite else { return false }
      draft.set(Double(number).bitPattern, at: slot)
    case (.double, .number), (.decimal, .number), (.date, .number):
      guard let number = Double(try json.numberText()), number.isFinite else { return false }
      draft.set(number.bitPattern, at: slot)
    case (.float, .string), (.double, .string), (.decimal, .string), (.date, .string):
      let text = try json.string()
      guard let number = infinity(text) ?? (type == .date ? InstantText.seconds(of: text) : nil)
      else { return false }
      draft.set(number.bitPattern, at: slot)
    case (.string, .string), (.uri, .string): draft.set(try json.string().utf8, at: slot)
    case (.uuid, .string):
      guard let uuid = UUID(text: try json.string()) else { return false }
      withUnsafeBytes(of: uuid.uuid) { draft.set($0, at: slot) }
    case (.undefined, .string), (.binaryData, .string), (.transformable, .string),
      (.composite, .string):
      guard let data = Data(base64Encoded: try json.string()) else { return false }
      draft.set(data, at: slot)
    default: return false
    }
    return true
  }

  private static func integer(
    _ text: String, _ type: AttributeDescription.AttributeType
  ) -> Int64? {
    // `1.0` and `1e3` are integers too.
    guard let number = Int64(text) ?? Double(text).flatMap({ Int64(exactly: $0) }) else {
      return nil
    }
    switch type {
    case .integer16: return Int16(exactly: number) == nil ? nil : number
    case .integer32: return Int32(exactly: number) == nil ? nil : number
    default: return number
    }
  }

  private static func infinity(_ text: String) -> Double? {
    text == "Infinity" ? .infinity : text == "-Infinity" ? -.infinity : nil
  }
}

import DataModel
import SystemLibraries

/// The text of an attribute's value in a model: a default, or a bound.
struct AttributeText: Sendable {
  /// The meaning of a text for a type.
  enum Reading: Equatable {
    /// The value.
    case value(AttributeValue)
    /// An invalid value; the reason follows "the default '…' ".
    case problem(String)
    /// A text for a type without values, which can be ignored.
    case leftover
  }

  /// The text.
  let text: String
  /// The meaning.
  let reading: Reading

  /// The value, if the text is valid.
  var value: AttributeValue? {
    if case .value(let value) = reading { value } else { nil }
  }

  /// Reads a value from an element; nil if there is none.
  ///
  /// - Parameter interval: the XML attribute that contains a date in seconds; the readable one is
  ///   ignored.
  init?(
    _ element: SourceElement, _ name: String, orInterval interval: String,
    of type: AttributeDescription.AttributeType?
  ) {
    guard let type, let text = element[type == .date ? interval : name] else { return nil }
    // An empty text is not a number.
    if text.isEmpty, type != .string { return nil }
    self.text = text
    reading = Self.read(text, as: type)
  }

  private static func read(
    _ text: String, as type: AttributeDescription.AttributeType
  ) -> Reading {
    switch type {
    case .integer16: integer(text, in: Int64(Int16.min)...Int64(Int16.max), bits: 16)
    case .integer32: integer(text, in: Int64(Int32.min)...Int64(Int32.max), bits: 32)
    case .integer64: integer(text, in: Int64.min...Int64.max, bits: 64)
    case .double: number(text).map { .value(.double($0)) } ?? .problem("is not a number")
    case .float: float(text)
    case .decimal: decimal(text)
    case .boolean: boolean(text)
    case .string: .value(.string(text))
    case .uuid: UUID(uuidString: text).map { .value(.uuid($0)) } ?? .problem("is not a UUID")
    case .uri: URL(string: text).map { .value(.uri($0)) } ?? .problem("is not a URI")
    case .date: date(text)
    case .binaryData, .transformable, .composite, .undefined: .leftover
    }
  }

  private static func integer(
    _ text: String, in range: ClosedRange<Int64>, bits: Int
  ) -> Reading {
    // Xcode keeps "0.0" when a Double is made an integer, and "NO" of a Boolean.
    let leftover = ["NO": 0, "YES": 1][text] ?? number(text)
    guard let value = Int64(text) ?? leftover.flatMap({ Int64(exactly: $0) }) else {
      let isNumber = number(text) != nil
      return .problem(isNumber ? outOfRange(bits) : "is not a whole number")
    }
    return range.contains(value) ? .value(.integer(value)) : .problem(outOfRange(bits))
  }

  private static func outOfRange(_ bits: Int) -> String {
    "is not a whole number that fits in \(bits) bits"
  }

  private static func float(_ text: String) -> Reading {
    guard let value = number(text) else { return .problem("is not a number") }
    guard Float(value).isFinite else { return .problem("does not fit in 32 bits") }
    return .value(.double(value))
  }

  /// Returns a finite decimal number; Swift would also accept "nan", "inf" and "0x1p3".
  private static func number(_ text: String) -> Double? {
    guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }) else { return nil }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  private static func decimal(_ text: String) -> Reading {
    // `Decimal` ignores invalid characters at the end, so the text is checked first.
    guard number(text) != nil, let value = Decimal(string: text), value.isFinite else {
      return .problem("is not a number")
    }
    return .value(.decimal(value))
  }

  private static func boolean(_ text: String) -> Reading {
    switch text {
    case "YES", "1", "true": .value(.boolean(true))
    case "NO", "0", "false": .value(.boolean(false))
    default:
      // Xcode keeps a number's default when its attribute is made a Boolean.
      number(text).map { .value(.boolean($0 != 0)) } ?? .problem("is neither YES nor NO")
    }
  }

  private static func date(_ text: String) -> Reading {
    guard let seconds = number(text) else {
      return .problem("is not a number of seconds since 2001-01-01")
    }
    return .value(.date(Date(timeIntervalSinceReferenceDate: seconds)))
  }
}

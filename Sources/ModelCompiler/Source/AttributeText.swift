import DataModel
import SystemLibraries

/// A value of an attribute as a model's text: a default, or a bound.
struct AttributeText: Sendable {
  /// What a text says for a type.
  enum Reading: Equatable {
    /// The value.
    case value(AttributeValue)
    /// Nothing usable; the reason follows "the default '…' ".
    case problem(String)
    /// A text where there can be no value; no harm is done.
    case leftover
  }

  /// The text.
  let text: String
  /// What it says.
  let reading: Reading

  /// The value, where the text is one.
  var value: AttributeValue? {
    if case .value(let value) = reading { value } else { nil }
  }

  /// Reads a value of an element; nil where the model gives none.
  ///
  /// - Parameter interval: the XML attribute that holds an instant in seconds; its picture in words
  ///   is not looked at.
  init?(
    _ element: SourceElement, _ name: String, orInterval interval: String,
    of type: AttributeDescription.AttributeType?
  ) {
    guard let type, let text = element[type == .date ? interval : name] else { return nil }
    // An empty field is no number.
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
    // Xcode leaves "0.0" behind when a Double is made an integer, and "NO" of a Boolean.
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

  /// A finite number in digits; Swift would read "nan", "inf" and "0x1p3" too.
  private static func number(_ text: String) -> Double? {
    guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }) else { return nil }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  private static func decimal(_ text: String) -> Reading {
    // Decimal reads as far as it can and drops the rest; so the text is checked first.
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
      // The default that a number had before it was made a Boolean.
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

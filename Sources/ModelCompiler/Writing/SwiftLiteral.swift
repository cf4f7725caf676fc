import DataModel
import SystemLibraries

/// Converts values of a model to Swift expressions.
enum SwiftLiteral {
  /// Returns a string literal.
  static func string(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": literal += "\\\\"
      case "\"": literal += "\\\""
      case "\n": literal += "\\n"
      case "\t": literal += "\\t"
      case _ where scalar.properties.generalCategory == .control,
        _ where scalar.properties.generalCategory == .format:
        // This includes characters that change the direction of text.
        literal += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  /// Returns an array of string literals.
  static func strings(_ texts: [String]) -> String {
    "[" + texts.map(string).joined(separator: ", ") + "]"
  }

  /// Returns the value of an attribute.
  static func value(_ value: AttributeValue) -> String {
    switch value {
    case .integer(let integer): ".integer(\(integer))"
    case .double(let double): ".double(\(double))"
    case .decimal(let decimal): ".decimal(Decimal(string: \"\(decimal)\")!)"
    case .boolean(let boolean): ".boolean(\(boolean))"
    case .string(let text): ".string(\(string(text)))"
    case .date(let date):
      ".date(Date(timeIntervalSinceReferenceDate: \(date.timeIntervalSinceReferenceDate)))"
    case .binary(let data): ".binary(Data([\(data.map(String.init).joined(separator: ", "))]))"
    case .uuid(let uuid): ".uuid(UUID(uuidString: \"\(uuid.uuidString)\")!)"
    case .uri(let url): ".uri(URL(string: \(string(url.absoluteString)))!)"
    }
  }
}

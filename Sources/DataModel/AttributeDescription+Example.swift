extension AttributeDescription.AttributeType {
  /// An example of a value of the type in a document, for error messages: `a number, such as 7.5`.
  ///
  /// - Parameter quote: the quotation mark around strings; empty if there is none.
  package func example(quote: String) -> String {
    switch self {
    case .integer16: "a whole number of 16 bits, such as 7"
    case .integer32: "a whole number of 32 bits, such as 7"
    case .integer64: "a whole number of 64 bits, such as 7"
    case .boolean: "true or false"
    case .float, .double, .decimal: "a number, such as 7.5"
    case .string: quote.isEmpty ? "text in UTF-8" : "a string in quotes"
    case .date: "a date, such as \(quote)2026-11-21T09:00:00Z\(quote)"
    case .uri: "an address, such as \(quote)https://example.org\(quote)"
    case .uuid: "a UUID, such as \(quote)0E82928F-05F0-40AF-851B-1FA617A37DB3\(quote)"
    case .undefined, .binaryData, .transformable, .composite:
      "base64, such as \(quote)AQID\(quote)"
    }
  }
}

/// A text split at white space, as typed and in lower case.
struct TypedWords: Hashable, Sendable {
  /// The words as typed.
  let original: [String]
  /// The same words in lower case, as they are compared.
  let lowercased: [String]

  /// Splits a text.
  init(_ text: String) {
    self.init(words: text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  /// Takes words that are split already.
  init(words: [String]) {
    original = words
    lowercased = words.map { $0.lowercased() }
  }
}

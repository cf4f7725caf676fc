import CommandLineKit

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

  /// Words as a person would type them: those with spaces in quotes; very long texts cut.
  static func commandText(of words: [String]) -> String {
    var text = ""
    for word in words {
      if !text.isEmpty { text += " " }
      text += quoted(word)
    }
    return text.utf8.count > 1_000 ? text.prefix(400) + "…" : text
  }

  /// A word as a shell takes it for one, its control characters as they are.
  private static func quoted(_ word: String) -> String {
    let bytes = word.utf8
    if bytes.contains(where: { "\"$`\\!".utf8.contains($0) }) { return word.inSingleQuotes }
    let isPlain = bytes.allSatisfy { $0 > 0x20 && !"'<>|&;()*?".utf8.contains($0) }
    return isPlain && !bytes.isEmpty ? word : "\"\(word)\""
  }

  /// Words as one text, with a space between two.
  ///
  /// `joined(separator:)` would cost the short life of the program more: it is not specialised, and
  /// its first call searches the program for conformances.
  static func text(of words: some Sequence<String>) -> String {
    var text = ""
    for word in words {
      if !text.isEmpty { text += " " }
      text += word
    }
    return text
  }
}

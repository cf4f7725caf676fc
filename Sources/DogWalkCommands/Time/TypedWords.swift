import CommandLineKit

/// Words of a text separated by white space, as typed and in lower case.
struct TypedWords: Hashable, Sendable {
  /// The words as typed.
  let original: [String]
  /// The same words in lower case, for comparisons.
  let lowercased: [String]

  /// Splits a text.
  init(_ text: String) {
    self.init(words: text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  /// Creates words that are already split.
  init(words: [String]) {
    original = words
    lowercased = words.map { $0.lowercased() }
  }

  /// Returns words as a person would type them, those with spaces in quotes; very long texts are
  /// truncated.
  static func commandText(of words: [String]) -> String {
    var text = ""
    for word in words {
      if !text.isEmpty { text += " " }
      text += quoted(word)
    }
    return text.utf8.count > 1_000 ? text.prefix(400) + "…" : text
  }

  /// Returns a word quoted for a shell if necessary, with its control characters unchanged.
  private static func quoted(_ word: String) -> String {
    let bytes = word.utf8
    if bytes.contains(where: { "\"$`\\!".utf8.contains($0) }) { return word.inSingleQuotes }
    let isPlain = bytes.allSatisfy { $0 > 0x20 && !"'<>|&;()*?".utf8.contains($0) }
    return isPlain && !bytes.isEmpty ? word : "\"\(word)\""
  }

  /// Returns the words joined by spaces.
  ///
  /// `joined(separator:)` would noticeably slow this short-lived program down: it is not
  /// specialised, and its first call searches the program for conformances.
  static func text(of words: some Sequence<String>) -> String {
    var text = ""
    for word in words {
      if !text.isEmpty { text += " " }
      text += word
    }
    return text
  }
}

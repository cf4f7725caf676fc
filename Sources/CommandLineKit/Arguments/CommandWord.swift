/// A word of a command line, classified by its form alone.
enum CommandWord: Hashable, Sendable {
  /// A word without dashes, a lone `-`, or any word after `--`.
  case operand(String)
  /// `--name` or `--name=value`.
  case long(name: String, value: String?)
  /// `-abc`: letters that are options, or an option with its value.
  case short(letters: Substring)
  /// `--`, after which all words are operands.
  case terminator

  /// Classifies a word that precedes any `--`.
  init(_ word: String) {
    if word == "--" {
      self = .terminator
    } else if word.hasPrefix("--") {
      let body = word.dropFirst(2)
      if let equals = body.firstIndex(of: "=") {
        let value = String(body[body.index(after: equals)...])
        self = .long(name: String(body[..<equals]), value: value)
      } else {
        self = .long(name: String(body), value: nil)
      }
    } else if word.hasPrefix("-"), word != "-" {
      self = .short(letters: word.dropFirst())
    } else {
      self = .operand(word)
    }
  }

  /// The name of an option whose dashes a text editor has replaced with one long dash: `by` in
  /// `—by`.
  static func nameBehindDashes(_ word: String) -> String? {
    let name = word.drop { "-‐‑‒–—―−".contains($0) }
    guard name.startIndex > word.startIndex, name.first?.isLetter == true else { return nil }
    return String(name.prefix { $0 != "=" })
  }

  /// Whether a word may follow an option as its value.
  ///
  /// GNU's `getopt` accepts any word; here `--dog --note` counts as a missing value, not as a dog
  /// named "--note": a slip must never become data. A text with a space in it is not an option, so
  /// `--note "- pulled a lot"` is accepted, and `--note=-x` accepts any text.
  static func canBeValue(_ word: String) -> Bool {
    !word.hasPrefix("-") || word == "-" || word.hasWhitespace
  }
}

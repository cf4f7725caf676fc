/// One word of a command line by its outer form, before anyone knows which options exist.
enum CommandWord: Hashable, Sendable {
  /// A word without dashes, a lone `-`, or anything behind `--`.
  case operand(String)
  /// `--name` or `--name=value`.
  case long(name: String, value: String?)
  /// `-abc`: letters that are options, or the value of one of them.
  case short(letters: Substring)
  /// `--`: what follows is operands.
  case terminator

  /// Reads the form of a word that stands before any `--`.
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

  /// The name of an option whose dashes a text editor has made one long one: `by` of `—by`.
  static func nameBehindDashes(_ word: String) -> String? {
    let name = word.drop { "-‐‑‒–—―−".contains($0) }
    guard name.startIndex > word.startIndex, name.first?.isLetter == true else { return nil }
    return String(name.prefix { $0 != "=" })
  }

  /// Whether a word may follow an option as its value.
  ///
  /// GNU's `getopt` takes whatever comes next; here `--dog --note` is a value that was forgotten,
  /// not a dog called "--note": a slip must never become data. A text with a space in it is no
  /// option, so `--note "- pulled a lot"` is fine, and `--note=-x` takes anything.
  static func canBeValue(_ word: String) -> Bool {
    !word.hasPrefix("-") || word == "-" || word.hasWhitespace
  }
}

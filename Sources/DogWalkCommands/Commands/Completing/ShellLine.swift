/// A line typed in bash up to the cursor, split like bash does.
struct ShellLine {
  /// The words without their quotes; the last one is being typed, and may be empty.
  private(set) var words: [String] = []
  /// The open quote in the last word.
  private var quote: Character?
  /// The part of the last word that bash does not replace: up to an unquoted `=` or `:`.
  private var kept = ""

  /// Splits a line.
  init(_ line: String) {
    var word: String?
    var isEscaped = false
    for character in line {
      if isEscaped {
        isEscaped = false
        word = (word ?? "") + String(character)
      } else if let open = quote {
        if character == open {
          quote = nil
        } else if character == "\\", open == "\"" {
          isEscaped = true
        } else {
          word = (word ?? "") + String(character)
        }
      } else {
        switch character {
        case "\"", "'":
          quote = character
          word = word ?? ""
        case "\\": isEscaped = true
        case " ", "\t", "\n":
          if let word { words.append(word) }
          word = nil
          kept = ""
        default:
          word = (word ?? "") + String(character)
          if character == "=" || character == ":" { kept = word ?? "" }
        }
      }
    }
    words.append(word ?? "")
  }

  /// Returns the replacement for the part of the last word that bash completes.
  func completing(_ value: String) -> String {
    let rest = value.hasPrefix(kept) ? String(value.dropFirst(kept.count)) : value
    // Within quotes bash needs no escaping.
    guard quote == nil else { return rest }
    var escaped = ""
    for character in rest {
      let isPlain =
        character.isLetter || character.isNumber || !character.isASCII
        || "-_./:=,+@%".contains(character)
      if !isPlain { escaped += "\\" }
      escaped.append(character)
    }
    return escaped
  }
}

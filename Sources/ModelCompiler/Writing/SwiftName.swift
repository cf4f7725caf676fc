/// Turns names of a model into Swift.
enum SwiftName {
  /// A property's name where Swift expects an identifier: `` `default` ``.
  static func escaped(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// A name with a small letter first: `DogWalk` gives `dogWalk`, `URLStore` gives `urlStore`.
  ///
  /// What cannot stand in an identifier is dropped, and the letter behind it made a capital.
  static func lowerCamel(_ name: String) -> String {
    var words = ""
    var startsWord = false
    for character in name {
      guard character.isASCII, character.isLetter || character.isNumber || character == "_" else {
        startsWord = true
        continue
      }
      words += startsWord && !words.isEmpty ? character.uppercased() : String(character)
      startsWord = false
    }
    let capitals = words.prefix { $0.isUppercase }
    let rest = words.dropFirst(capitals.count)
    // In a run of capitals the last one begins the next word, unless nothing but digits follows.
    let lowered =
      capitals.count > 1 && rest.first?.isLetter == true
      ? capitals.dropLast().lowercased() + String(capitals.suffix(1)) : capitals.lowercased()
    let result = lowered + rest
    return result.first?.isLetter == true ? result : "model" + result
  }

  /// A name with a capital first, for the middle of a method's name: `walks` gives `Walks`.
  static func capitalized(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }

  /// Swift's words that cannot be a member's name as they are.
  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "associatedtype", "as", "break", "case", "catch", "class",
    "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows",
    "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws",
    "true", "try", "typealias", "var", "where", "while",
    // No word, but no name either.
    "_",
  ]
}

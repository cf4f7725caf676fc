/// Converts names in a model to Swift.
enum SwiftName {
  /// Returns a property's name as a Swift identifier: `` `default` ``.
  static func escaped(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// Returns a name in lower camel case: `DogWalk` becomes `dogWalk`, `URLStore` becomes
  /// `urlStore`.
  ///
  /// Characters that cannot occur in an identifier are dropped, and the letter after them is
  /// capitalised.
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
    // The last letter of several capitals begins the next word, unless only digits follow.
    let lowered =
      capitals.count > 1 && rest.first?.isLetter == true
      ? capitals.dropLast().lowercased() + String(capitals.suffix(1)) : capitals.lowercased()
    let result = lowered + rest
    return result.first?.isLetter == true ? result : "model" + result
  }

  /// Returns a name with a capital first, for use within a method's name: `walks` becomes `Walks`.
  static func capitalized(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }

  /// Swift keywords that must be escaped as names of members.
  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "associatedtype", "as", "break", "case", "catch", "class",
    "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows",
    "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws",
    "true", "try", "typealias", "var", "where", "while",
    // Not a keyword, but not a valid name either.
    "_",
  ]
}

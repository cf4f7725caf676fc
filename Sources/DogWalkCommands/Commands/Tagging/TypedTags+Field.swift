/// Tags as one field of CSV.
extension TypedTags {
  /// Returns the names of tags as a field: separated by spaces, and quoted if they contain a comma
  /// or semicolon.
  ///
  ///     TypedTags.field(of: ["dog park", "rain"])   // "dog-park rain"
  ///     TypedTags.field(of: ["a,b", "rain"])        // "\"a,b\" rain"
  static func field(of names: [String]) -> String {
    guard !names.isEmpty else { return "" }
    return names.map { quoted(word($0)) }.joined(separator: " ")
  }

  private static func quoted(_ name: String) -> String {
    guard name.contains(where: isDivider) || name.first == "\"" else { return name }
    let parts = name.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"\(parts.joined(separator: "\"\""))\""
  }

  /// Returns the names in a field as `field(of:)` writes it, or in a list as people write it:
  /// `park, rain`.
  ///
  ///     TypedTags.names(inField: "park, rain;mud") { _ in false }   // ["park", "rain", "mud"]
  ///
  /// - Parameter isKnown: Returns whether there is a tag of a name, which is then not split at its
  ///   commas.
  static func names(inField text: String, isKnown: (String) -> Bool) -> [String] {
    guard text.contains(where: { isDivider($0) || $0 == "\"" }) else {
      return text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
    var names: [String] = []
    var rest = text[...]
    while let first = rest.first {
      if first.isWhitespace || isDivider(first) {
        rest.removeFirst()
        continue
      }
      if let name = takeQuoted(from: &rest) {
        names.append(name)
        continue
      }
      let word = rest.prefix { !$0.isWhitespace }
      rest = rest[word.endIndex...]
      if word.contains(where: isDivider), !isKnown(String(word)) {
        names += word.split(whereSeparator: isDivider).map(String.init)
      } else {
        names.append(String(word))
      }
    }
    return names
  }

  private static func isDivider(_ character: Character) -> Bool {
    character == "," || character == ";"
  }

  /// Removes and returns a quoted name at the beginning of a text; `nil` if there is none.
  private static func takeQuoted(from text: inout Substring) -> String? {
    guard text.first == "\"" else { return nil }
    var rest = text.dropFirst()
    var name = ""
    while let character = rest.popFirst() {
      guard character == "\"" else {
        name.append(character)
        continue
      }
      if rest.first == "\"" {
        name.append(rest.removeFirst())
        continue
      }
      guard !name.isEmpty, rest.first.map({ $0.isWhitespace || isDivider($0) }) ?? true else {
        return nil
      }
      text = rest
      return name
    }
    return nil
  }
}

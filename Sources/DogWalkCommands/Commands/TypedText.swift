import CommandLineKit
import DataFormats

/// Checks for names and notes that people type.
enum TypedText {
  /// Reads the name of a dog, a walker or a tag.
  ///
  ///     try TypedText.name(" Fido ", of: "a dog")   // "Fido"
  ///
  /// Surrounding white space is removed: it is invisible, and would make two dogs of one.
  ///
  /// - Throws: `ValidationError` if nothing is left, or if the name has invisible or control
  ///   characters.
  static func name(_ typed: String, of whom: String) throws(ValidationError) -> String {
    var name = typed[...]
    while name.first?.isWhitespace == true { name.removeFirst() }
    while name.last?.isWhitespace == true { name.removeLast() }
    guard !name.isEmpty else {
      let example = ["the walker": "Ana", "a tag": "park"][whom] ?? "Fido"
      throw ValidationError("the name of \(whom) is empty", hint: "Write one, as in \(example).")
    }
    let text = String(name)
    try refuse(text, "the name") { $0.escape != nil }
    guard !text.hasInvisibleCharacters else {
      throw ValidationError(
        "the name of \(whom) has an invisible character in it", hint: "Type it again.")
    }
    return text
  }

  /// Reads a note; nil if it is empty.
  ///
  /// It may have several lines and tabs, but no other control characters. Line ends of Windows
  /// become line feeds.
  ///
  /// - Throws: `ValidationError` if it has other control characters.
  static func note(_ typed: String) throws(ValidationError) -> String? {
    guard !typed.allSatisfy(\.isWhitespace) else { return nil }
    // Windows line ends become line feeds.
    var note = ""
    for character in typed { note.append(character == "\r\n" ? "\n" : character) }
    try refuse(note, "the note") { $0.isControl && $0 != "\n" && $0 != "\t" }
    return note
  }

  /// Throws if a text contains forbidden characters, or is not UTF-8.
  private static func refuse(
    _ text: String, _ what: String, _ isBad: (Unicode.Scalar) -> Bool
  ) throws(ValidationError) {
    let shown = { ValidationError.quoted(text.truncated(to: 60)) }
    guard text.isUTF8 else {
      throw ValidationError("\(what) \(shown()) is not UTF-8", hint: "Set the terminal to UTF-8.")
    }
    guard !text.unicodeScalars.contains(where: isBad) else {
      throw ValidationError(
        "\(what) \(shown()) has control characters in it", hint: "Leave them out.")
    }
  }
}

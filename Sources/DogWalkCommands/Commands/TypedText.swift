import CommandLineKit
import DataFormats

/// Names and notes as people type them, checked before they are kept.
enum TypedText {
  /// Reads a name: of a dog, or of a walker.
  ///
  ///     try TypedText.name(" Fido ", of: "a dog")   // "Fido"
  ///
  /// White space around it is left off: nobody sees it, and it would make two dogs of one.
  ///
  /// - Throws: `ValidationError` where nothing is left, or it has characters that nobody can see.
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
        "the name of \(whom) has a character in it that nobody can see", hint: "Type it anew.")
    }
    return text
  }

  /// Reads a note, which may have several lines and tabs, and anything that is no control
  /// character; an empty one is none.
  ///
  /// Lines may end as on Windows; the note has line feeds alone.
  ///
  /// - Throws: `ValidationError` where it has other control characters.
  static func note(_ typed: String) throws(ValidationError) -> String? {
    guard !typed.allSatisfy(\.isWhitespace) else { return nil }
    // Lines that came from Windows end like all others.
    var note = ""
    for character in typed { note.append(character == "\r\n" ? "\n" : character) }
    try refuse(note, "the note") { $0.isControl && $0 != "\n" && $0 != "\t" }
    return note
  }

  /// Refuses a text with characters in it that may not be, and one that is no UTF-8.
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

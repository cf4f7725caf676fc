import CommandLineKit
import DataFormats

extension Option {
  /// `--tag`: adds a tag.
  static let tag = Option(
    "tag", value: .required("TAG"), isRepeating: true,
    help: "add a tag; the word +park does the same",
    completion: .tags)
  /// `--untag`: removes a tag.
  static let untag = Option(
    "untag", value: .required("TAG"), isRepeating: true, help: "remove a tag",
    completion: .tags)
  /// `--tag` of commands that show walks: selects walks with a tag.
  static let withTag = Option(
    "tag", value: .required("TAG"), isRepeating: true, help: "walks with this tag",
    completion: .tags)
}

/// The tags among the words of a command, `+park`, and the other words.
struct TypedTags: Hashable, Sendable {
  /// The names of the tags, each once, as first typed.
  private(set) var names: [String] = []
  /// The words that are not tags.
  private(set) var words: [String] = []

  /// Separates the tags, which begin with `+` and not with a digit after it, from other words.
  ///
  /// - Parameter more: Tags from options.
  /// - Throws: `ValidationError` if one is not a valid tag, or consists of several separated by
  ///   commas.
  init(_ words: [String], more: [String] = []) throws(ValidationError) {
    for word in words {
      if Self.isTag(word) { try take(word) } else { self.words.append(word) }
    }
    for word in more { try take(word) }
  }

  private mutating func take(_ word: String) throws(ValidationError) {
    let name = try Self.newName(word)
    if !names.contains(name) { names.append(name) }
  }

  /// Returns the name of a tag to be added.
  ///
  /// - Throws: `ValidationError` as `name(_:)`, and for several tags separated by commas.
  static func newName(_ word: String) throws(ValidationError) -> String {
    let name = try name(word)
    let marks = name.filter { $0 == "," || $0 == ";" }
    guard let mark = marks.first.map({ $0 == "," ? "comma" : "semicolon" }) else { return name }
    let names = name.split { marks.contains($0) }.map { "+\($0.drop { $0 == "+" })" }
    throw ValidationError(
      "the tag \(ValidationError.quoted("+\(name)")) has a \(mark) in it",
      hint: names.count < 2
        ? "Leave the \(mark) out: \((names.first ?? "+park").shellWord)."
        : MistypedWord.hint(dividing: names))
  }

  /// Returns whether a word has the form of a tag, which `+0100` has not.
  static func isTag(_ word: String) -> Bool {
    guard word.hasPrefix("+"), let next = word.dropFirst().first else { return false }
    return !next.isWholeNumber && next != "+"
  }

  /// Returns how to write a word that begins with `+` and a digit as a tag; nil for another.
  ///
  ///     TypedTags.option(for: "+2026-11")   // "--tag 2026-11"
  static func option(for word: String) -> String? {
    guard word.first == "+", word.dropFirst().first?.isWholeNumber == true else { return nil }
    return String(word.dropFirst()).shellValue(of: "tag")
  }

  /// Returns the hint about such a word; nil for another.
  static func hint(for word: String) -> String? {
    option(for: word).map { "A tag that begins with a digit is written \($0)." }
  }

  /// Returns the names of tags to be removed.
  ///
  /// - Throws: `ValidationError` as `name(_:)`, and for a tag that is also added.
  func removedNames(_ words: [String]) throws(ValidationError) -> [String] {
    let removed = try words.map { word throws(ValidationError) in try Self.name(word) }
    if let both = removed.first(where: { KnownNames.name($0, among: names) != nil }) {
      throw ValidationError(
        "the tag \(ValidationError.quoted("+\(both)")) is added and removed",
        hint: "Say one of the two.")
    }
    return removed
  }

  /// Returns a name as one word, with hyphens for spaces.
  ///
  ///     TypedTags.word("dog park")   // "dog-park"
  static func word(_ name: String) -> String {
    guard name.hasWhitespace else { return name }
    return name.split(whereSeparator: \.isWhitespace).joined(separator: "-")
  }

  /// Returns the name of a tag, typed with or without its `+`.
  ///
  /// - Throws: `ValidationError` if it is empty, or contains a space.
  static func name(_ word: String) throws(ValidationError) -> String {
    let name = try TypedText.name(
      word.hasPrefix("+") ? String(word.dropFirst()) : word, of: "a tag")
    guard !name.contains(where: \.isWhitespace) else {
      throw ValidationError(
        "a tag is one word, and \(ValidationError.quoted(name)) has a space in it",
        hint: "Write +dog-park.")
    }
    return name
  }
}

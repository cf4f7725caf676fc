import CommandLineKit

extension Complaint {
  /// A complaint about a name that does not exist, with a hint: the most likely name, else all
  /// names.
  ///
  /// - Parameters:
  ///   - kind: what the name stands for, as in `there is no tag`.
  ///   - words: the words that contain the name; several of them may form one name.
  ///   - names: all existing names.
  ///   - mark: the prefix with which such a name is written.
  ///   - none: the hint if there are no names at all.
  init(
    no kind: String, named name: String, of words: [String] = [], among names: [String],
    mark: String = "", none: String
  ) {
    let hint =
      if names.isEmpty {
        none
      } else if CommandRun.isWordBetweenNames(name) {
        "Leave it out."
      } else if let whole = KnownNames.name(ofWordsAround: name, in: words, among: names) {
        "Did you mean \(whole.shellWord)?"
      } else if let near = KnownNames.near(name, among: names) {
        "Did you mean \((mark + near).shellWord)?"
      } else {
        Self.sentence(
          "There \(names.count == 1 ? "is" : "are") \(sentenceList(names.map { mark + $0 }))")
      }
    self.init(.no, "there is no \(kind) \(ValidationError.quoted(mark + name))", hint: hint)
  }

  /// Appends a full stop to a text, unless it already ends in one, as a name may ("Spot Jr.").
  private static func sentence(_ text: String) -> String {
    text.hasSuffix(".") ? text : text + "."
  }
}

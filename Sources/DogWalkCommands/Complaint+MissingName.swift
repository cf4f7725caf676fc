import CommandLineKit

extension Complaint {
  /// A name that nothing of its kind has: what was most likely meant, else which there are.
  ///
  /// - Parameters:
  ///   - kind: what it was to be the name of, as in `there is no tag`.
  ///   - words: the words among which it stands, which may be a name together.
  ///   - names: all that there are.
  ///   - mark: what stands before such a name where it is written.
  ///   - none: what to say where there are none.
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

  /// Ends a text with a full stop, unless a name ("Spot Jr.") has brought one.
  private static func sentence(_ text: String) -> String {
    text.hasSuffix(".") ? text : text + "."
  }
}

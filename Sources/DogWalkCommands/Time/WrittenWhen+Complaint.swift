import CommandLineKit
import DogWalkModel

extension WrittenWhen {
  /// Words that a slip in typing may have been meant for.
  static let timeWords =
    ["now", "today", "yesterday", "ago"] + Weekday.allCases.map(\.name)

  /// Two forms in which the start of a walk can be written.
  static let startForms = "Write 18:00 or yesterday 7:30pm"

  /// What is wrong with words that have no form of a point in time.
  ///
  /// It names the first word that no such form begins or goes on with.
  static func complaint(
    about words: TypedWords, forms: String = startForms
  ) -> ValidationError {
    guard let index = words.lowercased.firstIndex(where: { !isUnderstood($0) }) else {
      let text = ValidationError.quoted(words.original.joined(separator: " "))
      return ValidationError("\(text) is no time", hint: "\(forms).")
    }
    let complaint = "\(ValidationError.quoted(words.original[index])) cannot be read as a time"
    let word = words.lowercased[index]
    if ["am", "pm"].contains(word), index > 0 {
      let joined = words.original[index - 1] + words.original[index]
      return ValidationError(complaint, hint: "Write \(joined.escapingControls) or 18:00.")
    }
    if let nearest = nearest(to: word, among: timeWords) {
      return ValidationError(complaint, hint: "Did you mean \(nearest)? \(forms).")
    }
    return ValidationError(complaint, hint: "\(forms).")
  }

  /// Whether a word in lower case has a place in some form.
  private static func isUnderstood(_ word: String) -> Bool {
    WrittenWhen(words: [word]) != nil || word == "ago" || WrittenDuration.Unit(word) != nil
      || WrittenDuration(words: [word]) != nil
  }
}

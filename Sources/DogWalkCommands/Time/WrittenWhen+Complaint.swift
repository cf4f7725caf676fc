import CommandLineKit
import DogWalkModel

extension WrittenWhen {
  /// The time words to which misspelled words are compared.
  static let timeWords =
    ["now", "today", "yesterday", "ago"] + Weekday.allCases.map(\.name)

  /// The hint with two forms for the start of a walk.
  static let startForms = "Write 18:00 or yesterday 7:30pm"

  /// Returns the error about words that are not a point in time.
  ///
  /// It names the first word that cannot be part of one.
  static func complaint(
    about words: TypedWords, forms: String = startForms, clock: WallClock
  ) -> ValidationError {
    if let slip = MistypedWord(vague: words.lowercased, clock: clock) { return slip.complaint }
    guard let index = words.lowercased.firstIndex(where: { !isUnderstood($0) }) else {
      let text = ValidationError.quoted(words.original.joined(separator: " "))
      return ValidationError("\(text) is not a time", hint: "\(forms).")
    }
    let complaint = "\(ValidationError.quoted(words.original[index])) cannot be read as a time"
    let word = words.lowercased[index]
    if let slip = MistypedWord(vague: Array(words.lowercased[index...]), clock: clock) {
      return slip.complaint
    }
    if isMonth(word) {
      return ValidationError(complaint, hint: "A date is written in figures: 2026-11-20.")
    }
    if let repaired = MistypedWord.repaired(word) {
      return ValidationError(complaint, hint: "Write \(repaired).")
    }
    if let nearest = nearest(to: word, among: timeWords) {
      return ValidationError(complaint, hint: "Did you mean \(nearest)? \(forms).")
    }
    return ValidationError(complaint, hint: "\(forms).")
  }

  /// Returns whether a word in lower case occurs in some form.
  private static func isUnderstood(_ word: String) -> Bool {
    WrittenWhen(words: [word]) != nil || ["ago", "last", "am", "pm", "at", "on"].contains(word)
      || WrittenDuration.Unit(word) != nil
      || WrittenDuration(words: [word]) != nil
  }
}

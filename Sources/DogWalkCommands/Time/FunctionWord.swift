import CommandLineKit

/// Prepositions and conjunctions among the words of `dogwalk add`: `for`, `at`, `with`, `and`,
/// `by`.
enum FunctionWord {
  /// All of these words.
  static let all = ["for", "at", "from", "on", "with", "by", "and", "&"]
  /// Those that precede a time rather than a name.
  static let wantTime = ["at", "from", "on"]

  /// Words that may follow `by` without being a name.
  static let nobody = [
    "foot", "car", "bike", "bicycle", "bus", "train", "me", "myself", "us", "accident", "the", "a",
    "an", "my", "our", "then", "now", "and", "with", "at", "by", "for", "from", "on",
  ]

  /// Returns whether a word after `by` can be a new walker's name without quotes.
  static func mayBeName(_ word: String) -> Bool {
    word.allSatisfy { $0.isLetter || "'’.-".contains($0) } && !nobody.contains(word.lowercased())
  }

  /// Returns the error about such a word without anything suitable after it.
  ///
  /// - Parameter rest: The words after it.
  static func complaint(_ word: String, before rest: TypedWords? = nil) -> ValidationError {
    let next = rest?.original.first.map { " before \(ValidationError.quoted($0))" } ?? ""
    let clock = rest?.lowercased.first.flatMap { word in
      WrittenDuration(words: [word])?.asClock
        ?? MistypedWord.repaired(word).flatMap { WrittenClock($0) == nil ? nil : $0 }
    }
    let hint =
      switch word {
      case "for": "Write how long after it, as in for 35m; else leave it out."
      case "at", "from":
        "Write a time after it, as in \(word) \(clock ?? "18:00"); where it was is a note: --note."
      case "on": "Write a day and a time after it, as in on monday 18:00."
      case "by": "Write who walked after it, as in by Ana."
      case "with": "Write who came along after it, as in with Rex; else leave it out."
      default: "Leave it out: a space between two words is enough."
      }
    return ValidationError(
      "\(ValidationError.quoted(word)) cannot be understood\(next)", hint: hint)
  }
}

import CommandLineKit

extension WrittenWhen {
  /// Throws for a date with the name of its month, `20 Nov` or `Nov20`, which is not supported.
  ///
  /// The name of a month without a number is accepted, since May may be a dog.
  ///
  /// - Parameter words: Words in lower case.
  /// - Throws: `ValidationError` with the supported form.
  static func refuseMonthNames(
    in words: some Sequence<String>
  ) throws(ValidationError) {
    var before: String?
    for word in words {
      if let before,
        isNumber(word) && isMonth(before) || isNumber(before) && isMonth(word)
      {
        throw complaint(about: before + " " + word)
      }
      if isMonthWithNumber(word) { throw complaint(about: word) }
      before = word
    }
  }

  private static func complaint(about text: String) -> ValidationError {
    ValidationError(
      "\(ValidationError.quoted(text)): a date is written in figures",
      hint: "Write 2026-11-20 18:00; for a dog with a month's name, --dog May.")
  }

  /// Returns whether a word has the form `nov20`, `20-nov` or `nov.20th`.
  private static func isMonthWithNumber(_ word: String) -> Bool {
    guard word.utf8.contains(where: WordScanner.isDigit) else { return false }
    var scanner = WordScanner(word)
    let isNumberFirst = scanner.digits() != nil
    if isNumberFirst { _ = scanner.take("-") || scanner.take(".") || scanner.take("/") }
    guard isMonth(String(scanner.letters())) else { return false }
    if isNumberFirst { return true }
    _ = scanner.take("-") || scanner.take(".") || scanner.take("/")
    return scanner.digits() != nil
  }

  /// Returns whether a word has the form `20`, `20.`, `20,` or `20th`.
  private static func isNumber(_ word: String) -> Bool {
    var scanner = WordScanner(word)
    guard scanner.digits() != nil else { return false }
    switch scanner.letters() {
    case "", "st", "nd", "rd", "th": break
    default: return false
    }
    return scanner.isAtEnd || (scanner.take(",") || scanner.take(".")) && scanner.isAtEnd
  }

  /// Returns whether a word in lower case is the name of a month.
  static func isMonth(_ word: String) -> Bool {
    let name = word.last == "," || word.last == "." ? String(word.dropLast()) : word
    if name == "sept" { return true }
    return months.contains { $0 == name || name.utf8.count == 3 && $0.hasPrefix(name) }
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
}

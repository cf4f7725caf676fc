import CommandLineKit

/// A date as typed, `2026-11-20`, which may be invalid.
struct WrittenDate: Hashable, Sendable {
  /// The typed text.
  let text: String
  private let year: WordScanner.Digits
  private let month: WordScanner.Digits
  private let day: WordScanner.Digits

  /// Reads three numbers separated by hyphens; `nil` for anything else.
  init?(_ word: some StringProtocol) {
    var scanner = WordScanner(word)
    guard let year = scanner.digits(), scanner.take("-"), let month = scanner.digits(),
      scanner.take("-"), let day = scanner.digits(), scanner.isAtEnd
    else { return nil }
    self.text = String(word)
    self.year = year
    self.month = month
    self.day = day
  }

  /// Returns the day.
  ///
  /// - Throws: `ValidationError` if it is invalid.
  func civilDate() throws(ValidationError) -> CivilDate {
    guard year.count == 4, month.count == 2, day.count == 2, year.value > 0 else {
      throw complaint("a date is four digits, two and two")
    }
    if let date = CivilDate(year: year.value, month: month.value, day: day.value) { return date }
    guard (1...12).contains(month.value) else {
      throw complaint("there is no month \(month.value)")
    }
    let name = "\(CivilDate.abbreviation(ofMonth: month.value)) \(year.value)"
    let length = CivilDate.days(inMonth: month.value, ofYear: year.value)
    throw complaint("\(name) has \(length) days")
  }

  private func complaint(_ reason: String) -> ValidationError {
    ValidationError(
      "\(ValidationError.quoted(text)) is not a date: \(reason)",
      hint: "Write 2026-11-20 or yesterday.")
  }
}

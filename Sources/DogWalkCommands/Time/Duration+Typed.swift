import CommandLineKit

extension Duration {
  /// Throws for a number without a unit if it could mean hours as well: `--gap 12`.
  static func refuseBareNumber(_ text: String, of option: Option) throws(ValidationError) {
    guard WrittenDuration(words: TypedWords(text).lowercased)?.isBareNumber == true else { return }
    let isZero = text.allSatisfy { $0 == "0" }
    throw ValidationError(
      "--\(option.name) \(text.escapingControls) has no unit",
      hint: isZero
        ? "Write a length, as in 8h."
        : "Write --\(option.name) \(text.escapingControls)h or "
          + "--\(option.name) \(text.escapingControls)m.")
  }

  /// Reads the value of `--duration`: `35m`, `35min`, `1h`, `1h15`, `1h 15m`, `75`, `90s`, `1:15`.
  ///
  ///     try Duration(typed: "1h15") == .seconds(4500)
  ///
  /// A number without a unit means minutes. Zero is allowed; callers refuse walks of no length.
  ///
  /// - Throws: `ValidationError` for anything else.
  init(typed text: String) throws(ValidationError) {
    let words = TypedWords(text)
    if let written = WrittenDuration(words: words.lowercased), written.isClockTime {
      self = .seconds(try written.seconds())
      return
    }
    if words.lowercased.count == 1, let clock = WrittenClock(words.lowercased[0]),
      clock.isHoursAndMinutes, let written = WrittenDuration(words: [clock.asDuration])
    {
      self = .seconds(try written.seconds())
      return
    }
    throw ValidationError(
      "\(ValidationError.quoted(text)) is not a duration", hint: "Write 35m or 1h15.")
  }
}

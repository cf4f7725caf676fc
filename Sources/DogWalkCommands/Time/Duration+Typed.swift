import CommandLineKit

extension Duration {
  /// Refuses a number without a unit where it could as well be hours: `--gap 12`.
  static func refuseBareNumber(_ text: String, of option: Option) throws(ValidationError) {
    guard WrittenDuration(words: TypedWords(text).lowercased)?.isBareNumber == true else { return }
    throw ValidationError(
      "--\(option.name) \(text.escapingControls) has no unit",
      hint: "Write --\(option.name) \(text.escapingControls)h or "
        + "--\(option.name) \(text.escapingControls)m.")
  }

  /// Reads the value of `--duration`: `35m`, `35min`, `1h`, `1h15`, `1h 15m`, `75`, `90s`, `1:15`.
  ///
  ///     try Duration(typed: "1h15") == .seconds(4500)
  ///
  /// A number alone counts minutes. Zero is read; a walk of no length is refused elsewhere.
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
      "\(ValidationError.quoted(text)) is no duration", hint: "Write 35m or 1h15.")
  }
}

import CommandLineKit

/// What is wrong with a word of `dogwalk add` that most likely was not meant as a dog's name.
///
///     WordSlip("tomorrow")?.complaint
///
/// A dog of that name needs `--dog`, or `--new` when it is made.
struct WordSlip {
  /// What to say about it.
  let complaint: ValidationError

  /// Judges a word; `nil` where it may be a name.
  init?(_ word: String) {
    let lowercased = word.lowercased()
    var scanner = WordScanner(word.drop { $0 == "+" })
    // Digits of other scripts too: they are no name either.
    let beginsWithNumber = scanner.digits() != nil || word.first?.isNumber == true
    if Command.dogwalk.specification.subcommand(named: lowercased) != nil {
      complaint = Self.complaint(
        word, "is a command", hint: "Write dogwalk \(lowercased); for a dog of that name,")
    } else if word.contains(","), !beginsWithNumber {
      let parts = word.split(separator: ",").joined(separator: " ").escapingControls
      complaint = ValidationError(
        "\(ValidationError.quoted(word)) has a comma in it",
        hint: "Write spaces between words\(parts.isEmpty ? "" : ": \(parts)").")
    } else if ["am", "pm"].contains(lowercased) {
      complaint = ValidationError(
        "\(ValidationError.quoted(word)) stands alone",
        hint: "Write it behind the hour, as in 7:30pm.")
    } else if let better = Self.better(lowercased) {
      complaint = ValidationError(
        "\(ValidationError.quoted(word)) is neither a time, a duration nor a dog there is",
        hint: better)
    } else if Self.mayBeNumber(word), (try? Distance(typed: word)) != nil {
      complaint = ValidationError(
        "\(ValidationError.quoted(word)) is a distance", hint: "Write --distance \(word).")
    } else if beginsWithNumber || Self.sentenceWords.contains(lowercased)
      || WrittenDuration.Unit(lowercased) != nil || !word.contains(where: Self.canBeNamed)
    {
      complaint = Self.complaint(
        word, "is neither a time, a duration nor a dog there is",
        hint: "Write 18:00 or 35m; for a dog of that name,")
    } else {
      return nil
    }
  }

  private static func complaint(
    _ text: String, _ reason: String, hint: String, name: String? = nil
  ) -> ValidationError {
    ValidationError(
      "\(ValidationError.quoted(text)) \(reason)",
      hint: "\(hint) --dog \((name ?? text).escapingControls).")
  }

  /// Whether a character makes a name of what stands beside it; a dash or an ellipsis does not.
  private static func canBeNamed(_ character: Character) -> Bool {
    !character.isASCII && !"–—…−".contains(character) || character.isLetter || character.isNumber
  }

  /// For `2 km` what to say; a dog may be called Miles, but not right behind a number.
  ///
  /// - Parameter number: The whole number in front of the word.
  init?(_ word: String, behind number: String) {
    let unit: String
    switch word.lowercased() {
    case "km", "kilometer", "kilometers", "kilometre", "kilometres": unit = "km"
    case "mi", "mile", "miles": unit = "mi"
    case "meter", "meters", "metre", "metres": unit = "m"
    default: return nil
    }
    complaint = Self.complaint(
      "\(number) \(word)", "could be a distance",
      hint: "Write --distance \(number)\(unit); for a dog of that name,", name: word)
  }

  /// Whether there may be a digit in a word, of whatever script: most names have none.
  private static func mayBeNumber(_ word: String) -> Bool {
    word.utf8.contains { $0 >= 0x80 || WordScanner.isDigit($0) }
  }

  // MARK: What was meant

  /// Words among those that are refused in which a slip is not to make a dog either.
  static let longWords = [
    "tomorrow", "tonight", "morning", "afternoon", "evening", "minute", "minutes", "hours",
  ]

  /// What to write for a word that is nearly a time or a duration.
  private static func better(_ word: String) -> String? {
    switch word {
    case "tomorrow", "tonight", "next": return "A walk is written down when it is over."
    case "last": return "A weekday is the last one past: mon 18:00."
    case "this", "morning", "afternoon", "evening", "night":
      return "Write what the clock showed, as in today 7:30."
    case "noon", "midday": return "Write 12:00."
    case "midnight": return "Write 0:00."
    case "half", "quarter": return "Write 30m or 1h30, and a time as 18:30."
    case "a", "an": return "Leave it out, or write a number, as in 1h or 1 week ago."
    case "day", "days", "week", "weeks":
      return "Write a day as 2 days ago, mon 18:00 or 2026-11-20."
    case "at", "for", "and", "with", "on", "the", "walk", "walked", "was":
      return "Leave it out, as in dogwalk add Fido Rex 35m yesterday 18:00."
    default: break
    }
    guard mayBeNumber(word) else { return nil }
    if let clock = clock(word) { return "Write \(clock)." }
    if let date = date(word) { return date }
    if word.first == "+", word.dropFirst().first?.isNumber == true {
      return "Write an offset without a space before it, as in 2026-11-20T18:00"
        + "\(word.escapingControls)."
    }
    if let span = span(word) { return span }
    return duration(word).map { "Write \($0)." }
  }

  /// For `7:30-8:00` the start and the length.
  ///
  /// - Parameter day: the word for the day that is written with it.
  static func span(_ word: String, on day: String? = nil) -> String? {
    let ends = word.split(whereSeparator: { $0 == "-" || $0 == "–" }).map(String.init)
    guard ends.count == 2 else { return nil }
    return hint(from: ends[0], to: ends[1], on: day)
  }

  /// What to write for a walk from one clock time to another; `nil` where one of them is none.
  static func hint(from start: String, to end: String, on dayWord: String? = nil) -> String? {
    guard let first = WrittenClock(start), let last = WrittenClock(end),
      let from = try? first.time(), let to = try? last.time()
    else { return nil }
    let day = 24 * 60
    let minutes = (to.hour * 60 + to.minute - from.hour * 60 - from.minute + day) % day
    let moment = dayWord.map { "\($0) \(start)" } ?? start
    return "Say when it began and how long it was: \(moment) \(minutes)m."
  }

  /// For `18:30h`, `18.30` and `6.30pm` the time.
  private static func clock(_ word: String) -> String? {
    var text = word
    if let dot = text.firstIndex(of: ".") { text.replaceSubrange(dot...dot, with: ":") }
    let letters = text.reversed().prefix { $0.isASCII && $0.isLetter }
    return [text, String(text.dropLast(letters.count))].first {
      (try? WrittenClock($0)?.time()) != nil
    }
  }

  /// For `20.11.2026` and `11/20` how a day is written; nil for other words.
  private static func date(_ word: String) -> String? {
    let parts = word.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "/" }
    guard parts.count > 1, let last = parts.last,
      parts.dropLast().allSatisfy({ WordScanner.isNumber($0) }),
      WordScanner.isNumber(last) || last.isEmpty
    else { return nil }
    if parts.count == 2, !word.contains("/"), last.utf8.count == 1 {
      return "Write 1h30 for 1.5 h, and a day as 2026-11-20."
    }
    return "Write a day as 2026-11-20, or yesterday."
  }

  /// For `1.5h` and `1,5h` the hours and minutes: `1h30`.
  private static func duration(_ word: String) -> String? {
    var scanner = WordScanner(word)
    guard let whole = scanner.digits(), whole.value < 100,
      scanner.take(".") || scanner.take(","),
      let part = scanner.digits(), part.count <= 3
    else { return nil }
    let unit = WrittenDuration.Unit(String(scanner.letters()))
    guard let unit, scanner.isAtEnd, unit == .hours || unit == .minutes else { return nil }
    var divisor = 1
    for _ in 0..<part.count { divisor *= 10 }
    let sixtieths = part.value * 60 / divisor
    if unit == .minutes { return "\(whole.value * 60 + sixtieths)s" }
    if whole.value == 0 { return "\(sixtieths)m" }
    return "\(whole.value)h\(sixtieths.padded(to: 2))"
  }

  /// Words that people write around times and names; none of them is a time or a name itself.
  private static let sentenceWords = [
    "a", "about", "after", "afternoon", "ago", "am", "an", "and", "around", "at", "before", "by",
    "during", "earlier", "evening", "for", "from", "half", "in", "just", "last", "later", "midday",
    "midnight", "mond", "morning", "my", "next", "night", "noon", "of", "on", "our", "park", "past",
    "pm", "quarter", "since", "the", "this", "till", "to", "tomorrow", "tonight", "until", "walk",
    "walked", "was", "went", "with", "yest", "yesterday's",
  ]
}

@available(*, unavailable)
extension WordSlip: Sendable {}

import CommandLineKit

/// Takes the words of `dogwalk add` one match at a time, and remembers what was there already.
struct WalkWordReader {
  /// The dogs read so far.
  private(set) var dogs: [String] = []
  /// The duration, once read.
  private(set) var duration: Duration?
  /// The start, once read.
  private(set) var start: Moment?

  private let isNew: Bool
  private let known: KnownDogs
  private let clock: WallClock
  private var startText = ""

  /// A reader that has read nothing.
  init(isNew: Bool, known: KnownDogs, clock: WallClock) {
    self.isNew = isNew
    self.known = known
    self.clock = clock
  }

  /// Reads the longest beginning of the words that means something, and says how long it is.
  mutating func readLongest(_ words: TypedWords) throws -> Int {
    let longest = min(words.lowercased.count, WrittenWhen.greatestWordCount)
    for count in stride(from: longest, through: 1, by: -1) {
      let beginning = words.lowercased[..<count]
      if let written = WrittenWhen(words: beginning) {
        try take(written, typed: TypedWords.text(of: words.original[..<count]))
        return count
      }
      if let written = WrittenDuration(words: beginning), written.isClockTime {
        if count == 1, written.isBareNumber, try written.seconds() > Self.greatestBareSeconds {
          try takeLongNumber(words.original[0])
        } else {
          try take(written, typed: TypedWords.text(of: words.original[..<count]))
        }
        return count
      }
    }
    try takeDog(words.original[0])
    return 1
  }

  /// Reads one operand with white space in it: a time, a duration or a dog there is.
  mutating func readQuoted(_ operand: String) throws {
    let words = TypedWords(operand)
    try words.original.first.map(Self.refuseNegative)
    if let written = WrittenWhen(words: words.lowercased[...]) {
      try take(written, typed: operand)
    } else if let written = WrittenDuration(words: words.lowercased), written.isClockTime {
      try take(written, typed: operand)
    } else if try known.contains(operand) {
      dogs.append(operand)
    } else {
      try WrittenWhen.refuseMonthNames(in: words.lowercased)
      throw Self.complaint(aboutQuoted: words, operand)
    }
  }

  private static func complaint(
    aboutQuoted words: TypedWords, _ operand: String
  ) -> ValidationError {
    if let first = words.lowercased.first, WrittenWhen(words: [first]) != nil {
      // It begins like a time: say which word of it cannot be read.
      return WrittenWhen.complaint(about: words)
    }
    return ValidationError(
      "\(ValidationError.quoted(operand)) is neither a time, a duration nor a dog there is",
      hint: "A new dog with a space in its name needs --dog.")
  }

  private static let greatestBareSeconds = WalkWords.greatestBareNumber * 60

  private mutating func take(_ written: WrittenWhen, typed text: String) throws(ValidationError) {
    guard start == nil else {
      // Of `7:30 1:15` the second was meant as a duration.
      let hint = written.bareClock.map { "A duration is written \($0.asDuration)." }
      throw ValidationError(
        "\(ValidationError.quoted(text)) is a second time beside "
          + ValidationError.quoted(startText),
        hint: hint ?? "Write one time, the day before the clock: yesterday 18:00.")
    }
    start = try written.when(clock: clock).start(typed: text)
    startText = text
  }

  private mutating func take(
    _ written: WrittenDuration, typed text: String
  ) throws(ValidationError) {
    let seconds = try written.seconds()
    guard duration == nil else {
      throw ValidationError(
        "\(ValidationError.quoted(text)) is a second duration", hint: "Write one, as in 1h15.")
    }
    duration = .seconds(seconds)
  }

  /// A number too great for minutes without a unit: a dog there is, or a slip.
  private mutating func takeLongNumber(_ text: String) throws {
    if try isNew || known.contains(text) {
      dogs.append(text)
      return
    }
    throw ValidationError(
      "\(ValidationError.quoted(text)) is too great for minutes without a unit",
      hint: "Write \(text)m, or --dog \(text) for a dog of that name.")
  }

  private mutating func takeDog(_ name: String) throws {
    try Self.refuseNegative(name)
    if try !isNew && isSuspicious(name) && !known.contains(name) {
      throw complaint(about: name)
    }
    try known.refuseSlip(in: name, isNew: isNew)
    dogs.append(name)
  }

  /// Refuses `-5m`, which is no name even with `--new`.
  private static func refuseNegative(_ word: String) throws(ValidationError) {
    guard word.first == "-" || word.first == "\u{2212}" else { return }
    var scanner = WordScanner(word.dropFirst())
    guard scanner.digits() != nil else { return }
    throw ValidationError(
      "\(ValidationError.quoted(word)): a length or a number cannot be negative",
      hint: "Leave the minus sign out.")
  }

  /// Whether a word looks like a part of a time, a duration or a sentence rather than a name.
  private func isSuspicious(_ name: String) -> Bool {
    var scanner = WordScanner(name.drop { $0 == "+" })
    return scanner.digits() != nil || Self.sentenceWords.contains(name.lowercased())
      || WrittenDuration.Unit(name.lowercased()) != nil
  }

  /// Words that people write around times and names; none of them is a time or a name itself.
  private static let sentenceWords = [
    "ago", "am", "pm", "at", "on", "for", "and", "with", "last", "next", "tomorrow", "noon",
    "midnight", "tonight", "half", "quarter", "past",
  ]

  private func complaint(about name: String) -> ValidationError {
    if ["am", "pm"].contains(name.lowercased()) {
      return ValidationError(
        "\(ValidationError.quoted(name)) stands alone",
        hint: "Write it behind the hour, as in 7:30pm.")
    }
    if (try? Distance(typed: name)) != nil {
      return ValidationError(
        "\(ValidationError.quoted(name)) is a distance", hint: "Write --distance \(name).")
    }
    return ValidationError(
      "\(ValidationError.quoted(name)) is neither a time, a duration nor a dog there is",
      hint: "Write 18:00 or 35m; for a dog of that name, --dog \(name.escapingControls).")
  }
}

@available(*, unavailable)
extension WalkWordReader: Sendable {}

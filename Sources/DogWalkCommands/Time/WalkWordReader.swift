import CommandLineKit

/// Takes the words of `dogwalk add` one match at a time, and remembers what was there already.
struct WalkWordReader {
  /// The dogs read so far.
  private(set) var dogs: [String] = []
  /// The duration, once read.
  private(set) var duration: Duration?
  /// The start, once read.
  private(set) var start: Moment?
  /// The duration as typed, where it was a number without a unit.
  private(set) var bareNumber: String?

  private let isNew: Bool
  private let known: KnownDogs
  private let clock: WallClock
  private var startText = ""
  /// The number without a unit that stands in front of the next word.
  private var numberBefore: String?

  /// A reader that has read nothing.
  init(isNew: Bool, known: KnownDogs, clock: WallClock) {
    self.isNew = isNew
    self.known = known
    self.clock = clock
  }

  /// Reads the longest beginning of the words that means something, and says how long it is.
  mutating func readLongest(_ words: TypedWords) throws -> Int {
    let number = numberBefore
    numberBefore = nil
    let longest = min(words.lowercased.count, WrittenWhen.greatestWordCount)
    for count in stride(from: longest, through: 1, by: -1) {
      let beginning = words.lowercased[..<count]
      if let written = WrittenWhen(words: beginning) {
        try take(written, typed: TypedWords.text(of: words.original[..<count]))
        return count
      }
      if let written = WrittenDuration(words: beginning), written.isClockTime {
        if count == 1, written.isBareNumber, try Self.isLong(words.original[0], written) {
          try takeLongNumber(words.original[0])
        } else {
          try take(written, typed: TypedWords.text(of: words.original[..<count]))
          if written.isBareNumber {
            bareNumber = words.original[0]
            numberBefore = bareNumber
          }
        }
        return count
      }
    }
    try takeDog(words.original[0], behind: number)
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

  /// Whether a bare number is too great for minutes, or written as `0130`, like a time.
  private static func isLong(
    _ text: String, _ written: WrittenDuration
  ) throws(ValidationError) -> Bool {
    try written.seconds() > WalkWords.greatestBareNumber * 60
      || text.utf8.count == 4 && text.hasPrefix("0")
  }

  private mutating func take(_ written: WrittenWhen, typed text: String) throws(ValidationError) {
    if let first = start {
      // Of `7:30 1:15` the second was meant as a duration, of `13:00 13:40` as the end.
      let end = written.bareClock.flatMap { $0.isLater(than: first) ? $0 : nil }
      let before = startText.split(separator: " ").map(String.init)
      let day = before.count > 1 ? before.first : nil
      let hint =
        end.flatMap { WordSlip.hint(from: before.last ?? "", to: $0.text, on: day) }
        ?? written.bareClock.map { "A duration is written \($0.asDuration)." }
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
        "\(ValidationError.quoted(text)) is a second duration",
        hint: written.asClock.map { "A time is written \($0)." } ?? "Write one, as in 1h15.")
    }
    duration = .seconds(seconds)
  }

  /// A number too great for minutes without a unit: a dog there is, or a slip.
  private mutating func takeLongNumber(_ text: String) throws {
    if try isNew || known.contains(text) {
      dogs.append(text)
      return
    }
    let clock = "\(text.prefix(2)):\(text.suffix(2))"
    if text.count == 4, (try? WrittenClock(clock)?.time()) != nil {
      throw ValidationError(
        "\(ValidationError.quoted(text)) could be a time",
        hint: "Write \(clock), or \(text.drop { $0 == "0" })m.")
    }
    throw ValidationError(
      "\(ValidationError.quoted(text)) is too great for minutes without a unit",
      hint: "Write \(text)m, or --dog \(text) for a dog of that name.")
  }

  private mutating func takeDog(_ name: String, behind number: String?) throws {
    try Self.refuseNegative(name)
    if !isNew,
      let slip = number.flatMap({ WordSlip(name, behind: $0) }) ?? WordSlip(name),
      try !known.contains(name)
    {
      throw slip.complaint
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
}

@available(*, unavailable)
extension WalkWordReader: Sendable {}

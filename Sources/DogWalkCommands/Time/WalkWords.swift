import CommandLineKit

/// The words of `dogwalk add`, sorted: dogs' names, one duration, one start.
///
///     let words = try WalkWords(
///       ["Fido", "1h", "15m", "yesterday", "18:00"], dogs: dogs, clock: clock)
///     words.dogs       // ["Fido"]
///     words.duration   // 75 minutes
///     words.start      // yesterday's 18:00
///
/// Words are read longest match first, in any order: `3 days ago` is one time, `1h 15m` one
/// duration, `H:MM` always a time, a whole number up to 360 minutes. What is left are dogs.
struct WalkWords: Hashable, Sendable {
  /// The dogs' names as typed, in order.
  private(set) var dogs: [String] = []
  /// How long the walk was.
  private(set) var duration: Duration?
  /// When it began.
  private(set) var start: Moment?
  /// The duration as typed, where it was a number without a unit.
  private(set) var bareNumber: String?

  /// The greatest number that counts minutes without a unit.
  static let greatestBareNumber = 360

  /// Sorts operands.
  ///
  /// - Parameters:
  ///   - operands: The words, and texts with spaces in them where they were quoted.
  ///   - isNew: Whether `--new` insists that an odd word is a new dog's name.
  ///   - dogs: The dogs there are.
  ///   - clock: What "today" and "yesterday" mean.
  /// - Throws: `ValidationError`, and what looking up the dogs throws.
  init(_ operands: [String], isNew: Bool = false, dogs known: KnownDogs, clock: WallClock) throws {
    guard !operands.contains("") else {
      // An unset variable of a script, most likely.
      throw ValidationError("one word is empty", hint: "Write dogwalk add Fido.")
    }
    // Before "20" is taken for minutes and "Nov" for a dog.
    try WrittenWhen.refuseMonthNames(in: operands.map { $0.lowercased() })
    try Self.refuseSpan(in: operands)
    var reader = WalkWordReader(isNew: isNew, known: known, clock: clock)
    var rest = operands[...]
    while let operand = rest.first {
      guard !operand.hasWhitespace else {
        try reader.readQuoted(operand)
        rest.removeFirst()
        continue
      }
      let words = TypedWords(words: Array(rest.prefix { !$0.hasWhitespace }))
      rest.removeFirst(try reader.readLongest(words))
    }
    self.dogs = reader.dogs
    self.duration = reader.duration
    self.start = reader.start
    self.bareNumber = reader.bareNumber
  }

  /// Refuses `7:30 - 8:00` and `7:30 to 8:00`: a walk has a start and a length.
  private static func refuseSpan(in operands: [String]) throws(ValidationError) {
    for (index, word) in operands.enumerated() {
      switch word.lowercased() {
      case "-", "–", "to", "till", "until": break
      default: continue
      }
      guard index > 0, index + 1 < operands.count else { continue }
      let (start, end) = (operands[index - 1].lowercased(), operands[index + 1].lowercased())
      // The day stands before the start, or behind the end.
      let around = operands[..<(index - 1)].suffix(1) + operands[(index + 2)...].prefix(1)
      let dayWord = around.map { $0.lowercased() }.first { WrittenDay($0) != nil }
      guard let hint = WordSlip.hint(from: start, to: end, on: dayWord) else { continue }
      throw ValidationError(
        "\(ValidationError.quoted(start + " " + word + " " + end)): no end is written", hint: hint)
    }
  }

  /// Whether a name would be read as a time or a duration among the words, as `Mon` is.
  ///
  /// Such a dog needs `--dog`, and whoever makes it is told so.
  static func hides(_ name: String) -> Bool {
    isTime(name) || WrittenDuration(words: TypedWords(name).lowercased)?.isClockTime == true
  }

  /// Whether a name would be read as a point in time, as `Mon` is and `35m` is not.
  static func isTime(_ name: String) -> Bool {
    WrittenWhen(words: TypedWords(name).lowercased[...]) != nil
  }
}

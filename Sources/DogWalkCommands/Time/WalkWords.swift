import CommandLineKit

/// The words of `dogwalk add`, sorted: dogs' names, one duration, one start and what else they say.
///
///     let words = try WalkWords(
///       ["Fido", "1h", "15m", "yesterday", "18:00"], names: names, clock: clock)
///     words.dogs       // ["Fido"]
///     words.duration   // 75 minutes
///     words.start      // yesterday's 18:00
///
/// Words are read longest match first, in any order: `3 days ago` is one time, `1h 15m` one
/// duration, `18:00-18:40` both, `H:MM` always a time, a whole number up to 360 minutes. What is
/// left are dogs, and those have to be there.
struct WalkWords: Hashable, Sendable {
  /// What is known beside the words.
  struct Context: Hashable, Sendable {
    /// Whether `--new` insists that an odd word is a new name.
    var isNew = false
    /// Whether the walk may be given a length: not where it begins or ends just now.
    var takesLength = true
    /// Whether a bare number counts minutes: not where it is the number of a walk.
    var takesBareNumbers = true
    /// Whether a time without a day belongs to the walk's own day, which is not known yet.
    var keepsDay = false
    /// Whether an option says how long it was.
    var hasLength = false
    /// Whether an option says when it began.
    var hasTime = false
    /// Whether an option says how far it was.
    var hasDistance = false

    /// A command without options.
    init() {}
  }

  /// The dogs' names, in order: as they are kept, or as typed where a dog is new.
  private(set) var dogs: [String] = []
  /// How long the walk was.
  private(set) var duration: Duration?
  /// When it began.
  private(set) var start: Moment?
  /// A start, or a start and an end, on the walk's own day: `18:00`, `18:00-18:40`.
  private(set) var timesAlone: WrittenTimes?
  /// How far it was.
  private(set) var distance: Distance?
  /// Who walked, by the word behind `by` or `with`.
  private(set) var walker: String?

  /// The greatest number that counts minutes without a unit.
  static let greatestBareNumber = 360

  /// Sorts operands.
  ///
  /// - Parameters:
  ///   - operands: The words, and texts with spaces in them where they were quoted.
  ///   - names: The dogs and the walkers there are.
  ///   - clock: What "today" and "yesterday" mean.
  ///   - context: What the options say.
  /// - Throws: `ValidationError`, and what looking up the names throws.
  init(
    _ operands: [String], names: KnownNames, clock: WallClock, context: Context = Context()
  ) throws {
    guard !operands.contains("") else {
      // An unset variable of a script, most likely.
      throw ValidationError("one word is empty", hint: "Leave it out, or write what it should be.")
    }
    // Before "20" is taken for minutes and "Nov" for a dog.
    try WrittenWhen.refuseMonthNames(in: operands.map { $0.lowercased() })
    var reader = WalkWordReader(names: names, clock: clock, context: context)
    var rest = operands[...]
    while let operand = rest.first {
      guard !operand.hasWhitespace else {
        try reader.readQuoted(operand)
        rest.removeFirst()
        continue
      }
      let words = TypedWords(words: Array(rest.prefix { !$0.hasWhitespace }))
      let next = rest.dropFirst(words.original.count).first
      rest.removeFirst(try reader.readLongest(words, before: next))
    }
    try reader.finish()
    dogs = reader.dogs
    duration = reader.lengths.duration
    distance = reader.lengths.distance
    start = reader.start
    timesAlone = reader.timesAlone
    walker = reader.walker
  }

  /// Whether a name would be read as a time or a duration among the words, as `Mon` is.
  ///
  /// Such a dog needs `--dog`, and whoever makes it is told so.
  static func hides(_ name: String) -> Bool {
    let words = TypedWords(name).lowercased
    return isTime(name) || WrittenDuration(words: words)?.isClockTime == true
      || Distance(words: words[...]) != nil || WrittenSpan(words: words[...]) != nil
  }

  /// Whether a name would be read as a point in time, as `Mon` is and `35m` is not.
  static func isTime(_ name: String) -> Bool {
    WrittenWhen(words: TypedWords(name).lowercased[...]) != nil
  }
}

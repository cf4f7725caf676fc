import CommandLineKit

/// The parsed words of `dogwalk add`: dogs, a duration, a start, a distance and a walker.
///
///     let words = try WalkWords(
///       ["Fido", "1h", "15m", "yesterday", "18:00"], names: names, clock: clock)
///     words.dogs       // ["Fido"]
///     words.duration   // 75 minutes
///     words.start      // yesterday's 18:00
///
/// The longest match is read first, and the order is free: `3 days ago` is one time, `1h 15m` one
/// duration, `18:00-18:40` both, `H:MM` always a time, a whole number up to 360 minutes. All other
/// words are dogs, which have to exist.
struct WalkWords: Hashable, Sendable {
  /// The context in which words are read.
  struct Context: Hashable, Sendable {
    /// Whether `--new` accepts an unusual word as a new name.
    var isNew = false
    /// Whether the walk may be given a length; false if it begins or ends now.
    var takesLength = true
    /// Whether a number without a unit means minutes; false if it is the number of a walk.
    var takesBareNumbers = true
    /// Whether a time without a day refers to the walk's own day, which is not yet known.
    var keepsDay = false
    /// Whether an option gives the duration.
    var hasLength = false
    /// Whether an option gives the start.
    var hasTime = false
    /// Whether an option gives the distance.
    var hasDistance = false

    /// Creates the context of a command without options.
    init() {}
  }

  /// The dogs' names in order, as stored, or as typed for new dogs.
  private(set) var dogs: [String] = []
  /// The duration.
  private(set) var duration: Duration?
  /// The start.
  private(set) var start: Moment?
  /// A start, or a start and an end, on the walk's own day: `18:00`, `18:00-18:40`.
  private(set) var timesAlone: WrittenTimes?
  /// The distance.
  private(set) var distance: Distance?
  /// The walker, from the words after `by` or `with`.
  private(set) var walker: String?

  /// The greatest number without a unit that means minutes.
  static let greatestBareNumber = 360

  /// Parses operands.
  ///
  /// - Parameters:
  ///   - operands: The words, and quoted texts with spaces in them.
  ///   - names: The existing dogs and walkers.
  ///   - clock: The clock that defines "today" and "yesterday".
  ///   - context: What the options give.
  /// - Throws: `ValidationError`, and any error of looking up the names.
  init(
    _ operands: [String], names: KnownNames, clock: WallClock, context: Context = Context()
  ) throws {
    guard !operands.contains("") else {
      // Most likely an unset variable of a script.
      throw ValidationError("one word is empty", hint: "Leave it out, or write what it should be.")
    }
    // Otherwise "20" would mean minutes and "Nov" a dog.
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

  /// Returns whether a name would be read as a time, a duration or a distance, as `Mon` is.
  ///
  /// Such a dog needs `--dog`, and a note says so when it is added.
  static func hides(_ name: String) -> Bool {
    let words = TypedWords(name).lowercased
    return isTime(name) || WrittenDuration(words: words)?.isClockTime == true
      || Distance(words: words[...]) != nil || WrittenSpan(words: words[...]) != nil
  }

  /// Returns what else a name means among the words: `a time` for `Mon`; nil for most names.
  static func otherMeaning(of name: String) -> String? {
    let word = name.lowercased()
    if isTime(name) { return "a time" }
    if Distance(words: TypedWords(name).lowercased[...]) != nil { return "a distance" }
    if hides(name) { return "a duration" }
    if FunctionWord.all.contains(word) { return "a word between others" }
    if WrittenDuration.Unit(word) != nil { return "a unit of time" }
    return ["am", "pm"].contains(word) ? "a half of the day" : nil
  }

  /// Returns whether a name would be read as a point in time, as `Mon` is and `35m` is not.
  static func isTime(_ name: String) -> Bool {
    WrittenWhen(words: TypedWords(name).lowercased[...]) != nil
  }
}

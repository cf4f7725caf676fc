import CommandLineKit

/// Reads the words of `dogwalk add` one match at a time, and keeps the values read so far.
struct WalkWordReader {
  /// The dogs read so far.
  private(set) var dogs: [String] = []
  /// The duration and distance read so far.
  var lengths = WalkLengths()
  /// The start, once read.
  private(set) var start: Moment?
  /// Times without a day, if `keepsDay` is set.
  private(set) var timesAlone: WrittenTimes?
  /// The walker, once read.
  var walker: String?

  let names: KnownNames
  private let clock: WallClock
  let context: WalkWords.Context
  private var startText = ""
  /// A preposition or conjunction that is still to be followed by a word.
  var pending: String?
  /// Whether no word has been read yet.
  private(set) var isFirst = true

  /// Creates a reader without any values.
  init(names: KnownNames, clock: WallClock, context: WalkWords.Context) {
    self.names = names
    self.clock = clock
    self.context = context
  }

  // MARK: Words

  /// Reads the longest prefix of the words that has a meaning, and returns its number of words.
  ///
  /// - Parameter quoted: The operand with white space after the words, which is used if it is a
  ///   walker's name.
  mutating func readLongest(_ words: TypedWords, before quoted: String?) throws -> Int {
    defer { isFirst = false }
    if FunctionWord.all.contains(words.lowercased[0]) {
      try names.refuseLittleWord(inNote: words.original[0])
    }
    if let count = try readMeaning(words) {
      pending = nil
      return count
    }
    if let count = try readLittleWord(words, before: quoted) { return count }
    if let pending, FunctionWord.wantTime.contains(pending) {
      throw FunctionWord.complaint(pending)
    }
    if let slip = MistypedWord(phrase: words.lowercased), try names.dog(words.original[0]) == nil {
      throw slip.complaint
    }
    try takeDog(words.original[0])
    pending = nil
    return 1
  }

  /// Reads a start and an end, a time, a duration or a distance.
  private mutating func readMeaning(_ words: TypedWords) throws -> Int? {
    if let slip = MistypedWord(vague: words.lowercased, clock: clock) { throw slip.complaint }
    if let slip = MistypedWord(unit: words.lowercased) ?? MistypedWord(loose: words.lowercased),
      try names.dog(words.original[1]) == nil
    {
      throw slip.complaint
    }
    if context.takesLength, let slip = MistypedWord(range: words, clock: clock),
      // A dog may be called Till.
      try !words.lowercased.contains(where: {
        try LooseRange.separators.contains($0) && names.dog($0) != nil
      })
    {
      throw slip.complaint
    }
    let longest = min(words.lowercased.count, WrittenSpan.greatestWordCount)
    for count in stride(from: longest, through: 1, by: -1) {
      let beginning = words.lowercased[..<count]
      let typed = TypedWords.text(of: words.original[..<count])
      if let span = WrittenSpan(words: beginning) {
        try take(span, typed: typed)
        return count
      }
      if let written = WrittenWhen(words: beginning) {
        try refuseLengthBeforeAgo(beginning)
        if written.isDay, let slip = MistypedWord(looseTimeIn: words, after: count) {
          throw slip.complaint
        }
        try take(written, typed: typed)
        return count
      }
      if let written = WrittenDuration(words: beginning), written.isClockTime,
        // In `1h 800m` only the hour, and likewise in `1h 2 km`, where the number has its own unit.
        count == 1 || (try? written.seconds()) != nil && !Self.beginsMeaning(words, at: count - 1)
      {
        try refuseNumber(endingIn: written, words.original[..<count])
        try take(written, words.original[..<count])
        return count
      }
      if let distance = Distance(words: beginning) {
        try refuseDogBehindNumber(words.original[..<count])
        try lengths.take(distance, typed: typed)
        return count
      }
    }
    return nil
  }

  /// Returns whether a word is a number that belongs to the words after it.
  ///
  /// Examples are the 2 of `1h 2 km` and the 8 of `1 hour 8 am`.
  private static func beginsMeaning(_ words: TypedWords, at index: Int) -> Bool {
    guard WordScanner.isNumber(words.lowercased[index][...]) else { return false }
    let rest = words.lowercased[index...].prefix(WrittenSpan.greatestWordCount)
    return rest.count > 1
      && (2...rest.count).contains { count in
        let beginning = rest.prefix(count)
        return WrittenWhen(words: beginning) != nil || WrittenDuration(words: beginning) != nil
          || Distance(words: beginning) != nil || WrittenSpan(words: beginning) != nil
      }
  }

  /// Reads an operand with white space in it: a time, a duration, a distance or an existing dog.
  mutating func readQuoted(_ operand: String) throws {
    defer { isFirst = false }
    let words = TypedWords(operand)
    try words.original.first.map(Self.refuseNegative)
    if try takeName(operand) {
      pending = nil
    } else if let count = try readWhole(words, operand), count == words.original.count {
      pending = nil
    } else {
      try WrittenWhen.refuseMonthNames(in: words.lowercased)
      throw try complaint(aboutQuoted: words, operand)
    }
  }

  private mutating func readWhole(_ words: TypedWords, _ operand: String) throws -> Int? {
    let all = words.lowercased[...]
    if let span = WrittenSpan(words: all) {
      try take(span, typed: operand)
    } else if let written = WrittenWhen(words: all) {
      try take(written, typed: operand)
    } else if let written = WrittenDuration(words: all), written.isClockTime {
      try lengths.take(written)
    } else if let distance = Distance(words: all) {
      try lengths.take(distance, typed: operand)
    } else {
      return nil
    }
    return all.count
  }

  private func complaint(
    aboutQuoted words: TypedWords, _ operand: String
  ) throws -> ValidationError {
    if context.takesLength, let slip = MistypedWord(range: words, clock: clock) {
      return slip.complaint
    }
    if let first = words.lowercased.first, WrittenWhen(words: [first]) != nil {
      // It begins like a time, so the error names the word that cannot be read.
      return WrittenWhen.complaint(about: words, clock: clock)
    }
    let others = try words.original.filter { try names.dog($0) == nil }
    // `Luna Lou` is not Luna, but most likely the name of a new dog.
    let isName = others.allSatisfy { $0.allSatisfy(\.isLetter) && !isRead($0.lowercased()) }
    if others.count < words.original.count, others.isEmpty || !isName {
      return ValidationError(
        "\(ValidationError.quoted(operand)) is read as one word",
        hint: "Leave the quotes out: \(words.original.shellOperands)")
    }
    return ValidationError(
      "\(ValidationError.quoted(operand)) is neither a time, a duration nor a known dog",
      hint: names.makesNew
        ? "A new dog with a space in its name needs --dog." : "Write 40m or 18:00.")
  }

  /// Returns whether a word belongs to times, lengths or the prepositions between them.
  private func isRead(_ word: String) -> Bool {
    WrittenWhen.timeWords.contains(word) || MistypedWord.longWords.contains(word)
      || WrittenWhen(words: [word]) != nil || WrittenDuration(words: [word]) != nil
      || FunctionWord.all.contains(word) || ["to", "till", "a", "an"].contains(word)
  }

  // MARK: Times

  private mutating func take(_ span: WrittenSpan, typed text: String) throws {
    guard context.takesLength else {
      throw ValidationError(
        "\(ValidationError.quoted(text)) has a start and an end, and one time is wanted",
        hint: "Write one. A walk that is over is written down with \(names.call) add.")
    }
    try refuseSecondTime(text, nil)
    startText = text
    if context.keepsDay, let times = try span.timesAlone(), let length = times.length {
      timesAlone = times
      lengths.take(seconds: length, between: text)
      return
    }
    let (begin, seconds) = try span.times(clock: clock)
    start = begin
    lengths.take(seconds: seconds, between: text)
  }

  private mutating func take(_ written: WrittenWhen, typed text: String) throws {
    try refuseSecondTime(text, written)
    startText = text
    if context.keepsDay, let clock = written.clockAlone {
      timesAlone = try WrittenTimes(start: clock)
    } else if context.keepsDay, written.isDaysAgo {
      throw When.complaint(aboutDay: text, clock: clock)
    } else if written.isDay, let dog = try names.dog(text) {
      throw When.complaint(aboutDay: text, orDog: dog, clock: clock)
    } else {
      start = try written.when(clock: clock).start(typed: text, clock: clock)
    }
  }

  /// The time of day of the start, once read.
  private var startTime: ClockTime? { start?.time ?? timesAlone?.startTime }

  private func refuseSecondTime(
    _ text: String, _ written: WrittenWhen?
  ) throws(ValidationError) {
    guard let first = startTime else { return }
    throw ValidationError(
      "\(ValidationError.quoted(text)) is a second time beside "
        + ValidationError.quoted(startText),
      hint: hint(aboutSecondTime: text, written, after: first))
  }

  /// Returns the hint about a second time.
  ///
  /// - Parameter written: The time; `nil` for a start and an end.
  private func hint(
    aboutSecondTime text: String, _ written: WrittenWhen?, after first: ClockTime
  ) -> String {
    let begun = TypedWords(startText).lowercased[...]
    guard let written, WrittenSpan(words: begun) == nil else {
      return "A walk has one start and one end: leave the other time out, or write two walks."
    }
    // In `7:30 1:15` the second one was meant as a duration, in `13:00 13:40` as the end, and in
    // `2 days ago Fido 7:30` as the time of that day.
    if let clock = written.clockAlone {
      if WrittenWhen(words: begun)?.isDaysAgo == true {
        return "A day and its time stand together: "
          + "\(startText.escapingControls) \(text.escapingControls)."
      }
      if clock.isLater(than: first) {
        let start = WrittenClock.joiningHalves(in: startText).escapingControls
        let end = WrittenClock.joiningHalves(in: text).escapingControls
        return "A start and an end are written \(start)-\(end)."
      }
    }
    return written.bareClock.map { "A duration is written \($0.asDuration)." }
      ?? "Write one time, as in yesterday 18:00."
  }

  /// Throws for `2h 30m ago`, which is either a length and a time, or one time.
  private func refuseLengthBeforeAgo(_ words: ArraySlice<String>) throws(ValidationError) {
    guard words.last == "ago", context.takesLength, !context.hasLength, lengths.isEmpty else {
      return
    }
    for split in words.indices.dropFirst().dropLast() {
      let (length, time) = (words[..<split], words[split...])
      guard length.last != "and", time.first != "and",
        let duration = WrittenDuration(words: length), duration.isClockTime,
        let ago = WrittenDuration(words: time.dropLast()), !ago.isBareNumber
      else { continue }
      let whole = WrittenDuration(words: words.dropLast())
      // A walk that took longer than that would not be over.
      let isOver = try duration.seconds() <= ago.seconds()
      let both =
        isOver
        ? ", or \(TypedWords.text(of: time)) \(TypedWords.text(of: length)) for both" : ""
      throw ValidationError(
        "\(ValidationError.quoted(TypedWords.text(of: words))) could be one time, or a length and "
          + "a time",
        hint: "Write \(whole?.inFull ?? "2h30m") ago for the time\(both).")
    }
  }

  // MARK: Dogs

  /// Takes the name of an existing dog.
  mutating func takeName(_ name: String) throws -> Bool {
    guard let dog = try names.dog(name) else { return false }
    try names.refuseDog(inNote: name, isChange: !context.takesBareNumbers)
    dogs.append(dog)
    return true
  }

  private mutating func takeDog(_ name: String) throws {
    try Self.refuseNegative(name)
    if try takeName(name) { return }
    if !context.takesBareNumbers, WalkNumbers.isRange(name) {
      throw complaint(
        aboutNumber: name, length: "\(name.split(separator: "-").last ?? "40")m")
    }
    let bare = name.trimmed(of: "@#~;:!?.,'\"")
    if bare != name, !name.contains(","), let dog = try names.dog(bare) {
      throw ValidationError(
        "there is no dog \(ValidationError.quoted(name))",
        hint: "Did you mean \(dog.escapingControls)?")
    }
    if let slip = MistypedWord(name, call: names.call) { throw slip.complaint }
    // Another command may have added the dog since; the rest uses a single answer.
    let known = try names.dogs()
    if let dog = KnownNames.name(name, among: known) {
      dogs.append(dog)
      return
    }
    // In a store without dogs a single word creates the first one, unless an option does.
    if names.makesNew, dogs.isEmpty, name.allSatisfy(\.isLetter), known.isEmpty,
      try names.walker(name) == nil, !names.options.contains(name.lowercased()),
      !names.areDogsNamed, try !names.mayBeWalker(name)
    {
      try names.refuseSlip(in: name, isNew: context.isNew)
      dogs.append(name)
      return
    }
    let complaint = try names.complaint(aboutUnknown: name, among: known)
    // A dog that does not exist cannot have walks in progress.
    guard names.makesNew || context.takesLength else { throw Complaint(.no, complaint.message) }
    throw complaint
  }

  /// Throws for `-5m`, which is not a name.
  private static func refuseNegative(_ word: String) throws(ValidationError) {
    guard word.first == "-" || word.first == "\u{2212}" else { return }
    var scanner = WordScanner(word.dropFirst())
    guard scanner.digits() != nil else { return }
    guard !word.contains(":") else {
      throw ValidationError(
        "\(ValidationError.quoted(word)) is not a time", hint: MistypedWord.rangeHint)
    }
    throw ValidationError(
      "\(ValidationError.quoted(word)): a length or a number cannot be negative",
      hint: "Leave the minus sign out.")
  }

  // MARK: The end

  /// Ends the reading.
  ///
  /// - Throws: `ValidationError` if a preposition has nothing after it, or if lengths are
  ///   ambiguous.
  mutating func finish() throws(ValidationError) {
    if let pending { throw FunctionWord.complaint(pending) }
    try lengths.decide(context, hasStart: startTime != nil)
  }
}

@available(*, unavailable)
extension WalkWordReader: Sendable {}

extension String {
  /// Returns the text without any of some characters at both ends.
  fileprivate func trimmed(of characters: String) -> String {
    var rest = self[...]
    while let first = rest.first, characters.contains(first) { rest.removeFirst() }
    while let last = rest.last, characters.contains(last) { rest.removeLast() }
    return String(rest)
  }
}

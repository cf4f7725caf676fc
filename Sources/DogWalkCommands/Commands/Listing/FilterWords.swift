import CommandLineKit
import DogWalkModel

extension Argument {
  /// The words that select walks.
  static let filterWords = Argument(
    "WORDS", help: "dogs, tags, a day and a walker: Fido +park yesterday by Ana",
    isRequired: false, isRepeating: true, takesNumbers: false, completion: .dogsAndTags)
}

/// The parsed words of a command that selects walks: dogs, tags, a day and a walker.
///
///     // dogwalk list Fido Rex +park last monday by Ana
///     let words = try FilterWords(run)
///     words.tags           // ["park"]
///     words.day            // .lastWeekday(.monday)
///     words.walker         // "Ana"
///     try words.dogs(run)  // Fido and Rex
///
/// A word for a day always means that day: a dog called Mon needs `--dog Mon`. A word that is
/// neither a day, a tag nor a walker after `by` has to be an existing dog.
struct FilterWords: Hashable, Sendable {
  /// The dogs' names, as typed.
  private(set) var names: [String] = []
  /// The names of the tags.
  private(set) var tags: [String] = []
  /// The day.
  private(set) var day: WrittenDay?
  /// The day, as typed.
  private(set) var dayText = ""
  /// The walker, from the words after `by`.
  private(set) var walker: String?

  /// Parses the operands of a run.
  ///
  /// - Throws: `ValidationError` for a word that is none of these, and for a second day or walker.
  init(_ run: CommandRun) throws {
    guard !run.values.operands.contains(where: { $0.allSatisfy(\.isWhitespace) }) else {
      // Most likely an unset variable of a script.
      throw ValidationError("one word is empty", hint: "Leave it out, or write what it should be.")
    }
    var rest = run.values.operands[...]
    while let word = rest.first {
      if TypedTags.isTag(word) {
        tags.append(try TypedTags.name(word))
        rest.removeFirst()
      } else if word.hasWhitespace {
        if try readDay(TypedWords(word), isWhole: true, run) == 0 { names.append(word) }
        rest.removeFirst()
      } else if word.lowercased() == "by", try run.log().dog(named: word) == nil {
        rest.removeFirst()
        rest.removeFirst(try readWalker(rest, run))
      } else {
        let words = TypedWords(words: Array(rest.prefix { !$0.hasWhitespace }))
        let count = try readDay(words, isWhole: false, run)
        if count == 0 { names.append(word) }
        rest.removeFirst(max(1, count))
      }
    }
  }

  /// Reads the day that words begin with, or that all of them form, and returns its number of
  /// words.
  ///
  /// Returns 0 if there is none.
  private mutating func readDay(
    _ words: TypedWords, isWhole: Bool, _ run: CommandRun
  ) throws -> Int {
    let longest = min(words.lowercased.count, WrittenWhen.greatestWordCount)
    for count in stride(from: longest, through: isWhole ? words.lowercased.count : 1, by: -1) {
      let beginning = words.lowercased[..<count]
      let text = TypedWords.text(of: words.original[..<count])
      if let written = WrittenDay(words: beginning) {
        try take(written, text, run)
        return count
      }
      guard WrittenWhen(words: beginning) != nil else { continue }
      let dog = try count == 1 ? run.log().dog(named: text)?.name : nil
      throw ValidationError(
        "\(ValidationError.quoted(text)) is a time, and walks are picked by days",
        hint: Self.hint(aboutTime: words.original[0], run)
          ?? "Write --since \(text.shellWord), or a day, as in yesterday"
          + (dog.map { "; for the dog of that name, \($0.shellValue(of: "dog"))." } ?? "."))
    }
    return 0
  }

  /// Reads the walker after `by`, and returns the name's number of words.
  ///
  /// That is the number of an existing walker's name, else one.
  private mutating func readWalker(_ rest: ArraySlice<String>, _ run: CommandRun) throws -> Int {
    guard let first = rest.first else { throw FunctionWord.complaint("by") }
    guard !first.hasWhitespace else {
      try take(walker: first)
      return 1
    }
    let words = TypedWords(words: Array(rest.prefix(4).prefix { !$0.hasWhitespace }))
    let known = KnownNames(run, makesNew: false)
    for count in stride(from: words.original.count, through: 1, by: -1) {
      let name = TypedWords.text(of: words.original[..<count])
      guard try known.walker(name) != nil else { continue }
      try take(walker: name)
      return count
    }
    guard FunctionWord.mayBeName(first), WrittenWhen(words: words.lowercased[..<1]) == nil else {
      throw FunctionWord.complaint("by", before: words)
    }
    try take(walker: first)
    return 1
  }

  private mutating func take(walker name: String) throws(ValidationError) {
    if let walker {
      throw ValidationError(
        "\(ValidationError.quoted(walker)) and \(ValidationError.quoted(name)) are two walkers",
        hint: "Give one.")
    }
    walker = name
  }

  private mutating func take(_ written: WrittenDay, _ text: String, _ run: CommandRun) throws {
    guard let other = day else {
      (day, dayText) = (written, text)
      return
    }
    let today = try run.clock().now.day
    let isTurned = try written.day(today: today) < other.day(today: today)
    let (first, last) = isTurned ? (text, dayText) : (dayText, text)
    throw ValidationError(
      "\(ValidationError.quoted(dayText)) and \(ValidationError.quoted(text)) are two days",
      hint: "For all days from one to the other: --since \(first.shellWord) "
        + "--until \(last.shellWord).")
  }

  /// Returns how to write both parts of `--since mon 18:00`.
  private static func hint(aboutTime word: String, _ run: CommandRun) -> String? {
    let hint = FilterWordHint.hint(aboutOperand: word, run)
    return hint.flatMap { [.since, .until].contains($0.option) ? $0.text : nil }
  }

  // MARK: Meaning

  /// Whether there are no words.
  var isEmpty: Bool { names.isEmpty && tags.isEmpty && day == nil && walker == nil }

  /// The day as described in a sentence: `today`, `on mon`, `3 days ago`.
  var dayReading: String? {
    let text = dayText.escapingControls
    return switch day {
    case nil: nil
    case .weekday?, .date?: "on \(text)"
    case .today?, .yesterday?, .lastWeekday?, .daysAgo?: text
    }
  }

  /// Returns the dogs among the words, each once.
  ///
  /// - Throws: `Complaint` with the most likely name if there is no such dog; errors of the store.
  func dogs(_ run: CommandRun) throws -> [Dog] {
    var dogs: [Dog] = []
    for name in names {
      let dog = try run.dog(named: name) { try complaint(about: name, among: $0, run) }
      if !dogs.contains(dog) { dogs.append(dog) }
    }
    return dogs
  }

  /// Returns the complaint about a word that has no meaning.
  private func complaint(
    about word: String, among names: [String], _ run: CommandRun
  ) throws -> any Error {
    if let hint = FilterWordHint(about: word, run)?.text {
      return ValidationError(
        "\(ValidationError.quoted(word)) is neither a known dog, a tag nor a day", hint: hint)
    }
    let known = KnownNames(run, makesNew: false)
    return Complaint(.no, try known.complaint(aboutUnknown: word, among: names).message)
  }
}

import CommandLineKit

/// Prepositions, and the walkers that they introduce: `for`, `at`, `with`, `by`.
extension WalkWordReader {
  /// Reads a preposition or conjunction: `for`, `at`, `with`, `and`, `by`.
  ///
  /// It is a dog's name if there is such a dog, and if nothing else fits.
  mutating func readLittleWord(
    _ words: TypedWords, before quoted: String?
  ) throws -> Int? {
    let word = words.lowercased[0]
    let quoted = words.original.count == 1 ? quoted : nil
    let rest =
      quoted.map { TypedWords($0) } ?? TypedWords(words: Array(words.original.dropFirst()))
    guard FunctionWord.all.contains(word) else { return nil }
    if let pending, pending != "and", pending != "&" { throw FunctionWord.complaint(pending) }
    guard !rest.original.isEmpty, try isFitting(rest, behind: word),
      try word != "by" || quoted != nil || beginWithWalker(rest)
    else {
      if try names.dog(words.original[0]) != nil { return nil }
      throw FunctionWord.complaint(word, before: rest)
    }
    switch word {
    case "by", "with":
      if let quoted {
        guard try takeWalker(quoted: quoted, behind: word) else { break }
        pending = nil
        return 2
      }
      if let count = try readWalker(rest, behind: word) {
        pending = nil
        return count + 1
      }
    case "and", "&":
      guard isFirst else { break }
      if try names.dog(word) != nil { return nil }
      throw FunctionWord.complaint(word)
    default: break
    }
    pending = word
    return 1
  }

  /// Returns whether the words after a preposition suit it.
  private func isFitting(_ words: TypedWords, behind word: String) throws -> Bool {
    func begins(_ isMeant: (ArraySlice<String>) -> Bool) -> Bool {
      (1...min(words.lowercased.count, WrittenWhen.greatestWordCount)).contains {
        isMeant(words.lowercased[..<$0])
      }
    }
    switch word {
    case "for":
      let isLength = begins {
        WrittenDuration(words: $0)?.isClockTime ?? (Distance(words: $0) != nil)
      }
      return try isLength || names.dog(words.original[0]) != nil
    case "at", "from":
      return begins { words in
        WrittenWhen(words: words).map { !$0.isDay } ?? (WrittenSpan(words: words) != nil)
      }
    case "on":
      // A day with its time is read as one; here the day comes first.
      return begins { WrittenWhen(words: $0) != nil }
    case "by", "with": return !begins { WrittenWhen(words: $0) != nil }
    default: return true
    }
  }

  /// Returns whether words begin with the name of a walker, or one that a new walker may have.
  private func beginWithWalker(_ words: TypedWords) throws -> Bool {
    try FunctionWord.mayBeName(words.original[0]) || knownWalker(words) != nil
  }

  /// Returns the walker whose name the words begin with, and its number of words.
  private func knownWalker(_ words: TypedWords) throws -> (name: String, count: Int)? {
    for count in stride(from: min(words.original.count, 4), through: 1, by: -1) {
      let name = TypedWords.text(of: words.original[..<count])
      if let known = try names.walker(name) { return (known, count) }
    }
    return nil
  }

  /// Reads the name after `by` or `with`, and returns its number of words; `nil` for a dog's name.
  private mutating func readWalker(_ words: TypedWords, behind word: String) throws -> Int? {
    if let (known, count) = try knownWalker(words),
      try word == "by" || count > 1 || names.dog(known) == nil
    {
      try take(walker: known)
      return count
    }
    guard word == "by" else { return nil }
    try take(walker: try names.walker(typed: words.original[0], isNew: context.isNew))
    return 1
  }

  /// Takes a quoted name with white space after `by` or `with`, which must be an existing walker's.
  private mutating func takeWalker(quoted name: String, behind word: String) throws -> Bool {
    if word == "with", try names.dog(name) != nil { return false }
    if let known = try names.walker(name) {
      try take(walker: known)
      return true
    }
    guard word == "by" else { return false }
    throw ValidationError(
      "nobody called \(ValidationError.quoted(name)) has walked yet",
      hint: "A new walker with a space in the name needs \(name.shellValue(of: "by")).")
  }

  private mutating func take(walker name: String) throws(ValidationError) {
    guard walker == nil else {
      throw ValidationError(
        "\(ValidationError.quoted(name)) is a second walker",
        hint: "One walk is by one: write two walks.")
    }
    walker = name
  }
}

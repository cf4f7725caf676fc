import CommandLineKit
import DogWalkModel

extension WalkNumbers {
  /// The sentence about number ranges in the help of commands.
  static let rule = "A range of numbers, 5-8, needs at least one existing walk."

  /// Splits words into those that are walk numbers, `3` and `5-8`, and others.
  static func split(_ words: [String]) -> (numbers: [ClosedRange<Int64>], others: [String]) {
    var numbers: [ClosedRange<Int64>] = []
    var others: [String] = []
    for word in words {
      if let range = range(word) { numbers.append(range) } else { others.append(word) }
    }
    return (numbers, others)
  }

  /// Returns the walk numbers that words give, `3` and `5-8`.
  ///
  /// - Parameter call: How the program is called in the commands that hints suggest.
  /// - Throws: `ValidationError` if a word is not a number; `Complaint` if a number is too large
  ///   for any walk.
  static func ranges(_ words: [String], call: String) throws -> [ClosedRange<Int64>] {
    try words.map { word in
      if let range = range(word) { return range }
      // A word that is not a number is refused here.
      let number = try WalkNumbers([word], call: call).numbers[0]
      return number...number
    }
  }

  /// Returns the range that a word gives; nil if it is neither a number nor two with a dash
  /// between.
  static func range(_ word: String) -> ClosedRange<Int64>? {
    let ends = word.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count < 3, ends.allSatisfy({ WordScanner.isNumber($0) }),
      let first = Int64(ends[0]), let last = Int64(ends[ends.count - 1]), first <= last
    else { return nil }
    return first...last
  }

  /// Returns a range as described in a sentence: `3`, or `from 5 to 8`.
  static func reading(_ range: ClosedRange<Int64>) -> String {
    range.count == 1
      ? "\(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
  }

  /// The maximum size of a range.
  private static let mostNumbers: Int64 = 10_000

  /// Returns the numbers of all ranges, each once.
  ///
  /// - Throws: `ValidationError` if a range is too long.
  static func numbers(in ranges: [ClosedRange<Int64>]) throws(ValidationError) -> [Int64] {
    var seen: Set<Int64> = []
    var numbers: [Int64] = []
    for range in ranges {
      guard range.upperBound - range.lowerBound < mostNumbers else {
        throw ValidationError(
          "\(range.lowerBound)-\(range.upperBound) is more than \(mostNumbers) walks",
          hint: "Take fewer at once.")
      }
      for number in range where seen.insert(number).inserted { numbers.append(number) }
    }
    return numbers
  }

  /// Returns whether words begin with a number and its unit.
  static func hasUnit(_ words: ArraySlice<String>) -> Bool {
    guard words.count > 1, range(words[words.startIndex + 1]) == nil else {
      return false
    }
    let words = words.prefix(WrittenSpan.greatestWordCount).map { $0.lowercased() }
    return (2...words.count).contains { count in
      let beginning = words[..<count]
      return WrittenDuration(words: beginning) != nil || Distance(words: beginning) != nil
        || WrittenClock(words: beginning) != nil || WrittenSpan(words: beginning) != nil
    }
  }
}

extension CommandRun {
  /// Returns the walks with some numbers, each once; of a range, those that exist.
  ///
  /// - Throws: `ValidationError` if a range is too long; `Complaint` if a number or a whole range
  ///   has no walk.
  func walks(numbered ranges: [ClosedRange<Int64>]) throws -> [Walk] {
    let walks = try log().walks(numbered: WalkNumbers.numbers(in: ranges)).found
    let found = Set(walks.map(\.number))
    for range in ranges where !range.contains(where: found.contains) {
      throw Complaint(noWalks: [WalkNumbers.reading(range)], nothingDeleted: false, call: call)
    }
    return walks
  }
}

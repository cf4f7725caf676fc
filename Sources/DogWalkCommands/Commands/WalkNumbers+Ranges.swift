import CommandLineKit
import DogWalkModel

extension WalkNumbers {
  /// What the help of commands says of numbers in a row.
  static let rule = "Of numbers in a row, 5-8, those are meant that are there: one at least."

  /// The walks that words name by their numbers, `3` and `5-8`, and the words that name none.
  static func split(_ words: [String]) -> (numbers: [ClosedRange<Int64>], others: [String]) {
    var numbers: [ClosedRange<Int64>] = []
    var others: [String] = []
    for word in words {
      if let range = range(word) { numbers.append(range) } else { others.append(word) }
    }
    return (numbers, others)
  }

  /// The numbers that words name, `3` and `5-8`.
  ///
  /// - Parameter call: What the commands begin with that are proposed.
  /// - Throws: `ValidationError` where one names none; `Complaint` where it is longer than any.
  static func ranges(_ words: [String], call: String) throws -> [ClosedRange<Int64>] {
    try words.map { word in
      if let range = range(word) { return range }
      // What is no number is refused as such.
      let number = try WalkNumbers([word], call: call).numbers[0]
      return number...number
    }
  }

  /// The numbers that a word names; nil where it is no number, and not two with a dash in between.
  static func range(_ word: String) -> ClosedRange<Int64>? {
    let ends = word.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count < 3, ends.allSatisfy({ WordScanner.isNumber($0) }),
      let first = Int64(ends[0]), let last = Int64(ends[ends.count - 1]), first <= last
    else { return nil }
    return first...last
  }

  /// A range as a sentence names it: `3`, or `from 5 to 8`.
  static func reading(_ range: ClosedRange<Int64>) -> String {
    range.count == 1
      ? "\(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
  }

  /// The most numbers that a range may have.
  private static let mostNumbers: Int64 = 10_000

  /// All numbers of some ranges, each once.
  ///
  /// - Throws: `ValidationError` where a range is too long.
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

  /// Whether words begin with a number and what it counts.
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
  /// The walks of some numbers, each once; in a range those that are there.
  ///
  /// - Throws: `ValidationError` where a range is too long; `Complaint` where a number has no walk,
  ///   or a range has none at all.
  func walks(numbered ranges: [ClosedRange<Int64>]) throws -> [Walk] {
    let walks = try log().walks(numbered: WalkNumbers.numbers(in: ranges)).found
    let found = Set(walks.map(\.number))
    for range in ranges where !range.contains(where: found.contains) {
      throw Complaint(noWalks: [WalkNumbers.reading(range)], nothingDeleted: false, call: call)
    }
    return walks
  }
}

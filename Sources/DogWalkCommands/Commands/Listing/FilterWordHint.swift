import CommandLineKit
import DogWalkModel

/// The hint about a word that neither selects walks nor is a name.
struct FilterWordHint {
  /// The hint as a sentence.
  let text: String

  /// Creates the hint about a word; `nil` if it may be a name.
  ///
  /// - Parameters:
  ///   - word: One of the operands.
  ///   - run: The run, for the other words and the options.
  init?(about word: String, _ run: CommandRun) {
    let operands = run.values.operands
    let words = Array(operands[(operands.firstIndex(of: word) ?? 0)...].prefix(3))
    let lowercased = words.map { $0.lowercased() }
    var hint = TypedTags.hint(for: word) ?? Self.hint(aboutWeekend: lowercased, run)
    hint = hint ?? Self.hint(aboutDays: lowercased[0], run)
    hint = hint ?? MistypedWord.foreignDay(lowercased[0]).map { "Write \($0)." }
    hint = hint ?? Period.hint(aboutPeriod: lowercased) ?? Self.hint(aboutValue: word, run)
    hint = hint ?? Self.hint(aboutNumbers: lowercased, run) ?? Self.hint(aboutFile: words, run)
    hint = hint ?? Self.hint(aboutReport: lowercased[0], run)
    hint = hint ?? Self.hint(aboutLittleWord: words, run)
    guard let hint else { return nil }
    text = hint
  }

  /// Returns how to write both words of `--note heavy rain`.
  private static func hint(aboutValue word: String, _ run: CommandRun) -> String? {
    guard let hint = Self.hint(aboutOperand: word, run), hint.option.needsValue,
      ![.ofDog, .byWalker, .limit, .days].contains(hint.option)
    else { return nil }
    return hint.text
  }

  /// Returns how to write an option's value together with a word that continues it.
  static func hint(aboutOperand word: String, _ run: CommandRun) -> OperandHint? {
    OperandHint(for: word, among: run.words, options: run.options) { option, value, rest in
      let counts = (0...rest.count).reversed()
      if [.since, .until].contains(option) {
        let words = TypedWords(words: [value] + rest).lowercased
        let count = counts.first { WrittenWhen(words: words[...$0]) != nil }
        return count ?? 0
      }
      // A tag is a single word.
      if option == .withTag { return 0 }
      // A file name ends in the word with its extension or folder.
      if option.completion == .files {
        let last = rest.lastIndex { $0.contains { "./\\".contains($0) } }
        return last.map { $0 + 1 } ?? 0
      }
      // A text ends before a word that selects walks itself.
      return rest.dropFirst().firstIndex { picksWalks($0, run) } ?? rest.count
    }
  }

  /// Returns whether a word is a tag, a day or an existing dog.
  private static func picksWalks(_ word: String, _ run: CommandRun) -> Bool {
    TypedTags.isTag(word) || WrittenDay(words: TypedWords(word).lowercased[...]) != nil
      || ((try? run.log().dog(named: word)) ?? nil) != nil
  }

  /// Returns the hint about `mon..wed`, `7d` and `3days`.
  private static func hint(aboutDays word: String, _ run: CommandRun) -> String? {
    guard run.options.contains(.since) else { return nil }
    if let days = WrittenDuration(words: [word])?.days, WrittenDay(word) == nil {
      return "The last \(days) days are --days \(days)."
    }
    // A date contains dashes itself.
    let marks = word.contains("..") ? "." : word.first?.isLetter == true ? "-–" : ""
    let parts = word.split { marks.contains($0) }.map { String($0) }
    guard parts.count == 2, parts.allSatisfy({ WrittenDay($0) != nil }) else { return nil }
    return "Write --since \(parts[0]) --until \(parts[1])."
  }

  /// Returns the two days of `last weekend`, `this weekend` and `weekend`.
  ///
  /// On a Saturday or Sunday, the last weekend is the one before.
  private static func hint(aboutWeekend words: [String], _ run: CommandRun) -> String? {
    let isLast = ["last", "past"].contains(words[0])
    let word = isLast || words[0] == "this" ? words.dropFirst().first : words[0]
    guard word == "weekend" || word == "weekends", run.options.contains(.since),
      let today = (try? run.clock())?.now.day
    else { return nil }
    let latest = today.last(.saturday)
    let isNow = today < latest.adding(days: 2)
    let saturday = isLast && isNow ? latest.adding(days: -7) : latest
    return "Write --since \(saturday) --until \(saturday.adding(days: 1))."
  }

  /// Returns the hint about a walk's number, a year, or `last 5`.
  private static func hint(aboutNumbers words: [String], _ run: CommandRun) -> String? {
    let hasLimit = run.options.contains(.limit)
    if words[0] == "last" {
      guard hasLimit, words.count > 1, WordScanner.isNumber(words[1][...]) else {
        return words.count == 1 || run.values.operands.count == 1
          ? "The newest walk is \(run.call) show."
          : "Write a day, as in last monday, or --last-week or --last-month."
      }
      return "The newest \(words[1]) are --limit \(words[1])."
    }
    guard WalkNumbers.range(words[0]) != nil else { return hint(aboutDate: words[0]) }
    let number = words[0].prefix { $0 != "-" }
    if number.utf8.count == 4, number == words[0], run.options.contains(.year) {
      return "Write --year=\(number) for the year, or "
        + "\(run.call) show \(number) for walk \(number)."
    }
    return "Write \(run.call) show \(number) for walk \(number)"
      + (hasLimit
        ? ", or --limit \(number) for the newest \(number)."
        : run.options.contains(.days) ? ", or --days \(number) for the last \(number) days." : ".")
  }

  /// Returns the hint about `20.11.2026` and `20/11`.
  private static func hint(aboutDate word: String) -> String? {
    let parts = word.split { "./".contains($0) }
    guard (2...3).contains(parts.count), parts.allSatisfy({ WordScanner.isNumber($0) }) else {
      return nil
    }
    return "A day is written 2026-11-20."
  }

  /// Returns the hint about `report monthly` and so on.
  private static func hint(aboutReport word: String, _ run: CommandRun) -> String? {
    guard run.optionNames.contains("by-day") else { return nil }
    return switch word {
    case "daily": "Write --by-day."
    case "weekly": "Write --by-week."
    case "monthly": "Write --by-month."
    default: nil
    }
  }

  /// Returns the hint about `export walks.json`, `export to walks.json` and `export csv`.
  private static func hint(aboutFile words: [String], _ run: CommandRun) -> String? {
    guard run.optionNames.contains("output") else { return nil }
    let isTo = ["to", "into"].contains(words[0].lowercased()) && words.count > 1
    let word = words[isTo ? 1 : 0]
    if ["json", "csv", "ics", "gpx"].contains(word.lowercased()) {
      return "Write --format \(word.lowercased())."
    }
    return word.contains { "./\\".contains($0) }
      ? "The file is an option: -o \(word.shellWord)." : nil
  }

  /// Returns the hint about words that people write around names and days.
  private static func hint(aboutLittleWord words: [String], _ run: CommandRun) -> String? {
    switch words[0].lowercased() {
    case "with":
      return words.count > 1 ? "Write by \(words[1].shellWord)." : nil
    case "help" where words.count == 1 && run.values.operands.count == 1:
      let search = try? CommandSearch(words: run.words, root: Command.dogwalk.specification)
      return search?.commandIndex.map { "See dogwalk \(run.words[$0]) --help." }
    case "and", "&", "or", "on", "of", "in", "at", "for", "the", "all", "walk", "walks":
      return "Leave it out."
    default: return nil
    }
  }
}

import CommandLineKit
import DogWalkModel

/// The suggestions for a shell, a line each: the value, and after a tab its meaning.
///
/// A single `/` stands for files, which the shell finds itself.
struct CompletionAnswer {
  let shell: CompletionShell
  let run: CommandRun

  /// The number of walks that are suggested, the newest ones.
  private static let walkCount = 20

  /// Returns the suggestions for the words after the program's name.
  ///
  /// For bash the parameter is the line up to the cursor, followed by the type of completion.
  func lines(for words: [String]) throws -> [String] {
    guard shell == .bash else {
      return try offered(for: words).map { value, meaning in
        meaning.isEmpty ? value : "\(value)\t\(meaning)"
      }
    }
    let line = ShellLine(words.first ?? "")
    let offers = try offered(for: Array(line.words.dropFirst()))
    // 63, a question mark: the suggestions are only listed, not inserted.
    guard words.last == "63", offers.count > 1 else {
      return offers.map { line.completing($0.value) }
    }
    return offers.map { $0.meaning.isEmpty ? $0.value : "\($0.value)  -- \($0.meaning)" }
  }

  private func offered(for words: [String]) throws -> [(value: String, meaning: String)] {
    let last = words.last ?? ""
    // The word `by` introduces a walker as well.
    let isBehindBy =
      words.dropLast().last?.lowercased() == "by"
      && words.dropLast(2).last?.hasPrefix("-") == false
    var found: [(value: String, meaning: String)] = []
    for offer in CompletionSearch(words: words, commands: Command.dogwalk.specification).offers {
      switch offer {
      case .word(let word, let meaning): found.append((word, meaning))
      case .values(.files, _): return [("/", "")]
      case .values(.dogs, let lead) where isBehindBy,
        .values(.dogsAndTags, let lead) where isBehindBy,
        .values(.walksDogsAndTags, let lead) where isBehindBy:
        found += try walkers(lead)
      case .values(.dogs, let lead): found += try dogs(lead)
      case .values(.walks, let lead): found += try walks(lead)
      case .values(.walkers, let lead): found += try walkers(lead)
      case .values(.tags, let lead):
        // Tags can be typed with or without a plus sign.
        found += try tags(last.hasPrefix(lead + "+") ? lead + "+" : lead)
      case .values(.dogsAndTags, let lead): found += try dogsInWords(lead) + tags(lead + "+")
      case .values(.walksDogsAndTags, let lead):
        // A name that is typed is none of a walk, so walks are read only if a number may follow.
        if last == lead || last.last?.isWholeNumber == true { found += try walks(lead) }
        found += try dogsInWords(lead) + tags(lead + "+")
      case .values(.settingValues, let lead):
        switch words.dropLast().last.flatMap({ Setting(rawValue: $0.lowercased()) }) {
        case .by?: found += try walkers(lead)
        case .store?: return [("/", "")]
        case let setting?: found += (setting.choices ?? []).map { (lead + $0, "") }
        case nil: break
        }
      case .values: break
      }
    }
    let typed = NameKey.of(last)
    return found.filter { NameKey.of($0.value).hasPrefix(typed) }
  }

  private func dogs(_ lead: String) throws -> [(value: String, meaning: String)] {
    try run.log().dogs().map { dog in (lead + dog.name.escapingControls, "") }
  }

  /// The dogs whose names can be written among other words: Mon is read as a day there.
  private func dogsInWords(_ lead: String) throws -> [(value: String, meaning: String)] {
    try run.log().dogs().filter { WalkWords.otherMeaning(of: $0.name) == nil }
      .map { dog in (lead + dog.name.escapingControls, "") }
  }

  private func walkers(_ lead: String) throws -> [(value: String, meaning: String)] {
    try run.log().walkers().map { walker in (lead + walker.name.escapingControls, "") }
  }

  private func tags(_ lead: String) throws -> [(value: String, meaning: String)] {
    try run.log().tagNames().map { name in (lead + name.escapingControls, "") }
  }

  private func walks(_ lead: String) throws -> [(value: String, meaning: String)] {
    var query = WalkQuery()
    query.limit = Self.walkCount
    let now = try run.clock().now
    return try run.log().walks(query).map { walk in
      let start = walk.start(in: run.zone).reading(now: now)
      return ("\(lead)\(walk.number)", walk.reading(start))
    }
  }
}

@available(*, unavailable)
extension CompletionAnswer: Sendable {}

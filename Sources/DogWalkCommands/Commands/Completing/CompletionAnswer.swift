import CommandLineKit
import DogWalkModel

/// What a shell is told to offer, a line each: the value, and behind a tab what it means.
///
/// A single `/` stands for files, which shells find themselves.
struct CompletionAnswer {
  let shell: CompletionShell
  let run: CommandRun

  /// How many walks are offered, the newest.
  private static let walkCount = 20

  /// The lines for the words behind the program's name; for bash, for the line typed so far and the
  /// kind of answer that is wanted.
  func lines(for words: [String]) throws -> [String] {
    guard shell == .bash else {
      return try offered(for: words).map { value, meaning in
        meaning.isEmpty ? value : "\(value)\t\(meaning)"
      }
    }
    let line = ShellLine(words.first ?? "")
    let offers = try offered(for: Array(line.words.dropFirst()))
    // 63, a question mark: a list to be shown, of which nothing is taken.
    guard words.last == "63", offers.count > 1 else {
      return offers.map { line.completing($0.value) }
    }
    return offers.map { $0.meaning.isEmpty ? $0.value : "\($0.value)  -- \($0.meaning)" }
  }

  private func offered(for words: [String]) throws -> [(value: String, meaning: String)] {
    let last = words.last ?? ""
    // Who walked is said by a word, too.
    let isBehindBy =
      words.dropLast().last?.lowercased() == "by"
      && words.dropLast(2).last?.hasPrefix("-") == false
    var found: [(value: String, meaning: String)] = []
    for offer in CompletionSearch(words: words, commands: Command.dogwalk.specification).offers {
      switch offer {
      case .word(let word, let meaning): found.append((word, meaning))
      case .values(.files, _): return [("/", "")]
      case .values(.dogs, let lead) where isBehindBy,
        .values(.dogsAndTags, let lead) where isBehindBy:
        found += try walkers(lead)
      case .values(.dogs, let lead): found += try dogs(lead)
      case .values(.walks, let lead): found += try walks(lead)
      case .values(.walkers, let lead): found += try walkers(lead)
      case .values(.tags, let lead):
        // Tags are typed with their plus sign or without.
        found += try tags(last.hasPrefix(lead + "+") ? lead + "+" : lead)
      case .values(.dogsAndTags, let lead): found += try dogs(lead) + tags(lead + "+")
      case .values: break
      }
    }
    let typed = NameKey.of(last)
    return found.filter { NameKey.of($0.value).hasPrefix(typed) }
  }

  private func dogs(_ lead: String) throws -> [(value: String, meaning: String)] {
    try run.log().dogs().map { dog in (lead + dog.name.escapingControls, "") }
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

/// A line typed in bash, as far as the cursor, split as bash splits it.
struct ShellLine {
  /// The words without their quotes; the last is the one that is being typed, perhaps empty.
  private(set) var words: [String] = []
  /// The quote that the last word is in.
  private var quote: Character?
  /// How much of the last word bash leaves as it is: up to an unquoted `=` or `:`.
  private var kept = ""

  /// Splits a line.
  init(_ line: String) {
    var word: String?
    var isEscaped = false
    for character in line {
      if isEscaped {
        isEscaped = false
        word = (word ?? "") + String(character)
      } else if let open = quote {
        if character == open {
          quote = nil
        } else if character == "\\", open == "\"" {
          isEscaped = true
        } else {
          word = (word ?? "") + String(character)
        }
      } else {
        switch character {
        case "\"", "'":
          quote = character
          word = word ?? ""
        case "\\": isEscaped = true
        case " ", "\t", "\n":
          if let word { words.append(word) }
          word = nil
          kept = ""
        default:
          word = (word ?? "") + String(character)
          if character == "=" || character == ":" { kept = word ?? "" }
        }
      }
    }
    words.append(word ?? "")
  }

  /// What bash is to put in place of the part of the last word that it completes.
  func completing(_ value: String) -> String {
    let rest = value.hasPrefix(kept) ? String(value.dropFirst(kept.count)) : value
    // Within quotes bash takes the text as it is.
    guard quote == nil else { return rest }
    var escaped = ""
    for character in rest {
      let isPlain =
        character.isLetter || character.isNumber || !character.isASCII
        || "-_./:=,+@%".contains(character)
      if !isPlain { escaped += "\\" }
      escaped.append(character)
    }
    return escaped
  }
}

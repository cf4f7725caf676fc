import CommandLineKit
import DataFormats
import DogWalkModel

extension Command {
  /// `dogwalk tag`: adds and removes tags of walks, and lists all tags.
  static let tag = Command(
    CommandSpecification(
      abstract: "Add tags to walks, or remove them; alone, show all tags.",
      examples: [
        .init("dogwalk tag 3 5-8 +park", "these walks were in the park"),
        .init("dogwalk tag 3 --untag park", "walk 3 was not"),
        .init("dogwalk tag", "all tags, and how many walks have them"),
        .init("dogwalk tag rename +park +wood", "the tag has another name, on all walks"),
      ],
      arguments: [
        Argument(
          "WORDS", help: "the walks' numbers, 3 or 5-8, and tags, +park", isRequired: false,
          isRepeating: true, completion: .walks)
      ],
      options: [.tag, .untag, .json],
      discussion: [
        "A tag is a word that walks have in common, in any spelling of capitals. "
          + "dogwalk add Fido 35m +park and dogwalk edit 3 +park add one, too; list, report "
          + "and export take --tag, and dogwalk report --by-tag counts what was walked with "
          + "each.",
        WalkNumbers.rule,
      ]), isReading: true, subcommands: [.init("rename", .renameTag), .init("merge", .mergeTags)]
  ) { run in
    guard !run.values.operands.isEmpty else {
      guard run.values.given(among: [.tag, .untag]).isEmpty else {
        throw ValidationError(
          "there is no walk to tag", hint: "Say which, as in \(run.call) tag 3 +park.")
      }
      return try TagList(run).write()
    }
    let request = try TagRequest(run)
    let numbers = try WalkNumbers.numbers(in: request.numbers)
    let log = try run.logForChanging()
    try log.performWriting(onWalksNumbered: numbers) {
      let walks = try run.walks(numbered: request.numbers)
      let tags = request.removed.isEmpty ? [] : walks.flatMap(\.tagNames)
      try log.setTags(of: walks, adding: request.added, removing: request.removed)
      let report = EditReport(on: walks, run: run)
      try log.save()
      run.hasChanged = report.hasChanges
      try report.write()
      try run.noteMissing(request.removed, among: tags, of: walks)
    }
  }
}

/// The changes that `dogwalk tag` is asked for.
private struct TagRequest {
  let numbers: [ClosedRange<Int64>]
  let added: [String]
  let removed: [String]

  init(_ run: CommandRun) throws {
    let tags = try TypedTags(run.values.operands, more: run.values.all(.tag))
    let (numbers, others) = WalkNumbers.split(tags.words)
    if let range = others.first(where: WalkNumbers.isRange) {
      _ = try WalkNumbers([range], call: run.call)
    }
    guard others.isEmpty else {
      throw try Self.complaint(
        about: others[0], before: others.dropFirst().first ?? tags.names.first,
        hasTags: numbers.isEmpty && !tags.names.isEmpty, run)
    }
    guard !numbers.isEmpty else {
      let shown =
        tags.names.first.map {
          "; the walks that have it are shown by \(run.call) list \("+\($0)".shellWord)"
        } ?? ""
      throw ValidationError(
        "there is no walk to tag", hint: "Say which, as in \(run.call) tag 3 +park\(shown).")
    }
    removed = try tags.removedNames(run.values.all(.untag))
    added = tags.names
    guard !added.isEmpty || !removed.isEmpty else {
      throw ValidationError("there is no tag", hint: "Say which, as in \(run.call) tag 3 +park.")
    }
    self.numbers = numbers
  }

  /// Returns the error about a word that is neither a number nor a tag.
  private static func complaint(
    about word: String, before next: String?, hasTags: Bool, _ run: CommandRun
  ) throws -> ValidationError {
    // A word that begins with a digit was meant as a number.
    if word.first?.isNumber == true { _ = try WalkNumbers([word], call: run.call) }
    let quoted = ValidationError.quoted(word)
    let bare = String(word.drop { "-\u{2212}".contains($0) })
    if run.values.operands.first == word,
      let command = Command.tag.specification.subcommandName(meantBy: word)
    {
      return ValidationError(
        "\(quoted) is neither the number of a walk nor a command",
        hint: "Did you mean \(run.call) tag \(command)?")
    }
    if run.values.operands == [word], CommandRun.isWordForShowing(word) {
      return ValidationError(
        "\(quoted) is not the number of a walk",
        hint: "Leave it out: \(run.call) tag shows which tags there are.")
    }
    if word == "+" {
      return ValidationError(
        "\"+\" stands alone",
        hint: "Write a tag as one word, +\((next ?? "park").escapingControls).")
    }
    guard !word.isEmpty else {
      return ValidationError("one word is empty", hint: "Leave it out, or write what it should be.")
    }
    if takingAway.contains(word.lowercased()) || bare != word {
      let name = (bare != word ? bare : next ?? "park").drop { $0 == "+" }
      return ValidationError(
        "\(quoted) is not the number of a walk",
        hint: "A tag is removed with \(String(name).shellValue(of: "untag")).")
    }
    if giving.contains(word.lowercased()) {
      return ValidationError(
        "\(quoted) is not the number of a walk",
        hint: "Leave it out, and write a tag as +park: \(run.call) tag 3 +park")
    }
    // With a tag before it, the word was most likely meant as walks.
    if hasTags { _ = try WalkNumbers([word], call: run.call) }
    return ValidationError(
      "\(quoted) is not the number of a walk",
      hint: "A tag is \(TypedTags.option(for: word) ?? "+\(word.escapingControls)").")
  }

  /// Words for adding a tag.
  private static let giving = ["add", "give", "set", "with", "as"]

  /// Words for removing a tag.
  private static let takingAway = [
    "untag", "remove", "rm", "delete", "del", "without", "no", "not",
  ]
}

@available(*, unavailable)
extension TagRequest: Sendable {}

/// The list of all tags.
private struct TagList {
  private let run: CommandRun
  private let tags: [(tag: Tag, walks: Int)]

  init(_ run: CommandRun) throws {
    self.run = run
    tags = try run.log().tagCounts()
  }

  func write() throws {
    if run.values.contains(.json) {
      return try run.writeJSON(tags)
    }
    var table = TextTable(alignments: [.left, .right])
    for (tag, walks) in tags {
      table.append(["+\(tag.name.escapingControls)", walks == 1 ? "1 walk" : "\(walks) walks"])
    }
    for line in table.wrappedLines(width: run.terminal.isTerminal ? run.terminal.columns : .max) {
      try run.output.writeLine(line)
    }
    if tags.isEmpty { try run.note("No tags yet. Give a walk one: \(run.call) tag 3 +park") }
  }
}

@available(*, unavailable)
extension TagList: Sendable {}

import CommandLineKit
import DataFormats
import DogWalkModel

extension Command {
  /// `dogwalk walkers`: shows the walkers.
  static let walkers = Command(
    CommandSpecification(
      abstract: "Show who walks the dogs, how often and how long.",
      examples: [
        .init("dogwalk walkers", "everybody who has walked a dog"),
        .init("dogwalk walkers rename ana Anna", "a new spelling of the name"),
        .init("dogwalk walkers merge Mum Ana", "Mum's walks are Ana's"),
      ],
      options: [.json],
      surplusHint: "dogwalk walkers shows who walks, and dogwalk list --by NAME their walks.",
      discussion: [
        "A walk of several dogs counts as one walk of its walker, and its minutes count "
          + "once. Names are compared without case: ana and Ana are the same.",
        "The walker is the one of --by, else of $DOGWALK_BY, else of dogwalk config by.",
      ]),
    isReading: true,
    subcommands: [.init("rename", .renameWalker), .init("merge", .mergeWalkers)]
  ) { run in
    let tallies = try run.log().performReading { try WalkerTally.all(in: run) }
    if run.values.contains(.json) {
      try run.writeJSON(tallies)
    } else {
      try run.write(tallies)
    }
    if tallies.isEmpty {
      try run.note("Nobody yet. Say who walks: \(run.call) add Fido 35m --by Ana")
    }
  }

  /// `dogwalk walkers rename`: renames a walker.
  static let renameWalker = Command(
    CommandSpecification(
      abstract: "Rename a walker, in all walks.",
      examples: [
        .init("dogwalk walkers rename Mum Ana", "Mum is Ana from now on"),
        .init("dogwalk walkers rename ana 'Ana Maria'", "quotes for a name with a space"),
      ],
      arguments: [
        Argument("OLD", help: "the walker's name", completion: .walkers),
        Argument("NEW", help: "the new name"),
      ],
      options: [.json], surplusHint: "A name with spaces needs quotes: \"Ana Maria\".")
  ) { run in
    let name = try TypedText.name(run.values.operands[1], of: "the walker")
    let (walker, old) = try run.log().performWriting {
      let walkers = try run.log().walkers()
      let walker = try run.walker(named: run.values.operands[0], among: walkers)
      let key = NameKey.of(name)
      if let other = walkers.first(where: { $0.nameKey == key }), other !== walker {
        throw Complaint(
          .no, "there is a walker \(ValidationError.quoted(other.name)) already",
          hint: "To give that one these walks: \(run.call) walkers merge "
            + [walker.name, other.name].shellOperands)
      }
      let old = walker.name
      walker.name = name
      walker.nameKey = key
      try run.log().save()
      return (walker, old)
    }
    run.hasChanged = old != name
    if run.values.contains(.json) {
      return try run.writeJSON(WalkerTally.all(in: run).filter { $0.walker === walker })
    }
    let new = name.escapingControls
    try run.say(
      run.hasChanged
        ? "Renamed \(old.escapingControls) to \(new)\(new.last == "." ? "" : ".")"
        : "\(new) is the name already.")
  }
}

extension CommandRun {
  /// Returns the walker with a name, in any spelling.
  func walker(named typed: String, among walkers: [Walker]) throws -> Walker {
    let key = NameKey.of(typed)
    if let walker = walkers.first(where: { $0.nameKey == key }) { return walker }
    throw Complaint(
      no: "walker", named: typed, of: values.operands, among: walkers.map(\.name),
      none: "Nobody has walked yet.")
  }

  fileprivate func write(_ tallies: [WalkerTally]) throws {
    let now = try clock().now
    var table = TextTable(alignments: [.left, .right, .right, .left])
    for tally in tallies {
      let last = tally.last.map { "last \($0.reading(now: now))" } ?? ""
      table.append([
        tally.walker.name.escapingControls,
        "\(tally.count) \(tally.count == 1 ? "walk" : "walks")",
        Duration.total(tally.seconds).reading, last,
      ])
    }
    for line in table.wrappedLines(width: terminal.isTerminal ? terminal.columns : .max) {
      try output.writeLine(line)
    }
  }

  func writeJSON(_ tallies: [WalkerTally]) throws {
    try writeDocument("walkers", of: tallies) { json, tally in
      json.member("name", tally.walker.name)
      json.member("walks", tally.count)
      json.member("minutes", (tally.seconds / 60).hundredths)
      json.member("last", tally.last?.iso8601)
    }
  }
}

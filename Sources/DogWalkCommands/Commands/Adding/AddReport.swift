import CommandLineKit
import DataFormats
import DogWalkModel

/// The output of `dogwalk add`.
struct AddReport {
  /// The result of adding.
  let added: WalkLog.Added
  /// The walks to be added.
  let request: AddRequest
  /// The run that added them.
  let run: CommandRun

  /// Prints what was added on standard output, and notes about it on standard error.
  func write() throws {
    if run.values.contains(.json) {
      var json = JSONWriter()
      json.document("added", added.walks, zone: run.zone)
      try json.drain(into: run.output)
    } else {
      var newDogs = added.newDogs
      for walk in added.walks {
        // Each new dog is mentioned once.
        let index = walk.dog.flatMap { newDogs.firstIndex(of: $0) }
        if let index { newDogs.remove(at: index) }
        try run.say(try line(walk, isNew: index != nil))
      }
      for walk in added.known {
        let start = try walk.start(in: run.zone).reading(now: run.clock().now)
        try run.say("Walk \(walk.number) already exists: \(walk.reading(start)).")
      }
    }
    try noteUnwritten()
    for dog in added.newDogs { try run.noteHiding(dog.name) }
    try noteOverlaps()
    if added.drafts == 1 {
      try run.noteLength(of: added.walks, remedy: "delete")
    } else {
      for walk in added.walks { try run.noteLength(of: [walk], remedy: "delete") }
    }
  }

  private func line(_ walk: Walk, isNew: Bool) throws -> String {
    let now = try run.clock().now
    let start = walk.start(in: run.zone).reading(now: now)
    let newNames = CommandRun.newNames(
      walkers: added.newWalker.map { [$0.name] } ?? [], tags: added.newTags)
    let what = walk.wholeReading(start, tags: hasTags ? walk.tagNames : [], namesNoLength: true)
    return "Added walk \(walk.number): \(what)."
      + (isNew ? " (New dog: \(walk.shownDogName).)" : "")
      + (walk === added.walks.last ? newNames : "")
  }

  /// Whether any walk was given tags.
  private var hasTags: Bool { request.drafts.contains { !$0.tags.isEmpty } }

  /// Reports what else was given and is not written, since the walks are there already.
  ///
  /// Walks that lack the same are in one line.
  private func noteUnwritten() throws {
    var lacking: [(options: String, numbers: [String])] = []
    for walk in added.known {
      let options = optionsLacking(in: walk)
      guard !options.isEmpty else { continue }
      if let index = lacking.firstIndex(where: { $0.options == options }) {
        lacking[index].numbers.append(String(walk.number))
      } else {
        lacking.append((options, [String(walk.number)]))
      }
    }
    for (options, numbers) in lacking {
      try run.note(
        "Note: the other values were not saved. To add them: \(run.call) edit "
          + "\(TypedWords.text(of: numbers)) \(options)")
    }
  }

  /// Returns the options of `dogwalk edit` that give a walk what it lacks; empty for nothing.
  private func optionsLacking(in walk: Walk) -> String {
    guard let draft = request.drafts.first else { return "" }
    var options: [String] = []
    if let note = draft.note, note != walk.note { options.append(note.shellValue(of: "note")) }
    if let walker = draft.walker, NameKey.of(walker) != walk.walkerName.map(NameKey.of) {
      options.append(walker.shellValue(of: "by"))
    }
    for (option, count, known) in [
      ("--pee", draft.peeCount, walk.peeCount), ("--poo", draft.pooCount, walk.pooCount),
    ] {
      if let count, count != known.map({ Int($0) }) {
        options.append(count == 1 ? option : "\(option)=\(count)")
      }
    }
    let known = Set(walk.tagNames.map(NameKey.of))
    options += draft.tags.filter { !known.contains(NameKey.of($0)) }.map { "+\($0)".shellWord }
    return TypedWords.text(of: options)
  }

  private func noteOverlaps() throws {
    for other in added.overlaps {
      try run.noteOverlap(
        of: other.walk, other.there, remedy: "delete \(other.walk.number)")
    }
  }
}

@available(*, unavailable)
extension AddReport: Sendable {}

import CommandLineKit
import DataFormats
import DogWalkModel
import ManagedObjects

/// The output of `dogwalk edit`.
struct EditReport {
  /// The walks with their new values.
  private let walks: [Walk]
  /// Whether they may be longer now.
  private let isLonger: Bool
  /// The run that changed them.
  private let run: CommandRun
  /// The walks whose values have changed.
  private let changed: Set<Walk>
  /// The text about new names.
  private let newNames: String
  /// Holds the objects whose names are printed.
  private let named: [ManagedObject]

  /// Creates a report on walks before their changes are saved.
  init(on walks: [Walk], isLonger: Bool = false, run: CommandRun) {
    self.walks = walks
    self.isLonger = isLonger
    self.run = run
    named = walks.flatMap { $0.readNames() }
    changed = Set(walks.filter(\.hasPersistentChangedValues))
    newNames = CommandRun.newNames(
      walkers: walks.lazy.compactMap(\.walker).filter(\.isInserted).prefix(1).map(\.name),
      tags: Walk.newTags(of: walks))
  }

  /// The walks that differ from their stored values.
  var changedWalks: [Walk] { walks.filter(changed.contains) }

  /// Whether there is something to save.
  var hasChanges: Bool { !changed.isEmpty }

  /// Prints the walks' new values on standard output, and notes about them on standard error.
  ///
  /// - Parameter overlaps: The walks that overlap another walk of the same dog, each with that
  ///   walk.
  func write(overlaps: [(walk: Walk, there: Walk)] = []) throws {
    if run.values.contains(.json) {
      var json = JSONWriter()
      json.document(
        "changed", changedWalks,
        unchanged: walks.filter { !changed.contains($0) }, zone: run.zone)
      try json.drain(into: run.output)
    } else {
      let now = try run.clock().now
      for walk in walks {
        let start = walk.start(in: run.zone).fullReading(now: now)
        let whole = walk.wholeReading(start)
        let line =
          changed.contains(walk)
          ? "Changed walk \(walk.number): \(whole)."
          : "Walk \(walk.number) is already like that: \(whole)."
        try run.say(line + (walk === walks.last ? newNames : ""))
      }
    }
    let others = Dictionary(overlaps.map { ($0.walk, $0.there) }) { first, _ in first }
    for (walk, there) in overlaps {
      // Of two walks that overlap each other, only one is noted.
      guard others[there] !== walk || walk.number > there.number else { continue }
      try run.noteOverlap(of: walk, there, remedy: "undo")
    }
    guard isLonger else { return }
    for walk in walks { try run.noteLength(of: [walk], remedy: "undo", isNumbered: false) }
  }
}

extension CommandRun {
  /// Returns the text about new dogs, walkers and tags that follows what was done.
  ///
  /// An example is ` (New dog: Fido.) (New tags: +park and +rain.)`.
  static func newNames(
    dogs: [String] = [], walkers: [String], tags: [String]
  ) -> String {
    var text = ""
    for (kind, names) in [("dog", dogs), ("walker", walkers), ("tag", tags.map { "+\($0)" })]
    where !names.isEmpty {
      // A name that reads as several is quoted.
      let names = names.map { $0.contains(",") || $0.contains(" and ") ? "\"\($0)\"" : $0 }
      text += " (New \(names.count == 1 ? kind : "\(kind)s"): \(sentenceList(names)).)"
    }
    return text
  }

  /// Notes which of the tags to be removed none of the walks had.
  ///
  /// - Parameter tags: The names of the walks' tags before the removal.
  func noteMissing(_ removed: [String], among tags: [String], of walks: [Walk]) throws {
    for name in removed where KnownNames.name(name, among: tags) == nil {
      let near = nearest(to: name, among: tags, by: NameKey.of).map { " Did you mean +\($0)?" }
      let pronoun = walks.count == 1 ? "it" : "them"
      try note(
        "Note: there is no tag \(ValidationError.quoted("+\(name)")) on \(pronoun).\(near ?? "")"
      )
    }
  }
}

@available(*, unavailable)
extension EditReport: Sendable {}

import CommandLineKit
import DataFormats
import DogWalkModel
import ManagedObjects

/// What `dogwalk edit` says when it is done.
struct EditReport {
  /// The walks as they are now.
  private let walks: [Walk]
  /// Whether they may be longer now.
  private let isLonger: Bool
  /// The run that changed them.
  private let run: CommandRun
  /// The walks whose values have changed.
  private let changed: Set<Walk>

  /// A report on walks, made before their changes are saved.
  init(on walks: [Walk], isLonger: Bool = false, run: CommandRun) {
    self.walks = walks
    self.isLonger = isLonger
    self.run = run
    changed = Set(walks.filter(\.hasPersistentChangedValues))
  }

  /// Whether there is something to save.
  var hasChanges: Bool { !changed.isEmpty }

  /// Says how the walks are now, on standard output; and what is odd about them, on standard error.
  ///
  /// - Parameter overlaps: The walks at whose time the same dog was out, and the walk that was
  ///   there.
  func write(overlaps: [(walk: Walk, there: Walk)] = []) throws {
    if run.values.contains(.json) {
      var json = JSONWriter()
      json.document("changed", walks, zone: run.zone)
      try json.drain(into: run.output)
    } else {
      let now = try run.clock().now
      for walk in walks {
        let start = walk.start(in: run.zone).fullReading(now: now)
        let whole = walk.wholeReading(start)
        try run.say(
          changed.contains(walk)
            ? "Changed walk \(walk.number): \(whole)."
            : "Walk \(walk.number) is so already: \(whole).")
      }
    }
    for (walk, there) in overlaps {
      try run.noteOverlap(of: walk, there, remedy: "dogwalk undo")
    }
    guard isLonger else { return }
    for walk in walks { try run.noteLength(of: [walk], remedy: "dogwalk edit", " 35m") }
  }
}

@available(*, unavailable)
extension EditReport: Sendable {}

import CommandLineKit
import DataFormats
import DogWalkModel

/// What `dogwalk edit` says when it is done.
struct EditReport {
  /// The walks as they are now.
  let walks: [Walk]
  /// Whether they may be longer now.
  var isLonger = false
  /// The run that changed them.
  let run: CommandRun

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
        try run.say("Changed walk \(walk.number): \(walk.wholeReading(start)).")
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

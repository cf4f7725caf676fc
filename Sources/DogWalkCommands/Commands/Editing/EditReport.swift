import CommandLineKit
import DataFormats
import DogWalkModel

/// What `dogwalk edit` says when it is done.
struct EditReport {
  /// The walk as it is now.
  let walk: Walk
  /// What was asked for.
  let request: EditRequest
  /// The run that changed it.
  let run: CommandRun

  /// Says how the walk is now, on standard output; and what is odd about it, on standard error.
  ///
  /// - Parameter overlap: A walk of the same dog at that time, where it was looked for.
  func write(overlap: Walk?) throws {
    if run.values.contains(.json) {
      var json = JSONWriter()
      json.document("changed", [walk], zone: run.zone)
      try json.drain(into: run.output)
    } else {
      let now = try run.clock().now
      let start = walk.start(in: run.zone).fullReading(now: now)
      try run.say("Changed walk \(walk.number): \(walk.wholeReading(start)).")
    }
    if let overlap { try run.noteOverlap(of: walk, overlap, remedy: "dogwalk undo") }
    if request.isLonger {
      try run.noteLength(of: [walk], remedy: "dogwalk edit", " 35m")
    }
  }
}

@available(*, unavailable)
extension EditReport: Sendable {}

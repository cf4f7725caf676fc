import CommandLineKit
import DogWalkModel

/// What `dogwalk edit` says when it is done.
struct EditReport {
  /// The walk as it is now.
  let walk: Walk
  /// The run that changed it.
  let run: CommandRun

  /// Says how the walk is now, on standard output; and what is odd about it, on standard error.
  func write() throws {
    if run.values.contains(.json) {
      var json = JSONWriter()
      json.document("changed", [walk], zone: run.zone)
      try json.drain(into: run.output)
    } else {
      let now = try run.clock().now
      let start = walk.start(in: run.zone).fullReading(now: now)
      try run.say("Changed walk \(walk.number): \(walk.wholeReading(start)).")
    }
    let isTimed = !run.values.given(among: [.toDog, .at, .duration]).isEmpty
    if isTimed, let twin = try run.log().twin(of: walk) {
      try run.note(
        "Note: walk \(twin.number) of \(twin.shownDogName) is the same. "
          + "If that is one too many: dogwalk delete \(walk.number)")
    }
    if run.values.contains(.duration) {
      try run.noteLength(of: [walk], remedy: "dogwalk edit", " --duration 35m")
    }
  }
}

@available(*, unavailable)
extension EditReport: Sendable {}

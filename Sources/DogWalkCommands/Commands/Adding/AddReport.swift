import CommandLineKit
import DataFormats
import DogWalkModel

/// What `dogwalk add` says when it is done.
struct AddReport {
  /// What was written down.
  let added: WalkLog.Added
  /// The run that did it.
  let run: CommandRun

  /// Says what was added, on standard output; and what is odd about it, on standard error.
  func write() throws {
    if run.values.contains(.json) {
      var json = JSONWriter()
      json.document("added", added.walks, zone: run.zone)
      try json.drain(into: run.output)
    } else {
      for walk in added.walks { try run.say(try line(walk)) }
    }
    for dog in added.newDogs { try run.noteHiding(dog.name) }
    try noteOverlaps()
    let long = added.walks.filter { ($0.seconds ?? 0) == (added.walks[0].seconds ?? 0) }
    if long.count == added.walks.count {
      try run.noteLength(of: long, remedy: "dogwalk delete")
    } else {
      for walk in added.walks { try run.noteLength(of: [walk], remedy: "dogwalk delete") }
    }
  }

  private func line(_ walk: Walk) throws -> String {
    let now = try run.clock().now
    let start = walk.start(in: run.zone).reading(now: now)
    let isNew = walk.dog.map(added.newDogs.contains) ?? false
    let length = walk.seconds == nil ? ", no length" : ""
    let walker = walk === added.walks.last ? added.newWalker : nil
    let newWalker = walker.map { " (New walker: \($0.name.escapingControls).)" } ?? ""
    return "Added walk \(walk.number): \(walk.reading(start))\(length)."
      + (isNew ? " (New dog: \(walk.shownDogName).)" : "") + newWalker
  }

  private func noteOverlaps() throws {
    for other in added.overlaps {
      try run.noteOverlap(
        of: other.walk, other.there, remedy: "dogwalk delete \(other.walk.number)")
    }
  }
}

@available(*, unavailable)
extension AddReport: Sendable {}

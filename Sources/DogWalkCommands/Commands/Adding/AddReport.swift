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
    try run.noteLength(of: added.walks, remedy: "dogwalk delete")
  }

  private func line(_ walk: Walk) throws -> String {
    let now = try run.clock().now
    let start = walk.start(in: run.zone).reading(now: now)
    let isNew = walk.dog.map(added.newDogs.contains) ?? false
    return "Added walk \(walk.number): \(walk.reading(start))."
      + (isNew ? " (New dog: \(walk.shownDogName).)" : "")
  }

  private func noteOverlaps() throws {
    for other in added.overlaps {
      guard let walk = added.walks.first(where: { $0.dog === other.dog }) else { continue }
      try run.noteOverlap(of: walk, other, remedy: "dogwalk delete \(walk.number)")
    }
  }
}

@available(*, unavailable)
extension AddReport: Sendable {}

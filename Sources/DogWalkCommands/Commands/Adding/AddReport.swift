import CommandLineKit
import DogWalkModel

/// What `dogwalk add` says when it is done.
struct AddReport {
  /// What was written down.
  let added: WalkLog.Added
  /// The run that did it.
  let run: CommandRun

  /// The longest walk that nobody wonders about, in seconds.
  private static let longestUsual = 6.0 * 3600

  /// Says what was added, on standard output; and what is odd about it, on standard error.
  func write() throws {
    if run.values.contains(.json) {
      var json = JSONWriter()
      json.document("added", added.walks, zone: run.zone)
      try json.drain(into: run.output)
    } else {
      for walk in added.walks { try run.say(try line(walk)) }
    }
    for dog in added.newDogs where WalkWords.hides(dog.name) {
      let name = dog.name.escapingControls
      let meaning = WalkWords.isTime(dog.name) ? "time" : "duration"
      try run.note("Note: \(name) is also a \(meaning). Write --dog \(name) for the dog.")
    }
    try noteTwins()
    try noteLength()
  }

  private func line(_ walk: Walk) throws -> String {
    let now = try run.clock().now
    let start = walk.start(in: run.zone).reading(now: now)
    let isNew = walk.dog.map(added.newDogs.contains) ?? false
    return "Added walk \(walk.number): \(walk.reading(start))."
      + (isNew ? " (New dog: \(walk.shownDogName).)" : "")
  }

  private func noteTwins() throws {
    for twin in added.twins {
      guard let walk = added.walks.first(where: { $0.dog === twin.dog }) else { continue }
      try run.note(
        "Note: walk \(twin.number) of \(twin.shownDogName) is the same. "
          + "If that is one too many: dogwalk delete \(walk.number)")
    }
  }

  private func noteLength() throws {
    guard let seconds = added.walks.first?.duration, seconds > Self.longestUsual else { return }
    let numbers = TypedWords.text(of: added.walks.map { String($0.number) })
    try run.note(
      "Note: \(Duration.seconds(seconds).reading) is long for a walk. "
        + "If that is a slip: dogwalk delete \(numbers)")
  }
}

@available(*, unavailable)
extension AddReport: Sendable {}

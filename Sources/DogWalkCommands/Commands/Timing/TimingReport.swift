import CommandLineKit
import DataFormats
import DogWalkModel

/// What `dogwalk start` and `stop` say when they are done.
struct TimingReport {
  /// The walks that began or ended.
  let walks: [Walk]
  /// The dogs that were not there before.
  let newDogs: [Dog]
  /// The run that did it.
  let run: CommandRun

  /// Says it for each walk, as in `Started walk 3: Fido, today 18:00, by Ana.`.
  ///
  /// - Parameters:
  ///   - verb: The word that each line begins with.
  ///   - name: What the walks are called in JSON.
  func write(_ verb: String, as name: String) throws {
    if run.values.contains(.json) {
      var json = JSONWriter()
      json.document(name, walks, zone: run.zone)
      return try json.drain(into: run.output)
    }
    let now = try run.clock().now
    for walk in walks {
      let start = walk.start(in: run.zone).reading(now: now)
      let what =
        walk.isOngoing ? "\(walk.shownDogName), \(start)\(walk.details)" : walk.reading(start)
      let isNew = walk.dog.map(newDogs.contains) ?? false
      try run.say(
        "\(verb) walk \(walk.number): \(what)."
          + (isNew ? " (New dog: \(walk.shownDogName).)" : ""))
    }
  }
}

@available(*, unavailable)
extension TimingReport: Sendable {}

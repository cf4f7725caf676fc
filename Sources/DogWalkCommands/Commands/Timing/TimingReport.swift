import CommandLineKit
import DataFormats
import DogWalkModel
import ManagedObjects

/// The output of `dogwalk start`, `continue` and `stop`.
struct TimingReport {
  /// The walks that began or ended.
  private let walks: [Walk]
  /// The new dogs.
  private let newDogs: [Dog]
  /// The text about other new names.
  private let newNames: String
  /// Holds the objects whose names are printed.
  private let named: [ManagedObject]
  /// The run that changed them.
  private let run: CommandRun

  /// Creates a report on walks that were started.
  init(_ added: WalkLog.Added, _ run: CommandRun) {
    walks = added.walks
    named = walks.flatMap { $0.readNames() }
    newDogs = added.newDogs
    newNames = CommandRun.newNames(
      walkers: added.newWalker.map { [$0.name] } ?? [], tags: added.newTags)
    self.run = run
  }

  /// Creates a report on walks that end, before they are saved.
  init(ending walks: [Walk], _ run: CommandRun) {
    self.walks = walks
    named = walks.flatMap { $0.readNames() }
    newDogs = []
    newNames = CommandRun.newNames(
      walkers: walks.lazy.compactMap(\.walker).filter(\.isInserted).prefix(1).map(\.name),
      tags: Walk.newTags(of: walks))
    self.run = run
  }

  /// Prints a line for each walk, as in `Started walk 3: Fido, today 18:00, by Ana.`.
  ///
  /// - Parameters:
  ///   - verb: The word at the beginning of each line.
  ///   - name: The name of the walks in JSON.
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
        walk.isOngoing
        ? "\(walk.shownDogName), \(start)\(walk.details)" : walk.wholeReading(start)
      let isNew = walk.dog.map(newDogs.contains) ?? false
      try run.say(
        "\(verb) walk \(walk.number): \(what)."
          + (isNew ? " (New dog: \(walk.shownDogName).)" : "")
          + (walk === walks.last ? newNames : ""))
    }
  }
}

@available(*, unavailable)
extension TimingReport: Sendable {}

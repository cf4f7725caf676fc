import ManagedObjects
import SystemLibraries

extension WalkMerge {
  /// The walks there are, by the tracks that were recorded on them.
  ///
  /// All tracks are read once, when the first is looked for: as many files as a folder has would
  /// each read them all.
  struct Recorded {
    private let known: [Target]
    private let context: ManagedObjectContext
    private var targets: [SyncDigest: [Target]]?

    init(_ known: [Target], in context: ManagedObjectContext) {
      self.known = known
      self.context = context
    }

    /// The walk of a dog that a track was recorded on, whatever was changed about it since; nil for
    /// none.
    mutating func target(of dog: Dog, along track: TrackPoints) throws -> Target? {
      let points = Data(track.packed)
      let targets = try targets ?? read()
      self.targets = targets
      return targets[Self.number(of: points)]?.first {
        $0.walk?.dog == dog && $0.walk?.track?.points == points
      }
    }

    private func read() throws -> [SyncDigest: [Target]] {
      var byWalk: [ManagedObjectID: Target] = [:]
      for target in known { if let walk = target.walk { byWalk[walk.objectID] = target } }
      var targets: [SyncDigest: [Target]] = [:]
      let cursor = try context.cursor(for: Track.fetchRequest())
      defer { cursor.close() }
      while let track = try cursor.next() {
        guard let target = track.walk.flatMap({ byWalk[$0.objectID] }) else { continue }
        targets[Self.number(of: track.points), default: []].append(target)
      }
      return targets
    }

    private static func number(of points: Data) -> SyncDigest {
      SyncField(.track).digest(of: points)
    }
  }
}

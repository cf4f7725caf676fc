import ManagedObjects
import SystemLibraries

extension WalkMerge {
  /// The existing walks, by the tracks recorded on them.
  ///
  /// All tracks are read once, on the first lookup; otherwise each file of a folder would read them
  /// all.
  struct Recorded {
    private let known: [Target]
    private let context: ManagedObjectContext
    private var targets: [SyncDigest: [Target]]?

    init(_ known: [Target], in context: ManagedObjectContext) {
      self.known = known
      self.context = context
    }

    /// Returns the walk of a dog during which a track was recorded, regardless of later changes to
    /// the walk; nil for none.
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

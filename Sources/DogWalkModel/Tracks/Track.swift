public import ManagedObjects
import SystemLibraries

/// The route of a walk as a tracker recorded it; it is deleted with its walk.
///
/// momc generates its properties: `walk`, and `points` in the format of ``TrackPoints/packed``.
public final class Track: ManagedObject {
  public override class var overriddenMethods: OverriddenMethods { [] }
}

extension Walk {
  /// Returns the walk of a dog during which a track was recorded, regardless of later changes to
  /// the walk; nil for none.
  ///
  /// O(tracks of the dog).
  static func recorded(
    of dog: Dog, along track: TrackPoints, in context: ManagedObjectContext
  ) throws -> Walk? {
    guard !dog.isInserted else { return nil }
    var request = Walk.fetchRequest()
    request.predicate = .all([
      .compare(.init(.keyPath("dog"), .equal, .object(dog.objectID))),
      .compare(.init(.keyPath("track.points"), .equal, .constant(.binary(Data(track.packed))))),
    ])
    request.fetchLimit = 1
    return try context.fetch(request).first
  }

  /// The recorded track; nil if there is none, or if another program wrote invalid data.
  ///
  /// Reading it fetches a separate row.
  package var trackPoints: TrackPoints? {
    get { track.flatMap { TrackPoints(packed: Array($0.points)) } }
    set {
      guard let newValue else {
        if let track { managedObjectContext?.delete(track) }
        track = nil
        return
      }
      guard let context = managedObjectContext else { return }
      let track = self.track ?? Track(context: context)
      track.points = Data(newValue.packed)
      self.track = track
    }
  }
}

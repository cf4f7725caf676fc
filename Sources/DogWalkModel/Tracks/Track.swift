public import ManagedObjects
import SystemLibraries

/// The way that a walk took, as a tracker recorded it; it goes with its walk.
///
/// Its properties are written by momc: `walk`, and `points`, as ``TrackPoints/packed`` has them.
public final class Track: ManagedObject {
  public override class var overriddenMethods: OverriddenMethods { [] }
}

extension Walk {
  /// The walk of a dog that a track was recorded on, whatever was changed about it since; nil for
  /// none.
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

  /// The way that it took; nil where none was recorded, or another program wrote what is none.
  ///
  /// Reading it reads a row of its own.
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

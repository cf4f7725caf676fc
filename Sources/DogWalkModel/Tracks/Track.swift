public import ManagedObjects
import SystemLibraries

/// The way that a walk took, as a tracker recorded it; it goes with its walk.
///
/// Its properties are written by momc: `walk`, and `points`, as ``TrackPoints/packed`` has them.
public final class Track: ManagedObject {
  public override class var overriddenMethods: OverriddenMethods { [] }
}

extension Walk {
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

public import ManagedObjects
public import SystemLibraries

/// A walk with a dog.
///
/// Its properties are written by momc: `date` is when it began, `duration` its seconds, `distance`
/// its metres, `utcOffset` the seconds that the walker's clocks were ahead of UTC.
public final class Walk: ManagedObject {
  public override class var overriddenMethods: OverriddenMethods { [] }
}

extension Walk {
  /// The number that people call a walk by: its primary key, its own for ever.
  ///
  /// 0 before it is saved.
  public var number: Int64 { objectID.primaryKey ?? 0 }

  /// When it ended; nil where nobody said how long it was, or it is still going on.
  public var end: Date? {
    guard let start, let seconds else { return nil }
    return start.addingTimeInterval(seconds).inCalendar
  }
}

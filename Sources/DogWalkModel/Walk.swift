public import ManagedObjects
public import SystemLibraries

/// A walk with a dog.
///
/// momc generates its properties: `date` is the start, `duration` is in seconds, `distance` in
/// metres, and `utcOffset` is the offset of the walker's clock from UTC in seconds.
public final class Walk: ManagedObject {
  public override class var overriddenMethods: OverriddenMethods { [] }
}

extension Walk {
  /// The number by which users refer to the walk: its primary key, which is never reused.
  ///
  /// 0 before it is saved.
  public var number: Int64 { objectID.primaryKey ?? 0 }

  /// The end; nil if the duration is unknown, or if the walk is still ongoing.
  public var end: Date? {
    guard let start, let seconds else { return nil }
    return start.addingTimeInterval(seconds).inCalendar
  }
}

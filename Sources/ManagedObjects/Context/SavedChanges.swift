/// What a save did, for those who want to hear of it.
///
///     context.onSave { changes in
///       for case let dog as Dog in changes.inserted { print("New dog:", dog.name) }
///     }
///
/// Holds objects, so it stays in the context's isolation. Follows Core Data's
/// `NSManagedObjectContextDidSave`.
public struct SavedChanges {
  /// The objects that got their row; not those that took over a row that was there.
  public let inserted: [ManagedObject]
  /// The objects that were changed.
  public let updated: [ManagedObject]
  /// The IDs of the objects whose rows are gone.
  public let deleted: [ManagedObjectID]
}

@available(*, unavailable) extension SavedChanges: Sendable {}

extension ManagedObjectContext {
  /// Calls a closure after every save that changed something, once the store has committed it.
  public func onSave(_ observer: @escaping (SavedChanges) -> Void) {
    saveObservers.append(observer)
  }
}

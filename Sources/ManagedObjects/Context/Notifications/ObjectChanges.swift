/// What happened to the objects of a context, for its observers.
///
///     let observation = context.observe(.didSave) { changes in
///       for case let dog as Dog in changes.inserted { print("New dog:", dog.name) }
///     }
///
/// Holds objects, so it stays in the context's isolation; `ChangedObjectIDs` may leave it. Follows
/// the contents of Core Data's `NSManagedObjectContextObjectsDidChange` and its kin.
public struct ObjectChanges {
  /// The objects that are new; after a save those that got their row, and not those that took over
  /// a row that was there.
  public var inserted: [ManagedObject] = []
  /// The objects whose values or relationships were changed here.
  public var updated: [ManagedObject] = []
  /// The objects that are deleted, or whose rows are gone; still good for their `objectID`.
  public var deleted: [ManagedObject] = []
  /// The objects whose values were read anew, or given back by a rollback.
  public var refreshed: [ManagedObject] = []

  /// The objects that were made and deleted within the event: who has fetched in its middle knows
  /// them.
  var passing: [ManagedObject] = []

  /// Whether nothing happened.
  public var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
  }
}

@available(*, unavailable) extension ObjectChanges: Sendable {}

extension ObjectChanges {
  /// The IDs of the objects.
  ///
  ///     let observation = context.observe(.didSave) { outbox.append($0.objectIDs) }
  public var objectIDs: ChangedObjectIDs {
    ChangedObjectIDs(
      inserted: inserted.map(\.objectID), updated: updated.map(\.objectID),
      deleted: deleted.map(\.objectID), refreshed: refreshed.map(\.objectID))
  }
}

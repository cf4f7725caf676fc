/// The changes of a context's objects, for its observers.
///
///     let observation = context.observe(.didSave) { changes in
///       for case let dog as Dog in changes.inserted { print("New dog:", dog.name) }
///     }
///
/// Retains objects, so it stays in the context's isolation; `ChangedObjectIDs` may leave it.
/// Follows the contents of Core Data's `NSManagedObjectContextObjectsDidChange` and similar
/// notifications.
public struct ObjectChanges {
  /// The new objects.
  ///
  /// After a save these are the objects that received a row, not those that adopted an existing
  /// one.
  public var inserted: [ManagedObject] = []
  /// The objects whose values or relationships were changed here.
  public var updated: [ManagedObject] = []
  /// The objects that are deleted, or whose rows are missing; only their `objectID` is valid.
  public var deleted: [ManagedObject] = []
  /// The objects whose values were refreshed, or restored by a rollback.
  public var refreshed: [ManagedObject] = []

  /// The objects that were inserted and deleted within the event.
  ///
  /// They are needed by an observer that has fetched during it.
  var insertedAndDeleted: [ManagedObject] = []

  /// Whether there are no changes.
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

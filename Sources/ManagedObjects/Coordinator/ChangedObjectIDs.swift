/// The IDs of changed objects, which may leave a context's isolation.
///
///     for await changes in container.persistentStoreCoordinator.saves() {
///       try await importer.perform { try $0.mergeChanges(from: changes) }
///     }
///
/// A value. Follows the contents of Core Data's `didSaveObjectIDsNotification` and of the
/// dictionary that `mergeChanges(fromRemoteContextSave:into:)` takes.
public struct ChangedObjectIDs: Sendable, Hashable {
  /// The inserted objects.
  public var inserted: [ManagedObjectID]
  /// The objects whose values or relationships were changed.
  public var updated: [ManagedObjectID]
  /// The objects whose rows were deleted.
  public var deleted: [ManagedObjectID]
  /// The objects whose values were refreshed.
  public var refreshed: [ManagedObjectID]
  /// Whether more objects were changed than are listed: any object may have been.
  ///
  ///     if changes.isIncomplete { reloadEverything() }
  ///
  /// True for a reader that has fallen some 20,000 objects behind.
  public var isIncomplete = false

  /// Creates changes from lists of IDs.
  ///
  ///     try context.mergeChanges(from: ChangedObjectIDs(updated: [id]))
  public init(
    inserted: [ManagedObjectID] = [], updated: [ManagedObjectID] = [],
    deleted: [ManagedObjectID] = [], refreshed: [ManagedObjectID] = []
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.refreshed = refreshed
  }

  var count: Int { inserted.count + updated.count + deleted.count + refreshed.count }
}

extension ChangedObjectIDs {
  /// Changes that may concern any object.
  static let anything: ChangedObjectIDs = {
    var changes = ChangedObjectIDs()
    changes.isIncomplete = true
    return changes
  }()

  /// Combines several successive changes, with each object listed once.
  ///
  /// An object that was deleted and inserted again is updated, for contexts in which it is
  /// registered.
  init(joining changes: [ChangedObjectIDs]) {
    guard changes.count != 1 else {
      self = changes[0]
      return
    }
    enum Fate { case inserted, updated, deleted, refreshed }
    var fates: [ManagedObjectID: Fate] = [:]
    var order: [ManagedObjectID] = []
    func note(_ ids: [ManagedObjectID], _ fate: Fate) {
      for id in ids {
        switch (fates[id], fate) {
        case (nil, _):
          order.append(id)
          fates[id] = fate
        // Changes of several sources have no defined order: the update may be the older one.
        case (.deleted, .updated), (.deleted, .refreshed): continue
        case (.inserted, .updated), (.inserted, .refreshed), (.updated, .refreshed): continue
        case (.deleted, .inserted): fates[id] = .updated
        default: fates[id] = fate
        }
      }
    }
    for change in changes {
      note(change.deleted, .deleted)
      note(change.inserted, .inserted)
      note(change.updated, .updated)
      note(change.refreshed, .refreshed)
    }
    func ids(_ fate: Fate) -> [ManagedObjectID] { order.filter { fates[$0] == fate } }
    self.init(
      inserted: ids(.inserted), updated: ids(.updated), deleted: ids(.deleted),
      refreshed: ids(.refreshed))
    isIncomplete = changes.contains(where: \.isIncomplete)
  }
}

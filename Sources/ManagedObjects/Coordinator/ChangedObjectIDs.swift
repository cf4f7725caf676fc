/// Which objects were changed, by their IDs: what may leave a context's isolation.
///
///     for await changes in container.persistentStoreCoordinator.saves() {
///       try await importer.perform { try $0.mergeChanges(from: changes) }
///     }
///
/// A value. Follows the contents of Core Data's `didSaveObjectIDsNotification` and of the
/// dictionary that `mergeChanges(fromRemoteContextSave:into:)` takes.
public struct ChangedObjectIDs: Sendable, Hashable {
  /// The objects that are new.
  public var inserted: [ManagedObjectID]
  /// The objects whose values or relationships were changed.
  public var updated: [ManagedObjectID]
  /// The objects whose rows are gone.
  public var deleted: [ManagedObjectID]
  /// The objects whose values were read anew.
  public var refreshed: [ManagedObjectID]
  /// Whether more was changed than is named here: anything may have been.
  ///
  ///     if changes.isIncomplete { reloadEverything() }
  ///
  /// So it is for one who did not listen while some 20,000 objects were changed.
  public var isIncomplete = false

  /// Names some objects.
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
  /// Everything is to be taken for changed.
  static let anything: ChangedObjectIDs = {
    var changes = ChangedObjectIDs()
    changes.isIncomplete = true
    return changes
  }()

  /// What several changes come to, one after the other: each object once.
  ///
  /// One that was deleted and came back is updated, for whoever knows it.
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
        // Changes of several sources are in no order: the update may be the older one.
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

public import SystemLibraries

/// Changes that another process or another coordinator has saved into a store.
///
///     for try await change in try coordinator.remoteChanges(of: store) {
///       try await background.perform { try $0.mergeChanges(from: change.changes) }
///     }
///
/// A value. Follows the contents of Core Data's `NSPersistentStoreRemoteChange` notification, which
/// has no changes.
public struct PersistentStoreRemoteChange: Sendable, Hashable {
  /// The store's file.
  public let storeURL: URL
  /// The store's UUID.
  public let storeUUID: String
  /// The end of the history that has been read; nil if the store keeps none.
  public let historyToken: PersistentHistoryToken?
  /// The changed objects, for merging.
  ///
  /// For a store without a history any object may have changed (`ChangedObjectIDs.isIncomplete`).
  public let changes: ChangedObjectIDs
}

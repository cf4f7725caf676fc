public import SystemLibraries

/// What somebody else has saved into a store: another process, or another coordinator.
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
  /// The moment up to which the history has been read; nil where the store keeps none.
  public let historyToken: PersistentHistoryToken?
  /// What was changed, for merging; of a store without a history, anything may have been
  /// (`ChangedObjectIDs.isIncomplete`).
  public let changes: ChangedObjectIDs
}

import SystemLibraries

/// The reasons why stores cannot be synced, apart from `PersistentStoreError`.
package enum SyncError: Error, Sendable, Hashable {
  /// The records of earlier syncs in one of the stores are damaged or from a newer version.
  case unreadable
}

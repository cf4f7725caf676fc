/// What a store knows about its syncs.
package struct SyncStatus: Sendable {
  /// The stores that it was synced with, sorted by name.
  package let peers: [SyncPeer]
  /// The number of objects changed since; nil if it was never synced.
  package let changes: Int?
  /// Whether its records of earlier syncs are damaged, so that the next sync ignores and replaces
  /// them.
  package let hasDamagedRecords: Bool
}

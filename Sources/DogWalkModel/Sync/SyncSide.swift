/// One side of a sync.
package enum SyncSide: Sendable {
  /// The store with which the sync was called.
  case here
  /// The other store.
  case there

  /// The opposite side.
  package var other: SyncSide { self == .here ? .there : .here }
}

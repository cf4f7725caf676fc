/// Reads the changes that other processes save into stores with a history.
///
/// For contexts that merge automatically. A check costs somewhat more than the shortest of fetches.
/// Stores without a history, where anything may have changed, are ignored, and so are those on
/// servers.
final class RemoteChangePull {
  private weak let coordinator: PersistentStoreCoordinator?
  /// The readers of the stores; nil for a store that does not report changed objects.
  private var readers: [(store: PersistentStoreIdentity, reader: RemoteChangeReader?)] = []

  init(_ coordinator: PersistentStoreCoordinator) {
    self.coordinator = coordinator
    // A store that cannot be read now counts as a new one at the next check.
    _ = try? coordinator.locked { try followNewStores(of: coordinator) }
  }

  /// The changes that were saved since the last call.
  ///
  /// Returns none while another thread holds the lock, or in the body of a `performReading`: they
  /// are returned by a later call.
  ///
  /// - Throws: `PersistentStoreError` if a store cannot be read.
  func take() throws -> [ChangedObjectIDs] {
    guard let coordinator, coordinator.reading == nil, coordinator.lock.tryEnter() != nil else {
      return []
    }
    defer { coordinator.lock.leave() }
    // Changes before the first check of a store are unknown.
    var changes: [ChangedObjectIDs] =
      try followNewStores(of: coordinator) ? [.anything] : []
    for (store, reader) in readers {
      switch try reader?.look() {
      case .change(let change): changes.append(change.changes)
      case .end: readers.removeAll { $0.store === store }
      case .nothing, nil: break
      }
    }
    return changes
  }

  /// Begins to check stores that were added; returns whether one keeps a history.
  private func followNewStores(of coordinator: PersistentStoreCoordinator) throws -> Bool {
    var isOneFollowed = false
    for store in coordinator.rowStores
    where !readers.contains(where: { $0.store === store.identity }) {
      // Checking a server would cost a round trip for each fetch.
      guard store is SQLiteStore else {
        readers.append((store.identity, nil))
        continue
      }
      let reader = try RemoteChangeReader(store, of: coordinator)
      readers.append((store.identity, reader.namesChanges ? reader : nil))
      isOneFollowed = isOneFollowed || reader.namesChanges
    }
    return isOneFollowed
  }
}

@available(*, unavailable) extension RemoteChangePull: Sendable {}

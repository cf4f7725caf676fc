/// What others save into the stores that keep a history, taken whenever a context asks: for those
/// that merge by themselves.
///
/// A look costs somewhat more than the shortest of fetches. Of stores without a history, where
/// anything may have changed, it takes nothing, nor of those on servers.
final class RemoteChangePull {
  private weak let coordinator: PersistentStoreCoordinator?
  /// Those who look, by their stores; nil of a store whose changes nobody could name.
  private var readers: [(store: PersistentStoreIdentity, reader: RemoteChangeReader?)] = []

  init(_ coordinator: PersistentStoreCoordinator) {
    self.coordinator = coordinator
    // A store that cannot be read now is one that has come since, for the next look.
    _ = try? coordinator.locked { try followNewStores(of: coordinator) }
  }

  /// What was saved since the last time; nothing while another thread is in a store, or the body of
  /// a `performReading` goes on: it is taken the next time then.
  ///
  /// - Throws: `PersistentStoreError` where a store cannot be read.
  func take() throws -> [ChangedObjectIDs] {
    guard let coordinator, coordinator.reading == nil, coordinator.lock.tryEnter() != nil else {
      return []
    }
    defer { coordinator.lock.leave() }
    // What was changed in a store before anybody looked is not known.
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

  /// Begins to look at stores that have come; tells whether one keeps a history.
  private func followNewStores(of coordinator: PersistentStoreCoordinator) throws -> Bool {
    var isOneFollowed = false
    for store in coordinator.rowStores
    where !readers.contains(where: { $0.store === store.identity }) {
      // A look at a server would be a round trip for each fetch.
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

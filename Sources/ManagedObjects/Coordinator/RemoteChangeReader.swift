/// Checks whether another process has saved into a store, from its creation on.
final class RemoteChangeReader: @unchecked Sendable {
  /// The result of a check.
  enum PollResult {
    /// Nothing has changed; with the traces in which a change will be visible.
    case nothing(ChangeDetection)
    case change(PersistentStoreRemoteChange)
    /// The coordinator was deallocated.
    case end
  }

  /// Notified when stores are added and removed, and when the coordinator is deallocated.
  let followers: RemoteChangeWaiters
  private weak let coordinator: PersistentStoreCoordinator?
  private let store: PersistentStoreIdentity
  // Both guarded by the coordinator's lock.
  private var version: Int64
  private var transaction: Int64?

  init(_ store: any RowStore, of coordinator: PersistentStoreCoordinator) throws {
    self.coordinator = coordinator
    followers = coordinator.followers
    self.store = store.identity
    // The number is read first: changes in between are reported twice rather than not at all.
    (version, transaction) = try coordinator.locked {
      (
        try store.changeCount(),
        try (store as? any HistoryStore)?.lastHistoryTransaction()
      )
    }
  }

  /// Whether a history lists the changed objects.
  var namesChanges: Bool { transaction != nil }

  /// Checks whether anything was saved since the last check.
  ///
  /// - Throws: `PersistentStoreError`.
  func look() throws -> PollResult {
    guard let coordinator,
      let store = coordinator.rowStores.first(where: { $0.identity === self.store })
    else { return .end }
    return try coordinator.locked {
      let now = try store.changeCount()
      guard now != version else { return .nothing(store.traces) }
      // Only a store in tables has a history that lists the changed objects.
      let tables = store as? any HistoryStore
      let last = try tables?.lastHistoryTransaction()
      let changes = try tables?.changesOfOthers(after: transaction, upTo: last) ?? .anything
      (version, transaction) = (now, last)
      guard changes.isIncomplete || changes.count > 0 else { return .nothing(store.traces) }
      return .change(
        PersistentStoreRemoteChange(
          storeURL: store.urlForErrors, storeUUID: store.identifier,
          historyToken: last.map {
            PersistentHistoryToken(transactions: [store.identifier: $0])
          }, changes: changes))
    }
  }
}

/// The maximum number of listed objects; if more were changed, anything may have been.
private let mostNamed = 20_000

extension HistoryStore {
  /// The changes by other processes between two transactions of the history.
  ///
  /// If the history does not list them, anything may have changed.
  fileprivate func changesOfOthers(after first: Int64?, upTo last: Int64?) throws
    -> ChangedObjectIDs
  {
    guard let first, let last else { return .anything }
    let token = PersistentHistoryToken(transactions: [identifier: first])
    var request = PersistentHistoryChangeRequest.fetchHistory(after: token)
    do {
      request.resultType = .count
      if try history(request).count > mostNamed { return .anything }
      request.resultType = .transactionsAndChanges
      let others = try history(request).transactions.filter { transaction in
        transaction.transactionNumber <= last
          && history?.own.contains { $0.contains(transaction.transactionNumber) } != true
      }
      return others.isEmpty
        ? ChangedObjectIDs() : ChangedObjectIDs(joining: others.map(\.objectIDs))
    } catch is PersistentHistoryError {
      return .anything
    }
  }
}

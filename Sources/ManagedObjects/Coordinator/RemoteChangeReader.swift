/// One who looks whether others have saved into a store, from the moment it was made.
final class RemoteChangeReader: @unchecked Sendable {
  /// What a look has come to.
  enum Look {
    /// Nothing has changed; where it will show when something does.
    case nothing(StoreTraces)
    case change(PersistentStoreRemoteChange)
    /// The coordinator is gone.
    case end
  }

  /// Told when stores come and go, and when the coordinator does.
  let followers: StoreFollowers
  private weak let coordinator: PersistentStoreCoordinator?
  private let store: PersistentStoreIdentity
  // Both guarded by the coordinator's lock.
  private var version: Int64
  private var transaction: Int64?

  init(_ store: any RowStore, of coordinator: PersistentStoreCoordinator) throws {
    self.coordinator = coordinator
    followers = coordinator.followers
    self.store = store.identity
    // The number first: what comes between is told once too often, never once too few.
    (version, transaction) = try coordinator.locked {
      (
        try store.changeCount(),
        try (store as? any HistoryStore)?.lastHistoryTransaction()
      )
    }
  }

  /// Whether a history names what is changed.
  var namesChanges: Bool { transaction != nil }

  /// Looks whether anything was saved since the last look.
  ///
  /// - Throws: `PersistentStoreError`.
  func look() throws -> Look {
    guard let coordinator,
      let store = coordinator.rowStores.first(where: { $0.identity === self.store })
    else { return .end }
    return try coordinator.locked {
      let now = try store.changeCount()
      guard now != version else { return .nothing(store.traces) }
      // Only one in tables has a history that could name what was changed.
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

/// So many objects are named; where more were changed, anything may have been.
private let mostNamed = 20_000

extension HistoryStore {
  /// What others have changed between two transactions of the history; anything where that does not
  /// tell.
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

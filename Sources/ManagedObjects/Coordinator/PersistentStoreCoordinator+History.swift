/// The history of the stores that keep one, with the changes of all processes.
extension PersistentStoreCoordinator {
  /// The current end of the stores' history; nil if none of them keeps one.
  ///
  ///     let seen = try coordinator.currentPersistentHistoryToken()
  ///
  /// The starting point for following the history. Reads one number from each store. Follows Core
  /// Data's `currentPersistentHistoryToken(fromStores:)`.
  ///
  /// - Parameter stores: the stores; nil for all.
  /// - Throws: `PersistentStoreError` if one cannot be read.
  public func currentPersistentHistoryToken(
    fromStores stores: [PersistentStore]? = nil
  ) throws -> PersistentHistoryToken? {
    try locked {
      var transactions: [String: Int64] = [:]
      for case let store as any HistoryStore in stores ?? persistentStores {
        transactions[store.identifier] = try store.lastHistoryTransaction()
      }
      return transactions.isEmpty ? nil : PersistentHistoryToken(transactions: transactions)
    }
  }

  /// Reads or deletes history.
  func execute(_ request: PersistentHistoryChangeRequest) throws -> PersistentHistoryResult {
    if request.isDeletion { refuseInReading() }
    return try locked {
      var result = PersistentHistoryResult()
      for store in request.affectedStores ?? persistentStores {
        guard let store = store as? any HistoryStore else {
          // A store in memory is not shared, and has no history.
          guard request.affectedStores != nil else { continue }
          throw PersistentHistoryError.notTracked(storeID: store.identifier)
        }
        if request.affectedStores == nil, try store.lastHistoryTransaction() == nil { continue }
        if request.isDeletion {
          result.count += try store.deleteHistory(request)
        } else {
          result.append(try store.history(request))
        }
      }
      return result
    }
  }
}

extension PersistentHistoryResult {
  fileprivate mutating func append(_ other: PersistentHistoryResult) {
    count += other.count
    objectIDs += other.objectIDs
    transactions += other.transactions
    changes += other.changes
  }
}

extension PersistentHistoryTransaction {
  /// The IDs of the objects that the transaction changed, for contexts to merge.
  ///
  ///     for transaction in try context.execute(.fetchHistory(after: token)).transactions {
  ///       try context.mergeChanges(from: transaction.objectIDs)
  ///     }
  ///
  /// Replaces Core Data's `objectIDNotification()`.
  public var objectIDs: ChangedObjectIDs {
    func ids(_ type: PersistentHistoryChangeType) -> [ManagedObjectID] {
      changes.filter { $0.changeType == type }.map(\.changedObjectID)
    }
    return ChangedObjectIDs(
      inserted: ids(.insert), updated: ids(.update), deleted: ids(.delete))
  }
}

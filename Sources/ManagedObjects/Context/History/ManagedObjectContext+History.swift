extension ManagedObjectContext {
  /// Fetches the persistent history of the stores, or deletes some of it.
  ///
  ///     let news = try context.execute(.fetchHistory(after: token))
  ///     for transaction in news.transactions where transaction.author != "widget" {
  ///       try context.mergeChanges(from: transaction.objectIDs)
  ///     }
  ///
  /// The result is of one state of each store, and entirely in memory: for a long history set
  /// `fetchLimit` and fetch again. Unsaved changes have no history. Follows Core Data's
  /// `execute(_:)` with an `NSPersistentHistoryChangeRequest`.
  ///
  /// - Throws: `PersistentHistoryError.tokenExpired` if a part of the requested history was
  ///   deleted, and `notTracked` if a store that the request names keeps no history;
  ///   `PersistentStoreError` as a fetch and a save do.
  /// - Precondition: nothing is deleted in `performReading`.
  @discardableResult
  public func execute(_ request: PersistentHistoryChangeRequest) throws -> PersistentHistoryResult {
    try persistentStoreCoordinator.execute(request)
  }
}

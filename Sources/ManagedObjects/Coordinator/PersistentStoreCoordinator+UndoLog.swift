extension PersistentStoreCoordinator {
  /// The undo log of a store; nil if it keeps none (see `PersistentStoreOptions.undoLogLimit`).
  public func undoLog(of store: PersistentStore) -> StoreUndoLog? {
    guard let store = revertingStore(store), store.undoLog != nil else { return nil }
    return StoreUndoLog(lock: lock, store: store)
  }

  /// The store if it can keep a log; a cast to the protocol takes longer than many a fetch.
  private func revertingStore(_ store: PersistentStore) -> (any RevertingStore)? {
    if let store = store as? SQLiteStore { return store }
    #if PostgreSQL
      if let store = store as? PostgreSQLStore { return store }
    #endif
    return nil
  }
}

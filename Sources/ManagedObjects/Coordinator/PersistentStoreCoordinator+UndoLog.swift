extension PersistentStoreCoordinator {
  /// The undo log of a store; nil where it keeps none (see `PersistentStoreOptions.undoLogLimit`).
  public func undoLog(of store: PersistentStore) -> StoreUndoLog? {
    guard let store = store as? SQLiteStore, store.undoLog != nil else { return nil }
    return StoreUndoLog(lock: lock, store: store)
  }
}

/// Values that a program keeps in a store apart from objects and metadata: large and rarely read.
///
/// Unlike metadata, which is read whenever a store is opened, these are read only on request. Undo,
/// history and merges ignore them; copies of a store have them, except copies without an undo log.
extension PersistentStoreCoordinator {
  /// Calls a closure with each value whose name has a prefix, sorted by name.
  ///
  /// There are none if the store cannot keep any.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read, and errors that the closure
  ///   throws.
  package func forEachKeptValue(
    named prefix: String, in store: PersistentStore, _ body: (String, [UInt8]) throws -> Void
  ) throws {
    try locked { try rowStore(store).keeping?.forEachKeptValue(named: prefix, body) }
  }

  /// Sets values at once, or as a part of the transaction that `performWriting` began; nil removes
  /// one.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be written.
  package func keep(_ values: [String: [UInt8]?], in store: PersistentStore) throws {
    try locked { try rowStore(store).keeping?.keep(values) }
  }

  /// Sets values in the same transaction as the save, undo or redo in a body.
  ///
  ///     try coordinator.keep(values, in: store) { try context.save() }
  ///
  /// If the body makes none, the values are not set.
  ///
  /// - Throws: errors that the body throws.
  package func keep<Result>(
    _ values: [String: [UInt8]?], in store: PersistentStore, with body: () throws -> Result
  ) throws -> Result {
    try locked {
      guard let store = rowStore(store).keeping else { return try body() }
      store.valuesToKeep = values
      defer { store.valuesToKeep = [:] }
      return try body()
    }
  }
}

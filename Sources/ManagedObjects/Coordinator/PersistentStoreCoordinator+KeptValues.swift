/// What a program keeps in a store beside its objects and its metadata: much, and rarely read.
///
/// Unlike metadata, which each opening reads, nobody looks at it but who asks. Undo, history and
/// merges know nothing of it; copies of a store have it, but for those without an undo log.
extension PersistentStoreCoordinator {
  /// The values whose names begin with a text, in the order of their names; none where the store
  /// cannot keep any.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read, and what the closure throws.
  package func forEachKeptValue(
    named prefix: String, in store: PersistentStore, _ body: (String, [UInt8]) throws -> Void
  ) throws {
    try locked { try rowStore(store).keeping?.forEachKeptValue(named: prefix, body) }
  }

  /// Sets values at once, or as a part of the transaction that `performWriting` began; nil takes
  /// one out.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be written.
  package func keep(_ values: [String: [UInt8]?], in store: PersistentStore) throws {
    try locked { try rowStore(store).keeping?.keep(values) }
  }

  /// Runs a body whose save to the store, or whose undo or redo, sets values too, in one
  /// transaction: all of it is there, or nothing.
  ///
  ///     try coordinator.keep(values, in: store) { try context.save() }
  ///
  /// Without one in the body they are not set.
  ///
  /// - Throws: what the body throws.
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

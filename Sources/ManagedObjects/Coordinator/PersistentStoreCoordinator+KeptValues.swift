/// What a program keeps in a store beside its objects and its metadata: much, and rarely read.
///
/// Unlike metadata, which each opening reads, nobody looks at it but who asks. Undo, history and merges
/// know nothing of it; copies of a store have it, but for those without an undo log.
extension PersistentStoreCoordinator {
  /// The values whose names begin with a text, in the order of their names; none where the store cannot
  /// keep any.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read, and what the closure throws.
  package func forEachKeptValue(
    named prefix: String, in store: PersistentStore, _ body: (String, [UInt8]) throws -> Void
  ) throws {
    try locked {
      guard let store = rowStore(store) as? SQLiteStore else { return }
      try store.mappingErrors {
        try store.followChanges()
        try SQLiteKeptValues(connection: store.connection).forEach(named: prefix, body)
      }
    }
  }

  /// Sets values at once, or as a part of the transaction that `performWriting` began; nil takes one out.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be written.
  package func keep(_ values: [String: [UInt8]?], in store: PersistentStore) throws {
    try locked {
      guard let store = try keepingStore(store) else { return }
      try store.refuseIfReadOnly()
      try store.mappingErrors {
        try store.connection.part { try SQLiteKeptValues(connection: store.connection).set(values) }
        if !store.connection.isAhead { store.shortenLog() }
      }
    }
  }

  /// Runs a body whose save to the store sets values too, in one transaction: all of it is there, or
  /// nothing.
  ///
  ///     try coordinator.keep(values, in: store) { try context.save() }
  ///
  /// Without a save in the body they are not set.
  ///
  /// - Throws: what the body throws.
  package func keep<Result>(
    _ values: [String: [UInt8]?], in store: PersistentStore, withSaveIn body: () throws -> Result
  ) throws -> Result {
    try locked {
      guard let store = try keepingStore(store) else { return try body() }
      store.valuesToKeep = values
      defer { store.valuesToKeep = [:] }
      return try body()
    }
  }

  /// The store where it can keep values; nil where there is none to keep them.
  private func keepingStore(_ store: PersistentStore) throws -> SQLiteStore? {
    let store = rowStore(store)
    guard store.type != .postgreSQL else {
      throw PersistentStoreError.unsupportedOperation(store.type, "keep values beside objects yet")
    }
    return store as? SQLiteStore
  }
}

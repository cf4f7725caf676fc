extension ManagedObjectContext {
  /// Runs a body in which all reads see one state of the store.
  ///
  ///     let report = try context.performReading {
  ///       let walks = try context.fetch(Walk.fetchRequest())
  ///       return walks.map { "\($0.date) \($0.dog?.name ?? "")" }
  ///     }
  ///
  /// One read transaction: changes that another context or process saves in the meantime are not
  /// visible, and many small reads, such as single faults, cost less. Other readers are not
  /// blocked, and in a SQLite store neither are writers, once contexts have been used concurrently
  /// (``PersistentStoreOptions/maximumReaderCount``). Replaces short uses of Core Data's query
  /// generations.
  ///
  /// - Throws: errors that the body throws; `PersistentStoreError` if the store cannot be read.
  /// - Precondition: nothing is saved in the body.
  public func performReading<Result>(_ body: () throws -> Result) throws -> Result {
    try persistentStoreCoordinator.performReading(body)
  }
}

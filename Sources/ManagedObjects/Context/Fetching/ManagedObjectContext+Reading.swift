extension ManagedObjectContext {
  /// Runs a body in which everything that is read comes from one state of the store.
  ///
  ///     let report = try context.performReading {
  ///       let walks = try context.fetch(Walk.fetchRequest())
  ///       return walks.map { "\($0.date) \($0.dog?.name ?? "")" }
  ///     }
  ///
  /// One read transaction: what another context or process saves meanwhile is not seen, and many
  /// small reads, as of faults one by one, cost less. Who reads elsewhere does not wait, and in a
  /// SQLite store nobody who writes does, once contexts have met
  /// (``PersistentStoreOptions/maximumReaderCount``). Stands for the short use of Core Data's query
  /// generations.
  ///
  /// - Throws: what the body throws; `PersistentStoreError` where the store cannot be read.
  /// - Precondition: nothing is saved in the body.
  public func performReading<Result>(_ body: () throws -> Result) throws -> Result {
    try persistentStoreCoordinator.performReading(body)
  }
}

extension ManagedObjectContext {
  /// Saves if there are changes; otherwise reads and locks nothing.
  ///
  ///     if try context.saveIfChanged() { print("Saved.") }
  ///
  /// - Returns: whether there were changes.
  /// - Throws: as ``save()`` does.
  @discardableResult
  public func saveIfChanged() throws -> Bool {
    guard hasChanges else { return false }
    try save()
    return true
  }

  /// Runs a body that reads and saves in one write transaction.
  ///
  ///     try context.performWriting {
  ///       let known = try context.fetch(request).map(\.uuid)
  ///       for walk in walks where !known.contains(walk.uuid) { dog.addToWalks(copy(of: walk)) }
  ///       try context.save()
  ///     }
  ///
  /// The transaction of the save begins with the body (`BEGIN IMMEDIATE`), so what was read is
  /// still valid when it is saved: writes by other processes wait, and so do writes by other
  /// contexts of the same coordinator. Readers do not wait. The first successful save or batch
  /// request ends the transaction; another one in the body is a transaction of its own. Permanent
  /// IDs and metadata are written in it and do not end it. Without a save nothing else is written.
  /// For one unique value `findOrCreate` is cheaper.
  ///
  /// Objects that were read before the body may be out of date in it.
  ///
  /// - Throws: errors that the body throws; `PersistentStoreError` if a store is busy or cannot be
  ///   written.
  /// - Precondition: this is not called in `performReading`.
  public func performWriting<Result>(_ body: () throws -> Result) throws -> Result {
    try persistentStoreCoordinator.performWriting(body)
  }
}

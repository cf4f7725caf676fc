extension ManagedObjectContext {
  /// Saves where there is something to save; nothing is read or locked where there is not.
  ///
  ///     if try context.saveIfChanged() { print("Saved.") }
  ///
  /// - Returns: whether there was.
  /// - Throws: as ``save()`` does.
  @discardableResult
  public func saveIfChanged() throws -> Bool {
    guard hasChanges else { return false }
    try save()
    return true
  }

  /// Runs a body that looks things up and saves what follows from them, with nobody writing
  /// between.
  ///
  ///     try context.performWriting {
  ///       let known = try context.fetch(request).map(\.uuid)
  ///       for walk in walks where !known.contains(walk.uuid) { dog.addToWalks(copy(of: walk)) }
  ///       try context.save()
  ///     }
  ///
  /// The transaction of the save begins with the body (`BEGIN IMMEDIATE`), so what was read is
  /// still true when it is saved: other processes that would write wait, and so do other contexts
  /// on the same coordinator. Who reads does not. The first save or batch request that goes through
  /// ends it; another one in the body is a transaction of its own. Permanent IDs and metadata are
  /// written in it and do not end it. Without a save nothing else is written. For one unique value
  /// `findOrCreate` does with less.
  ///
  /// What was read before the body may be out of date in it.
  ///
  /// - Throws: what the body throws; `PersistentStoreError` where a store is busy or cannot be
  ///   written.
  /// - Precondition: it is not called in `performReading`.
  public func performWriting<Result>(_ body: () throws -> Result) throws -> Result {
    try persistentStoreCoordinator.performWriting(body)
  }
}

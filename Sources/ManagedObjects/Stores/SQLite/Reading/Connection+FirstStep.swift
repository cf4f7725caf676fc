extension Connection {
  /// Throws if the store was migrated: `refuseIfReplaced()` for reads.
  ///
  /// Another store with the same model may be read, but not be written.
  func refuseIfMigrated() throws {
    do {
      try refuseIfReplaced()
    } catch PersistentStoreError.moved {
      // The row that is read belongs to the other store.
    }
  }

  /// Steps a statement to its first row, if it has one; throws if the store was migrated.
  func firstStep(of statement: Statement) throws -> Bool {
    let hasRow = try statement.step()
    try refuseIfMigrated()
    return hasRow
  }
}

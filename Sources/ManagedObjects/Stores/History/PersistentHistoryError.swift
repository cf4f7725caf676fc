/// Why the persistent history of a store cannot be told.
///
///     do {
///       try context.execute(.fetchHistory(after: token))
///     } catch is PersistentHistoryError {
///       reloadEverything()   // and go on from the current token
///     }
public enum PersistentHistoryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Transactions that came after the token are no longer there: they were deleted, or the store is
  /// an older copy of itself.
  ///
  /// Core Data's error 134301, `NSPersistentHistoryTokenExpiredError`. With the store's UUID.
  case tokenExpired(storeID: String)
  /// The store keeps no history; see `PersistentStoreOptions.tracksPersistentHistory`. With its
  /// UUID.
  case notTracked(storeID: String)

  /// One sentence, for a log.
  public var description: String {
    switch self {
    case .tokenExpired(let store):
      "The history of \(store) after this token is gone; read everything again."
    case .notTracked(let store): "\(store) keeps no history."
    }
  }
}

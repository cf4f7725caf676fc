/// The reason why the persistent history of a store cannot be fetched.
///
///     do {
///       try context.execute(.fetchHistory(after: token))
///     } catch is PersistentHistoryError {
///       reloadEverything()   // and go on from the current token
///     }
public enum PersistentHistoryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Transactions after the token no longer exist: they were deleted, or the store was replaced by
  /// an older copy.
  ///
  /// Core Data's error 134301, `NSPersistentHistoryTokenExpiredError`. Contains the store's UUID.
  case tokenExpired(storeID: String)
  /// The store keeps no history; see `PersistentStoreOptions.tracksPersistentHistory`. Contains the
  /// store's UUID.
  case notTracked(storeID: String)

  /// A sentence for a log.
  public var description: String {
    switch self {
    case .tokenExpired(let store):
      "The history of \(store) after this token was deleted: read all objects again."
    case .notTracked(let store): "\(store) keeps no history."
    }
  }
}

/// A position in the persistent history of one or more stores: the last transaction of each.
///
///     let seen = try coordinator.currentPersistentHistoryToken()
///     // … later, in another process too
///     let news = try context.execute(.fetchHistory(after: seen)).transactions
///
/// A Codable value, so it can be saved in a file: the UUID of each store with the number of its
/// last transaction. Follows Core Data's `NSPersistentHistoryToken`.
public struct PersistentHistoryToken: Sendable, Hashable, Codable {
  /// The number of the last transaction by the UUID of its store.
  let transactions: [String: Int64]

  /// The number of the last transaction of a store; nil if the token does not include the store.
  func transaction(in store: PersistentStoreIdentity) -> Int64? {
    transactions[store.identifier]
  }
}

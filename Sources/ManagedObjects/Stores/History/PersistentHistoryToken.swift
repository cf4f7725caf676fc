/// A moment in the persistent history of one store or several: the last transaction of each.
///
///     let seen = try coordinator.currentPersistentHistoryToken()
///     // … later, in another process too
///     let news = try context.execute(.fetchHistory(after: seen)).transactions
///
/// A value that can be kept in a file, since it is Codable: the UUID of each store, and the number
/// of its last transaction. Follows Core Data's `NSPersistentHistoryToken`.
public struct PersistentHistoryToken: Sendable, Hashable, Codable {
  /// The number of the last transaction by the UUID of its store.
  let transactions: [String: Int64]

  /// The number of the last transaction of a store; nil where the token does not speak of it.
  func transaction(in store: PersistentStoreIdentity) -> Int64? {
    transactions[store.identifier]
  }
}

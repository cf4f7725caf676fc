public import SystemLibraries

/// A save or batch request, as recorded in the persistent history of a store.
///
///     for transaction in try context.execute(.fetchHistory(after: token)).transactions {
///       print(transaction.timestamp, transaction.author ?? "", transaction.changes.count)
///     }
///
/// A value type. Follows Core Data's `NSPersistentHistoryTransaction`.
public struct PersistentHistoryTransaction: Sendable, Hashable {
  /// The number of the transaction in its store; later transactions have higher numbers.
  public let transactionNumber: Int64
  /// The time of the transaction.
  public let timestamp: Date
  /// The author: the context's `transactionAuthor`.
  public let author: String?
  /// The name of the context that saved.
  public let contextName: String?
  /// The bundle identifier of the program; here the process's name.
  public let bundleID: String?
  /// The name of the process.
  public let processID: String?
  /// The UUID of its store.
  public let storeID: String
  /// The changes; empty if only transactions were requested.
  public internal(set) var changes: [PersistentHistoryChange] = []

  /// The position after this transaction: fetching the history after this token returns what came
  /// later.
  ///
  ///     let seen = try JSONEncoder().encode(transaction.token)   // once it is dealt with
  ///
  /// It includes only the transaction's store.
  public var token: PersistentHistoryToken {
    PersistentHistoryToken(transactions: [storeID: transactionNumber])
  }
}

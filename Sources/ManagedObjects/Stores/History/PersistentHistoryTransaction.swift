public import SystemLibraries

/// One save, or one batch, as the persistent history of a store has it.
///
///     for transaction in try context.execute(.fetchHistory(after: token)).transactions {
///       print(transaction.timestamp, transaction.author ?? "", transaction.changes.count)
///     }
///
/// A value. Follows Core Data's `NSPersistentHistoryTransaction`.
public struct PersistentHistoryTransaction: Sendable, Hashable {
  /// The transaction's number in its store: the later the higher.
  public let transactionNumber: Int64
  /// When it was made.
  public let timestamp: Date
  /// Who made it: the context's `transactionAuthor`.
  public let author: String?
  /// The name of the context that made it.
  public let contextName: String?
  /// The program that made it, by its bundle; here that is the process's name.
  public let bundleID: String?
  /// The process that made it, by its name.
  public let processID: String?
  /// The UUID of its store.
  public let storeID: String
  /// What it changed; empty where only transactions were asked for.
  public internal(set) var changes: [PersistentHistoryChange] = []

  /// The moment behind it: whoever asks for the history after this token gets what came later.
  ///
  ///     let seen = try JSONEncoder().encode(transaction.token)   // once it is dealt with
  ///
  /// It speaks of the transaction's store alone.
  public var token: PersistentHistoryToken {
    PersistentHistoryToken(transactions: [storeID: transactionNumber])
  }
}

/// Who makes a transaction, for a store's persistent history.
struct TransactionOrigin: Sendable {
  /// The author, as the context says (`transactionAuthor`).
  var author: String?
  /// The context's name.
  var contextName: String?
}

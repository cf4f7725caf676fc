/// The author and context of a transaction, for a store's persistent history.
struct TransactionOrigin: Sendable {
  /// The author, from the context's `transactionAuthor`.
  var author: String?
  /// The context's name.
  var contextName: String?
}

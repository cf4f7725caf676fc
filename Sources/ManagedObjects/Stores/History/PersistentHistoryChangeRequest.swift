public import SystemLibraries

/// A request to fetch or delete a part of a store's persistent history.
///
///     var request = PersistentHistoryChangeRequest.fetchHistory(after: token)
///     request.excludedAuthor = "importer"
///     request.entityNames = ["Walk"]
///     for transaction in try context.execute(request).transactions { print(transaction.changes) }
///
/// The criteria of Core Data's fetch requests for transactions and changes are properties here.
/// Follows Core Data's `NSPersistentHistoryChangeRequest`.
public struct PersistentHistoryChangeRequest: Sendable {
  /// The type of result that a request returns.
  public enum ResultType: Sendable, Hashable {
    /// The number of changes.
    case count
    /// The IDs of the changed objects, each once.
    case objectIDs
    /// The transactions, without their changes.
    case transactionsOnly
    /// The changes, without their transactions.
    case changesOnly
    /// The transactions with their changes.
    case transactionsAndChanges
  }

  /// The start of the fetched history, or the end of the deleted history.
  enum Bound: Sendable, Hashable {
    case everything
    case token(PersistentHistoryToken)
    case date(Date)
  }

  /// The type of result; transactions with their changes by default.
  public var resultType = ResultType.transactionsAndChanges
  /// The author of the transactions to fetch; nil for all authors.
  public var author: String?
  /// An author whose transactions are excluded, such as the program itself; nil for none.
  public var excludedAuthor: String?
  /// The context name of the transactions to fetch; nil for all.
  public var contextName: String?
  /// The entities, including subentities, of the changes to fetch; nil for all.
  ///
  /// Changes of other entities, and transactions without changes of these, are left out.
  public var entityNames: Set<String>?
  /// The maximum number of transactions to read from each store, oldest first; 0 for no limit.
  public var fetchLimit = 0
  /// The stores to read from; nil for all that keep a history.
  public var affectedStores: [PersistentStore]?

  let bound: Bound
  let isDeletion: Bool

  /// Fetches the history after a token; with nil, all of the history.
  ///
  ///     let all = try context.execute(.fetchHistory(after: nil)).transactions
  ///
  /// For a store that the token does not include, fetches all of its history.
  public static func fetchHistory(after token: PersistentHistoryToken?) -> Self {
    Self(bound: token.map { .token($0) } ?? .everything, isDeletion: false)
  }

  /// Fetches the history after a transaction.
  ///
  ///     let rest = try context.execute(.fetchHistory(after: transaction)).transactions
  public static func fetchHistory(after transaction: PersistentHistoryTransaction) -> Self {
    Self(bound: .token(transaction.token), isDeletion: false)
  }

  /// Fetches the history after a date, according to the clocks of the saving processes.
  ///
  ///     let today = try context.execute(.fetchHistory(after: midnight)).transactions
  public static func fetchHistory(after date: Date) -> Self {
    Self(bound: .date(date), isDeletion: false)
  }

  /// Deletes the history before a token's transaction, which is kept; with nil, all of the history.
  ///
  ///     try context.execute(.deleteHistory(before: token))
  ///
  /// Call it only when every consumer has processed that part of the history: older tokens expire.
  public static func deleteHistory(before token: PersistentHistoryToken?) -> Self {
    Self(bound: token.map { .token($0) } ?? .everything, isDeletion: true)
  }

  /// Deletes the history before a transaction, which is kept.
  ///
  ///     try context.execute(.deleteHistory(before: transaction))
  public static func deleteHistory(before transaction: PersistentHistoryTransaction) -> Self {
    Self(bound: .token(transaction.token), isDeletion: true)
  }

  /// Deletes the history before the first transaction at or after a date.
  ///
  ///     try context.execute(.deleteHistory(before: lastWeek))
  public static func deleteHistory(before date: Date) -> Self {
    Self(bound: .date(date), isDeletion: true)
  }

  private init(bound: Bound, isDeletion: Bool) {
    self.bound = bound
    self.isDeletion = isDeletion
  }
}

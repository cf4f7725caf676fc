public import SystemLibraries

/// Which part of a store's persistent history is wanted, or is to be deleted.
///
///     var request = PersistentHistoryChangeRequest.fetchHistory(after: token)
///     request.excludedAuthor = "importer"
///     request.entityNames = ["Walk"]
///     for transaction in try context.execute(request).transactions { print(transaction.changes) }
///
/// The criteria of Core Data's fetch requests for transactions and changes are properties here.
/// Follows Core Data's `NSPersistentHistoryChangeRequest`.
public struct PersistentHistoryChangeRequest: Sendable {
  /// What a request gives.
  public enum ResultType: Sendable, Hashable {
    /// How many changes there are.
    case count
    /// The IDs of the objects that were changed, each once.
    case objectIDs
    /// The transactions, without their changes.
    case transactionsOnly
    /// The changes, without their transactions.
    case changesOnly
    /// The transactions with their changes.
    case transactionsAndChanges
  }

  /// From where on a request goes, or up to where.
  enum Bound: Sendable, Hashable {
    case everything
    case token(PersistentHistoryToken)
    case date(Date)
  }

  /// What the request gives: transactions with their changes unless set.
  public var resultType = ResultType.transactionsAndChanges
  /// The author whose transactions are wanted; nil for all.
  public var author: String?
  /// An author whose transactions are not wanted, such as one's own; nil for none.
  public var excludedAuthor: String?
  /// The name of the contexts whose transactions are wanted; nil for all.
  public var contextName: String?
  /// The entities whose changes are wanted, their subentities included; nil for all.
  ///
  /// Transactions that changed no object of them are left out, and so are changes of others.
  public var entityNames: Set<String>?
  /// The most transactions of each store that are looked at, the oldest first; 0 for all.
  public var fetchLimit = 0
  /// The stores that are asked; nil for all that keep a history.
  public var affectedStores: [PersistentStore]?

  let bound: Bound
  let isDeletion: Bool

  /// Asks for what came after a token; for all of the history with nil.
  ///
  ///     let all = try context.execute(.fetchHistory(after: nil)).transactions
  ///
  /// Of a store that the token does not speak of, all of its history.
  public static func fetchHistory(after token: PersistentHistoryToken?) -> Self {
    Self(bound: token.map { .token($0) } ?? .everything, isDeletion: false)
  }

  /// Asks for what came after a transaction.
  ///
  ///     let rest = try context.execute(.fetchHistory(after: transaction)).transactions
  public static func fetchHistory(after transaction: PersistentHistoryTransaction) -> Self {
    Self(bound: .token(transaction.token), isDeletion: false)
  }

  /// Asks for what came after a moment, by the clocks of those who saved.
  ///
  ///     let today = try context.execute(.fetchHistory(after: midnight)).transactions
  public static func fetchHistory(after date: Date) -> Self {
    Self(bound: .date(date), isDeletion: false)
  }

  /// Deletes what came before a token's transaction, which itself stays; all of the history with
  /// nil.
  ///
  ///     try context.execute(.deleteHistory(before: token))
  ///
  /// Only where everybody who follows the history has seen it: older tokens are expired then.
  public static func deleteHistory(before token: PersistentHistoryToken?) -> Self {
    Self(bound: token.map { .token($0) } ?? .everything, isDeletion: true)
  }

  /// Deletes what came before a transaction, which itself stays.
  ///
  ///     try context.execute(.deleteHistory(before: transaction))
  public static func deleteHistory(before transaction: PersistentHistoryTransaction) -> Self {
    Self(bound: .token(transaction.token), isDeletion: true)
  }

  /// Deletes what came before the first transaction of a moment or later.
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

/// What a request for history gives; only what its result type names is filled.
///
///     let result = try context.execute(.fetchHistory(after: token))
///     print(result.transactions.count)
///
/// Follows Core Data's `NSPersistentHistoryResult`.
public struct PersistentHistoryResult: Sendable, Hashable {
  /// How many changes there are; of a deletion, how many were deleted.
  public internal(set) var count = 0
  /// The IDs of the objects that were changed, each once.
  public internal(set) var objectIDs: [ManagedObjectID] = []
  /// The transactions, the oldest of each store first.
  public internal(set) var transactions: [PersistentHistoryTransaction] = []
  /// The changes, the oldest of each store first.
  public internal(set) var changes: [PersistentHistoryChange] = []
}

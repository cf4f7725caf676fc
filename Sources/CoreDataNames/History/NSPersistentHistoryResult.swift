/// The result of a history request.
open class NSPersistentHistoryResult: NSPersistentStoreResult {
  /// A `Bool`, `Int`, `[NSManagedObjectID]`, `[NSPersistentHistoryTransaction]` or
  /// `[NSPersistentHistoryChange]`, depending on the result type.
  public let result: Any?
  /// The type of the result.
  public let resultType: NSPersistentHistoryResultType

  init(_ history: PersistentHistoryResult, _ type: NSPersistentHistoryResultType) {
    resultType = type
    result =
      switch type {
      case .statusOnly: true
      case .count: history.count
      case .objectIDs: history.objectIDs
      case .transactionsOnly, .transactionsAndChanges: history.transactions
      case .changesOnly: history.changes
      }
  }

  /// Creates a result from filtered transactions with their changes.
  init(_ transactions: [PersistentHistoryTransaction], _ type: NSPersistentHistoryResultType) {
    let changes = transactions.flatMap(\.storedChanges)
    resultType = type
    result =
      switch type {
      case .statusOnly: true
      case .count: changes.count
      case .objectIDs:
        changes.reduce(into: (ids: [ManagedObjectID](), known: Set<ManagedObjectID>())) {
          if $0.known.insert($1.changedObjectID).inserted { $0.ids.append($1.changedObjectID) }
        }.ids
      case .transactionsAndChanges: transactions
      case .transactionsOnly:
        transactions.map { transaction -> PersistentHistoryTransaction in
          var transaction = transaction
          transaction.storedChanges = []
          return transaction
        }
      case .changesOnly: changes
      }
  }
}

public import Foundation
public import ManagedObjects

/// What a request for history gives, by Core Data's names.
public enum NSPersistentHistoryResultType: Int, Sendable {
  /// Whether it was done.
  case statusOnly
  /// The IDs of the objects that were changed.
  case objectIDs
  /// How many changes there are.
  case count
  /// The transactions, without their changes.
  case transactionsOnly
  /// The changes, without their transactions.
  case changesOnly
  /// The transactions with their changes.
  case transactionsAndChanges
}

/// Which part of a store's persistent history is wanted, or is to be deleted, as a reference.
///
///     let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
///     let result = try context.execute(request) as? NSPersistentHistoryResult
///     let transactions = result?.result as? [NSPersistentHistoryTransaction]
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
  /// What is given: of a deletion whether it was done, unless set.
  public var resultType: NSPersistentHistoryResultType
  /// Which transactions are wanted, or which changes: a request that
  /// `NSPersistentHistoryTransaction.fetchRequest` or `NSPersistentHistoryChange.fetchRequest`
  /// gave.
  ///
  /// Its predicate and its limit count.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?
  /// The stores that are asked; nil for all that keep a history.
  public var affectedStores: [PersistentStore]?
  /// The moment from where on the request goes; nil where that is a date, or all is wanted.
  public let token: PersistentHistoryToken?
  private let request: PersistentHistoryChangeRequest

  private init(
    _ request: PersistentHistoryChangeRequest, _ token: PersistentHistoryToken?,
    _ resultType: NSPersistentHistoryResultType
  ) {
    self.request = request
    self.token = token
    self.resultType = resultType
  }

  /// Asks for what came after a token; for all of the history with nil.
  public static func fetchHistory(
    after token: PersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    Self.fetching(.fetchHistory(after: token), token)
  }

  /// Asks for what came after a transaction; for all of the history with nil.
  public static func fetchHistory(
    after transaction: PersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest {
    fetchHistory(after: transaction?.token)
  }

  /// Asks for what came after a moment.
  public static func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
    Self.fetching(.fetchHistory(after: date), nil)
  }

  /// Asks for all of the history of which a request's predicate tells.
  public static func fetchHistory(
    withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>
  ) -> NSPersistentHistoryChangeRequest {
    let request = fetchHistory(after: nil as PersistentHistoryToken?)
    request.fetchRequest = fetchRequest
    return request
  }

  /// Deletes what came before a token's transaction; all of the history with nil.
  public static func deleteHistory(
    before token: PersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.deleteHistory(before: token), token, .statusOnly)
  }

  /// Deletes what came before a transaction; all of the history with nil.
  public static func deleteHistory(
    before transaction: PersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest {
    deleteHistory(before: transaction?.token)
  }

  /// Deletes what came before a moment.
  public static func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.deleteHistory(before: date), nil, .statusOnly)
  }

  private static func fetching(
    _ request: PersistentHistoryChangeRequest, _ token: PersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(request, token, .transactionsAndChanges)
  }

  /// Reads the history, or deletes some of it.
  func execute(in context: ManagedObjectContext) throws -> NSPersistentHistoryResult {
    var request = request
    request.affectedStores = affectedStores
    let filter = HistoryFilter(fetchRequest)
    request.resultType = filter == nil ? resultType.libraryType : .transactionsAndChanges
    if filter == nil { request.fetchLimit = fetchRequest?.fetchLimit ?? 0 }
    let result = try context.execute(request)
    guard let filter else { return NSPersistentHistoryResult(result, resultType) }
    return NSPersistentHistoryResult(try filter.filtered(result.transactions), resultType)
  }
}

extension NSPersistentHistoryResultType {
  fileprivate var libraryType: PersistentHistoryChangeRequest.ResultType {
    switch self {
    case .statusOnly, .count: .count
    case .objectIDs: .objectIDs
    case .transactionsOnly: .transactionsOnly
    case .changesOnly: .changesOnly
    case .transactionsAndChanges: .transactionsAndChanges
    }
  }
}

/// What a request for history gave.
open class NSPersistentHistoryResult: NSPersistentStoreResult {
  /// A `Bool`, `Int`, `[NSManagedObjectID]`, `[NSPersistentHistoryTransaction]` or
  /// `[NSPersistentHistoryChange]`, as the request wanted.
  public let result: Any?
  /// What was wanted.
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

  /// Takes what a predicate left of transactions with their changes.
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

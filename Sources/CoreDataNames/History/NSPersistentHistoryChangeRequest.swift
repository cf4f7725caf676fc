/// A request to fetch or delete a part of a store's persistent history, as a reference type.
///
///     let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
///     let result = try context.execute(request) as? NSPersistentHistoryResult
///     let transactions = result?.result as? [NSPersistentHistoryTransaction]
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
  /// The type of result: for a deletion, whether it succeeded, by default.
  public var resultType: NSPersistentHistoryResultType
  /// The request that filters transactions or changes.
  ///
  /// It is one that `NSPersistentHistoryTransaction.fetchRequest` or
  /// `NSPersistentHistoryChange.fetchRequest` has returned. Its predicate and its limit are used.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?
  /// The stores of the request; nil for all that keep a history.
  public var affectedStores: [PersistentStore]?
  /// The token at which the request starts; nil for a date, or for the whole history.
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

  /// Creates a request for the history after a token; for all of it with nil.
  public static func fetchHistory(
    after token: PersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    Self.fetching(.fetchHistory(after: token), token)
  }

  /// Creates a request for the history after a transaction; for all of it with nil.
  public static func fetchHistory(
    after transaction: PersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest {
    fetchHistory(after: transaction?.token)
  }

  /// Creates a request for the history after a date.
  public static func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
    Self.fetching(.fetchHistory(after: date), nil)
  }

  /// Creates a request for the part of the history that matches a fetch request.
  public static func fetchHistory(
    withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>
  ) -> NSPersistentHistoryChangeRequest {
    let request = fetchHistory(after: nil as PersistentHistoryToken?)
    request.fetchRequest = fetchRequest
    return request
  }

  /// Creates a request to delete the history before a token's transaction; all of it with nil.
  public static func deleteHistory(
    before token: PersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.deleteHistory(before: token), token, .statusOnly)
  }

  /// Creates a request to delete the history before a transaction; all of it with nil.
  public static func deleteHistory(
    before transaction: PersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest {
    deleteHistory(before: transaction?.token)
  }

  /// Creates a request to delete the history before a date.
  public static func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.deleteHistory(before: date), nil, .statusOnly)
  }

  private static func fetching(
    _ request: PersistentHistoryChangeRequest, _ token: PersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(request, token, .transactionsAndChanges)
  }

  /// Fetches the history, or deletes some of it.
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

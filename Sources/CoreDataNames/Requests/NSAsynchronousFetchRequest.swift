public import Foundation

/// A fetch whose result comes later.
///
///     try context.execute(NSAsynchronousFetchRequest(fetchRequest: request) { result in
///       print(result.finalResult?.count ?? 0)
///     })
///
/// The fetch is made, and the closure called, on the context's queue.
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// What is fetched.
  public let fetchRequest: NSFetchRequest<ResultType>
  /// What is told of the result.
  public let completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
  /// How many objects are expected; nobody asks.
  public var estimatedResultCount = 0

  /// Creates a request.
  public init(
    fetchRequest: NSFetchRequest<ResultType>,
    completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
  ) {
    self.fetchRequest = fetchRequest
    self.completionBlock = completionBlock
  }
}

/// The result of a fetch, once it is there.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreResult {
  /// What was asked.
  public let fetchRequest: NSAsynchronousFetchRequest<ResultType>
  /// What was found; nil until then, and where there is an error.
  public internal(set) var finalResult: [ResultType]?
  /// Why nothing was found.
  public internal(set) var operationError: (any Error)?
  /// How far it is; nobody counts.
  public var progress: Progress? { nil }

  init(_ request: NSAsynchronousFetchRequest<ResultType>) { fetchRequest = request }
}

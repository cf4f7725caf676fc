/// A fetch whose result is delivered asynchronously.
///
///     try context.execute(NSAsynchronousFetchRequest(fetchRequest: request) { result in
///       print(result.finalResult?.count ?? 0)
///     })
///
/// The fetch is made, and the closure called, on the context's queue.
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// The fetch request.
  public let fetchRequest: NSFetchRequest<ResultType>
  /// The closure that is called with the result.
  public let completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
  /// The expected number of objects; not used.
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

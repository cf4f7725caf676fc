/// The result of an asynchronous fetch.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreResult {
  /// The request.
  public let fetchRequest: NSAsynchronousFetchRequest<ResultType>
  /// The results; nil until they are fetched, and after an error.
  public internal(set) var finalResult: [ResultType]?
  /// The error of the fetch.
  public internal(set) var operationError: (any Error)?
  /// The progress of the fetch; always nil.
  public var progress: Progress? { nil }

  init(_ request: NSAsynchronousFetchRequest<ResultType>) { fetchRequest = request }
}

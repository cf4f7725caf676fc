import Foundation
public import ManagedObjects

extension ManagedObjectContext {
  /// Fetches what a request asks for: objects, IDs, dictionaries or a count.
  ///
  ///     let dogs = try context.fetch(Dog.fetchRequest())
  ///
  /// - Throws: as the library's `fetch(_:)`.
  /// - Precondition: what the request gives is of its type.
  public func fetch<ResultType>(_ request: NSFetchRequest<ResultType>) throws -> [ResultType] {
    let asked = request.fetchRequest
    switch request.resultType {
    case .managedObjectIDResultType: return try fetchIDs(asked).map(result)
    case .dictionaryResultType:
      return try fetchDictionaries(asked).map { values in
        result(NSDictionary(dictionary: values.mapValues(\.foundationValue)))
      }
    case .countResultType: return [result(NSNumber(value: try self.count(for: asked)))]
    default: return try fetch(asked).map(result)
    }
  }

  /// Counts what a request would find.
  ///
  /// - Throws: as the library's `count(for:)`.
  public func count<ResultType>(for request: NSFetchRequest<ResultType>) throws -> Int {
    try count(for: request.fetchRequest)
  }

  /// Does what a batch or asynchronous request asks for.
  ///
  ///     let result = try context.execute(request) as? NSBatchDeleteResult
  ///
  /// - Throws: as the library's `execute(_:)`.
  /// - Precondition: the request is one of Core Data's kinds.
  @discardableResult
  public func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    switch request {
    case let request as NSBatchDeleteRequest:
      let deleted = try request.requests.flatMap {
        try execute(BatchDeleteRequest(fetchRequest: $0)).deleted
      }
      return NSBatchDeleteResult(deleted, request.resultType)
    case let request as NSBatchUpdateRequest:
      let updated = try execute(request.request(in: storeCoordinator.managedObjectModel)).updated
      return NSBatchUpdateResult(updated, request.resultType)
    case let request as NSBatchInsertRequest:
      return NSBatchInsertResult(
        try execute(request.request(in: self)).inserted, request.resultType)
    case let request as NSPersistentHistoryChangeRequest: return try request.execute(in: self)
    case let request as any AsynchronousRequest: return request.begin(in: self)
    default: fatalError("A context cannot execute a \(type(of: request)): fetch it.")
    }
  }

  private func result<ResultType>(_ value: Any) -> ResultType {
    guard let result = value as? ResultType else {
      fatalError("The request gives values of \(type(of: value)), not of \(ResultType.self).")
    }
    return result
  }
}

/// An asynchronous request of whichever type.
private protocol AsynchronousRequest {
  func begin(in context: ManagedObjectContext) -> NSPersistentStoreResult
}

extension NSAsynchronousFetchRequest: AsynchronousRequest {
  fileprivate func begin(in context: ManagedObjectContext) -> NSPersistentStoreResult {
    let result = NSAsynchronousFetchResult(self)
    context.perform {
      do { result.finalResult = try context.fetch(self.fetchRequest) } catch {
        result.operationError = error
      }
      self.completionBlock?(result)
    }
    return result
  }
}

extension AttributeValue {
  /// The value as Foundation's collections have it.
  var foundationValue: Any {
    switch self {
    case .integer(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    case .decimal(let number): NSDecimalNumber(decimal: number)
    case .boolean(let flag): NSNumber(value: flag)
    case .string(let text): text
    case .date(let date): date
    case .binary(let data): data
    case .uuid(let uuid): uuid
    case .uri(let url): url
    }
  }
}

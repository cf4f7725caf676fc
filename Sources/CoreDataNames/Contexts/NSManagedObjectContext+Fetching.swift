import Foundation
public import ManagedObjects

extension ManagedObjectContext {
  /// Fetches the results of a request: objects, IDs, dictionaries or a count.
  ///
  ///     let dogs = try context.fetch(Dog.fetchRequest())
  ///
  /// - Throws: as the library's `fetch(_:)`.
  /// - Precondition: the results are of the request's type.
  public func fetch<ResultType>(_ request: NSFetchRequest<ResultType>) throws -> [ResultType] {
    let asked = request.fetchRequest
    switch request.resultType {
    case .managedObjectIDResultType: return try fetchIDs(asked).map(result)
    case .dictionaryResultType:
      let urls = columnsOfURIs(asked)
      return try fetchDictionaries(asked).map { values in
        var dictionary: [String: Any] = [:]
        for (name, value) in values {
          dictionary[name] =
            (urls.contains(name) ? nil : objectID(value)) ?? value.foundationValue
        }
        return result(NSDictionary(dictionary: dictionary))
      }
    case .countResultType: return [result(NSNumber(value: try self.count(for: asked)))]
    default: return try fetch(asked).map(result)
    }
  }

  /// Counts the objects that a request matches.
  ///
  /// - Throws: as the library's `count(for:)`.
  public func count<ResultType>(for request: NSFetchRequest<ResultType>) throws -> Int {
    try count(for: request.fetchRequest)
  }

  /// Executes a batch or asynchronous request.
  ///
  ///     let result = try context.execute(request) as? NSBatchDeleteResult
  ///
  /// - Throws: as the library's `execute(_:)`.
  /// - Precondition: the request is of one of Core Data's classes.
  @discardableResult
  public func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    switch request {
    case let request as NSBatchDeleteRequest:
      let changes = try request.request.map { try execute(BatchDeleteRequest(fetchRequest: $0)) }
      if let changes { storeCoordinator.postRemoteChanges(ofBatch: changes) }
      return NSBatchDeleteResult(changes?.deleted ?? [], request.resultType)
    case let request as NSBatchUpdateRequest:
      let changes = try execute(request.request(in: storeCoordinator.managedObjectModel))
      storeCoordinator.postRemoteChanges(ofBatch: changes)
      return NSBatchUpdateResult(changes.updated, request.resultType)
    case let request as NSBatchInsertRequest:
      let changes = try execute(request.request(in: self))
      storeCoordinator.postRemoteChanges(ofBatch: changes)
      return NSBatchInsertResult(changes.inserted, request.resultType)
    case let request as NSPersistentHistoryChangeRequest: return try request.execute(in: self)
    case let request as any AsynchronousRequest: return request.begin(in: self)
    default: fatalError("A context cannot execute a \(type(of: request)): fetch it.")
    }
  }

  /// The ID of an object that a dictionary contains as a URI.
  private func objectID(_ value: AttributeValue) -> ManagedObjectID? {
    guard case .uri(let url) = value else { return nil }
    return storeCoordinator.managedObjectID(forURIRepresentation: url)
  }

  /// The columns of a request that are attributes of type URI, rather than objects.
  private func columnsOfURIs(_ request: FetchRequest<ManagedObject>) -> Set<String> {
    let model = storeCoordinator.managedObjectModel
    guard let entity = request.entityName.flatMap({ model.entitiesByName[$0] }) else { return [] }
    func isURI(_ path: String) -> Bool {
      var owner: EntityDescription? = entity
      var found: PropertyDescription?
      for name in path.split(separator: ".") {
        found = owner.flatMap { model.properties(of: $0).first { $0.name == name } }
        owner = nil
        if case .relationship(let relationship)? = found {
          owner = model.entitiesByName[relationship.destinationEntityName]
        }
      }
      guard case .attribute(let attribute)? = found else { return false }
      return attribute.type == .uri
    }
    let columns =
      request.propertiesToFetch.isEmpty
      ? model.properties(of: entity).map { ($0.name, $0.name) }
      : request.propertiesToFetch.map { column -> (String, String) in
        guard case .keyPath(let path) = column.expression.kind else { return (column.name, "") }
        return (column.name, path)
      }
    return Set(columns.filter { isURI($0.1) }.map(\.0))
  }

  private func result<ResultType>(_ value: Any) -> ResultType {
    guard let result = value as? ResultType else {
      fatalError("The request gives values of \(type(of: value)), not of \(ResultType.self).")
    }
    return result
  }
}

/// An asynchronous request with any result type.
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
  /// The value in Foundation's types.
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

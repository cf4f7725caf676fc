public import ManagedObjects

/// What a batch deletion gives.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
  /// Whether it was done.
  case resultTypeStatusOnly
  /// The IDs of what was deleted.
  case resultTypeObjectIDs
  /// How many objects were deleted.
  case resultTypeCount
}

/// A deletion in the store, without objects.
///
///     try context.execute(NSBatchDeleteRequest(fetchRequest: Dog.fetchRequest()))
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
  /// What is given.
  public var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly
  /// The stores that are asked; nil for those of the fetch request.
  public var affectedStores: [PersistentStore]?
  private let found: [FetchRequest<ManagedObject>]

  /// What is deleted, by the library's requests.
  var requests: [FetchRequest<ManagedObject>] {
    guard let affectedStores else { return found }
    return found.map {
      var request = $0
      request.affectedStores = affectedStores
      return request
    }
  }

  /// Creates a deletion of what a request finds.
  public init<ResultType>(fetchRequest: NSFetchRequest<ResultType>) {
    found = [fetchRequest.fetchRequest]
  }

  /// Creates a deletion of objects by their IDs.
  public init(objectIDs: [ManagedObjectID]) {
    found = Dictionary(grouping: objectIDs, by: \.entity.storedName).sorted { $0.key < $1.key }
      .map { name, ids in
        var request = FetchRequest<ManagedObject>(entityName: name)
        request.predicate = .object(isIn: ids)
        return request
      }
  }
}

/// What a batch deletion gave.
open class NSBatchDeleteResult: NSPersistentStoreResult {
  /// A `Bool`, `[NSManagedObjectID]` or `Int`, as the request wanted.
  public let result: Any?
  /// What was wanted.
  public let resultType: NSBatchDeleteRequestResultType

  init(_ deleted: [ManagedObjectID], _ type: NSBatchDeleteRequestResultType) {
    resultType = type
    result =
      switch type {
      case .resultTypeStatusOnly: true
      case .resultTypeObjectIDs: deleted
      case .resultTypeCount: deleted.count
      }
  }
}

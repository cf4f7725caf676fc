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
  let requests: [FetchRequest<ManagedObject>]

  /// Creates a deletion of what a request finds.
  public init<ResultType>(fetchRequest: NSFetchRequest<ResultType>) {
    requests = [fetchRequest.fetchRequest]
  }

  /// Creates a deletion of objects by their IDs.
  public init(objectIDs: [ManagedObjectID]) {
    requests = Dictionary(grouping: objectIDs, by: \.entity.name).sorted { $0.key < $1.key }
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

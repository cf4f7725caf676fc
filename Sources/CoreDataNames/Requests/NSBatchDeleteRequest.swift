public import ManagedObjects

/// The type of result of a batch deletion.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
  /// Whether it succeeded.
  case resultTypeStatusOnly
  /// The IDs of the deleted objects.
  case resultTypeObjectIDs
  /// The number of deleted objects.
  case resultTypeCount
}

/// A request to delete rows in the store, without loading objects.
///
///     try context.execute(NSBatchDeleteRequest(fetchRequest: Dog.fetchRequest()))
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
  /// The type of result.
  public var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly
  /// The stores to delete from; nil for those of the fetch request.
  public var affectedStores: [PersistentStore]?
  private let found: [FetchRequest<ManagedObject>]

  /// The library's requests for the objects to delete.
  var requests: [FetchRequest<ManagedObject>] {
    guard let affectedStores else { return found }
    return found.map {
      var request = $0
      request.affectedStores = affectedStores
      return request
    }
  }

  /// Creates a request to delete the objects that a fetch request matches.
  public init<ResultType>(fetchRequest: NSFetchRequest<ResultType>) {
    found = [fetchRequest.fetchRequest]
  }

  /// Creates a request to delete objects by their IDs.
  public init(objectIDs: [ManagedObjectID]) {
    found = Dictionary(grouping: objectIDs, by: \.entity.storedName).sorted { $0.key < $1.key }
      .map { name, ids in
        var request = FetchRequest<ManagedObject>(entityName: name)
        request.predicate = .object(isIn: ids)
        return request
      }
  }
}

/// The result of a batch deletion.
open class NSBatchDeleteResult: NSPersistentStoreResult {
  /// A `Bool`, `[NSManagedObjectID]` or `Int`, depending on the result type.
  public let result: Any?
  /// The type of the result.
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

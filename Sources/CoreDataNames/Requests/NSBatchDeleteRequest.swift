/// A request to delete rows in the store, without loading objects.
///
///     try context.execute(NSBatchDeleteRequest(fetchRequest: Dog.fetchRequest()))
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
  /// The type of result.
  public var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly
  /// The stores to delete from; nil for those of the fetch request.
  public var affectedStores: [PersistentStore]?
  private let found: FetchRequest<ManagedObject>?

  /// What is deleted, by the library's request; nil for nothing.
  var request: FetchRequest<ManagedObject>? {
    guard var request = found else { return nil }
    if let affectedStores { request.affectedStores = affectedStores }
    return request
  }

  /// Creates a request to delete the objects that a fetch request matches.
  public init<ResultType>(fetchRequest: NSFetchRequest<ResultType>) {
    found = fetchRequest.fetchRequest
  }

  /// Creates a deletion of objects by their IDs; of none, it deletes nothing.
  ///
  /// - Precondition: all are of one entity; Core Data raises if they are not.
  public init(objectIDs: [ManagedObjectID]) {
    found = objectIDs.first.map { first in
      let name = first.entity.storedName
      if let other = objectIDs.first(where: { $0.entity.storedName != name }) {
        fatalError(
          "A batch deletion needs objects of one entity: these are of \(name) and \(other.entity.storedName)."
        )
      }
      var request = FetchRequest<ManagedObject>(entityName: name)
      request.predicate = .object(isIn: objectIDs)
      return request
    }
  }
}

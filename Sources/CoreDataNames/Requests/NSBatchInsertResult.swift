/// The result of a batch insertion.
open class NSBatchInsertResult: NSPersistentStoreResult {
  /// A `Bool`, `[NSManagedObjectID]` or `Int`, depending on the result type.
  public let result: Any?
  /// The type of the result.
  public let resultType: NSBatchInsertRequestResultType

  init(_ inserted: [ManagedObjectID], _ type: NSBatchInsertRequestResultType) {
    resultType = type
    result =
      switch type {
      case .statusOnly: true
      case .objectIDs: inserted
      case .count: inserted.count
      }
  }
}

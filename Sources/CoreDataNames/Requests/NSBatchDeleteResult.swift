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

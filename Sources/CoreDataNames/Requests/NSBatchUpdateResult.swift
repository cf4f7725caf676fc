/// The result of a batch update.
open class NSBatchUpdateResult: NSPersistentStoreResult {
  /// A `Bool`, `[NSManagedObjectID]` or `Int`, depending on the result type.
  public let result: Any?
  /// The type of the result.
  public let resultType: NSBatchUpdateRequestResultType

  init(_ updated: [ManagedObjectID], _ type: NSBatchUpdateRequestResultType) {
    resultType = type
    result =
      switch type {
      case .statusOnlyResultType: true
      case .updatedObjectIDsResultType: updated
      case .updatedObjectsCountResultType: updated.count
      }
  }
}

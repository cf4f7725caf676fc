/// One object that a transaction inserted, updated or deleted.
///
///     for change in transaction.changes where change.changeType == .delete {
///       print(change.changedObjectID, change.tombstone["name"] ?? "")
///     }
///
/// A value type. Follows Core Data's `NSPersistentHistoryChange`.
public struct PersistentHistoryChange: Sendable, Hashable {
  /// The number of the change in its store; later changes have higher numbers.
  public let changeID: Int64
  /// The ID of the object, whose row may have been deleted since.
  public let changedObjectID: ManagedObjectID
  /// Whether the object was inserted, updated or deleted.
  public let changeType: PersistentHistoryChangeType
  /// The names of the properties that an update changed; empty for other types.
  ///
  /// Includes a to-many relationship whose members were added or removed.
  public let updatedProperties: Set<String>
  /// The last values of a deleted object's attributes that are kept in history
  /// (`preservesValueInHistoryOnDeletion`), by name; empty for the other types.
  public let tombstone: [String: AttributeValue]
  /// The number of the transaction that contains the change.
  public let transactionNumber: Int64
}

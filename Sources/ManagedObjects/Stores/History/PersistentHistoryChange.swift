/// What became of a row in a transaction.
public enum PersistentHistoryChangeType: Int, Sendable, Hashable, Codable {
  /// It was inserted.
  case insert = 0
  /// Some of its properties were changed.
  case update = 1
  /// It was deleted.
  case delete = 2
}

/// One object that a transaction inserted, updated or deleted.
///
///     for change in transaction.changes where change.changeType == .delete {
///       print(change.changedObjectID, change.tombstone["name"] ?? "")
///     }
///
/// A value. Follows Core Data's `NSPersistentHistoryChange`.
public struct PersistentHistoryChange: Sendable, Hashable {
  /// The change's number in its store: the later the higher.
  public let changeID: Int64
  /// The object; its row may be gone by now.
  public let changedObjectID: ManagedObjectID
  /// What became of it.
  public let changeType: PersistentHistoryChangeType
  /// The names of the properties that an update changed; empty for the other types.
  ///
  /// A to-many is among them where members came or went.
  public let updatedProperties: Set<String>
  /// The last values of a deleted object's attributes that are kept in history
  /// (`preservesValueInHistoryOnDeletion`), by name; empty for the other types.
  public let tombstone: [String: AttributeValue]
  /// The number of the transaction that the change is part of.
  public let transactionNumber: Int64
}

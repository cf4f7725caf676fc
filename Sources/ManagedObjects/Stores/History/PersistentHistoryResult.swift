/// The result of a history request; only what its result type names is filled in.
///
///     let result = try context.execute(.fetchHistory(after: token))
///     print(result.transactions.count)
///
/// Follows Core Data's `NSPersistentHistoryResult`.
public struct PersistentHistoryResult: Sendable, Hashable {
  /// The number of changes; for a deletion, the number of deleted changes.
  public internal(set) var count = 0
  /// The IDs of the changed objects, each once.
  public internal(set) var objectIDs: [ManagedObjectID] = []
  /// The transactions, sorted by store and then from the oldest.
  public internal(set) var transactions: [PersistentHistoryTransaction] = []
  /// The changes, sorted by store and then from the oldest.
  public internal(set) var changes: [PersistentHistoryChange] = []
}

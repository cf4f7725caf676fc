/// The type of a change to a row in a transaction.
public enum PersistentHistoryChangeType: Int, Sendable, Hashable, Codable {
  /// The row was inserted.
  case insert = 0
  /// Some of its properties were updated.
  case update = 1
  /// The row was deleted.
  case delete = 2
}

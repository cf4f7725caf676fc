/// The type of result of a history request, by Core Data's names.
public enum NSPersistentHistoryResultType: Int, Sendable {
  /// Whether the request succeeded.
  case statusOnly
  /// The IDs of the changed objects.
  case objectIDs
  /// The number of changes.
  case count
  /// The transactions, without their changes.
  case transactionsOnly
  /// The changes, without their transactions.
  case changesOnly
  /// The transactions with their changes.
  case transactionsAndChanges
}

extension NSPersistentHistoryResultType {
  var libraryType: PersistentHistoryChangeRequest.ResultType {
    switch self {
    case .statusOnly, .count: .count
    case .objectIDs: .objectIDs
    case .transactionsOnly: .transactionsOnly
    case .changesOnly: .changesOnly
    case .transactionsAndChanges: .transactionsAndChanges
    }
  }
}

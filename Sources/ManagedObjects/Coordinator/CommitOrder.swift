/// The order in which stores commit a save that they make together.
///
/// Each store does its work, then calls the save of the next one, and commits afterwards. So later
/// stores in this order commit earlier; those that may still fail at that point come last.
enum CommitOrder: CaseIterable {
  /// Rows in memory cannot fail.
  case memory
  /// The new document is on the disk, and has only to be renamed.
  case document
  /// A commit still writes.
  case file
  /// A commit still needs the server.
  case server
  /// Custom code still writes.
  case atomic
  /// Conflicts are found only on writing.
  case incremental
}

extension RowStore {
  /// Its position among several stores that save together.
  var commitOrder: CommitOrder {
    switch type {
    case .inMemory: .memory
    case .xml, .json, .binary: .document
    case .sqlite: .file
    case .postgreSQL: .server
    default: identity.isIncremental ? .incremental : .atomic
    }
  }
}

extension Array {
  /// The elements in the order in which their stores save together; stable within a store type.
  func inCommitOrder(_ store: (Element) -> any RowStore) -> [Element] {
    guard count > 1 else { return self }
    return CommitOrder.allCases.flatMap { order in filter { store($0).commitOrder == order } }
  }
}

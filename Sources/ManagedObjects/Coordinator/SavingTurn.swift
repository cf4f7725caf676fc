/// Where a store stands among several that save together.
///
/// Each saves around the next one: it does its work, has that one save, and commits then. So the
/// later it stands, the earlier it commits; last stands what may still refuse by then.
enum SavingTurn: CaseIterable {
  /// Rows in memory cannot fail.
  case memory
  /// What a document will be lies on the disk, and has only to be named.
  case document
  /// A commit still writes.
  case file
  /// A commit still goes to a server.
  case server
  /// A program's own code still writes.
  case atomic
  /// It finds conflicts no earlier than it writes.
  case incremental
}

extension RowStore {
  /// Where it stands among several stores that save together.
  var savingTurn: SavingTurn {
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
  /// The same in the order in which their stores save together; of one kind, as they were.
  func inSavingOrder(_ store: (Element) -> any RowStore) -> [Element] {
    guard count > 1 else { return self }
    return SavingTurn.allCases.flatMap { turn in filter { store($0).savingTurn == turn } }
  }
}

import DataModel
import SystemLibraries

/// A store in SQL's tables that can keep a persistent history.
protocol HistoryStore: RevertingStore {
  /// The history that it keeps; nil where it keeps none.
  var history: SQLHistory? { get }

  /// The history that there is, whoever keeps it; nil for none.
  func historyTables() throws -> HistoryTables?

  /// Runs a body that reads several times, with one state of the store.
  func inOneState<Result>(_ body: () throws -> Result) throws -> Result

  /// Runs a body that deletes some of the history, in one transaction or not at all.
  func deletingHistory<Result>(_ body: () throws -> Result) throws -> Result
}

extension HistoryStore {
  /// What gathers a transaction's changes for the persistent history; nil where none is kept.
  func historyRecorder() -> HistoryRecorder? {
    history?.recorder(bindings, offset: offset, joins: joins)
  }

  /// Writes what a transaction has changed so far into the persistent history, where one is kept.
  func writeHistory(_ recorder: HistoryRecorder?, by origin: TransactionOrigin) throws {
    if let recorder { try history?.write(recorder, by: origin, in: self) }
  }

  // MARK: Reading and deleting

  /// The part of the history that a request wants.
  ///
  /// - Throws: `PersistentHistoryError`, `PersistentStoreError`.
  func history(_ request: PersistentHistoryChangeRequest) throws -> PersistentHistoryResult {
    try readingHistory { reader in
      var criteria = HistoryReader.Criteria()
      criteria.author = request.author
      criteria.excludedAuthor = request.excludedAuthor
      criteria.contextName = request.contextName
      criteria.limit = request.fetchLimit
      criteria.entities = request.entityNames.map { names in
        Set(
          bindings.filter { names.contains($0.name) }
            .flatMap { $0.family.map { binding(at: $0).number } })
      }
      switch request.bound {
      case .everything: break
      case .date(let date): criteria.date = date.timeIntervalSinceReferenceDate
      case .token(let token):
        guard let number = token.transaction(in: identity) else { break }
        try reader.expectHistory(after: number)
        criteria.after = number
      }
      return try result(request.resultType, criteria, reader)
    }
  }

  private func result(
    _ type: PersistentHistoryChangeRequest.ResultType, _ criteria: HistoryReader.Criteria,
    _ reader: HistoryReader
  ) throws -> PersistentHistoryResult {
    var result = PersistentHistoryResult()
    if type == .count {
      result.count = try reader.countChanges(criteria)
      return result
    }
    var entities = HistoryEntities(bindings)
    var seen: Set<ManagedObjectID> = []
    try reader.forEachTransaction(criteria) { transaction in
      var transaction = transaction
      if type != .transactionsOnly {
        try reader.forEachChange(of: transaction.transactionNumber, criteria) { change in
          guard let change = entities.change(change, reader) else { return }
          switch type {
          case .objectIDs:
            if seen.insert(change.changedObjectID).inserted {
              result.objectIDs.append(change.changedObjectID)
            }
          case .changesOnly: result.changes.append(change)
          default: transaction.changes.append(change)
          }
        }
      }
      if type == .transactionsOnly || type == .transactionsAndChanges {
        result.transactions.append(transaction)
      }
    }
    return result
  }

  /// Deletes what came before a request's bound; gives how many changes that were.
  ///
  /// - Throws: `PersistentStoreError`.
  func deleteHistory(_ request: PersistentHistoryChangeRequest) throws -> Int {
    try refuseIfReadOnly()
    return try mappingErrors {
      try deletingHistory {
        guard let reader = try historyReader() else { return 0 }
        let number: Int64 =
          switch request.bound {
          case .everything: try reader.tables.lastTransaction() &+ 1
          case .date(let date):
            try reader.firstTransaction(from: date.timeIntervalSinceReferenceDate)
          // Of a store that it does not speak of nothing is known to be seen.
          case .token(let token): token.transaction(in: identity) ?? 0
          }
        return try reader.tables.deleteTransactions(below: number)
      }
    }
  }

  /// The number of the last transaction; nil where the store has no history.
  func lastHistoryTransaction() throws -> Int64? {
    try mappingErrors {
      try followChanges()
      return try historyTables()?.lastTransaction()
    }
  }

  private func historyReader() throws -> HistoryReader? {
    try historyTables().map { HistoryReader(tables: $0, storeID: identifier) }
  }

  /// Runs a body with one state of the history.
  private func readingHistory<Result>(_ body: (HistoryReader) throws -> Result) throws -> Result {
    try mappingErrors {
      try followChanges()
      return try inOneState {
        guard let reader = try historyReader() else {
          throw PersistentHistoryError.notTracked(storeID: identifier)
        }
        return try body(reader)
      }
    }
  }
}

/// The entities that the changes of a history speak of, by their numbers.
struct HistoryEntities {
  private let bindings: [Int: EntityBinding]
  private var columns: [Int: HistoryColumns] = [:]

  init(_ bindings: [EntityBinding]) {
    // Of a damaged store two may have one number.
    self.bindings = Dictionary(bindings.map { ($0.number, $0) }) { first, _ in first }
  }

  /// A change as programs see it; nil of an entity that the model does not have.
  mutating func change(
    _ change: HistoryReader.Change, _ reader: HistoryReader
  ) -> PersistentHistoryChange? {
    guard let entity = bindings[change.entity] else { return nil }
    let columns = columns[change.entity] ?? HistoryColumns(entity)
    self.columns[change.entity] = columns
    return PersistentHistoryChange(
      changeID: change.id, changedObjectID: ManagedObjectID(binding: entity, key: change.key),
      changeType: change.type,
      updatedProperties: reader.updatedProperties(of: change, columns),
      tombstone: reader.tombstone(of: change, columns, entity),
      transactionNumber: change.transaction)
  }
}

@available(*, unavailable) extension HistoryEntities: Sendable {}

import SystemLibraries

/// A store in SQL tables that can keep a persistent history.
protocol HistoryStore: RevertingStore {
  /// The history that this store records; nil if it records none.
  var history: SQLHistory? { get }

  /// The tables of an existing history, whether or not this store records it; nil if there are
  /// none.
  func historyTables() throws -> HistoryTables?

  /// Runs a body whose reads all see the same state of the store.
  func inOneState<Result>(_ body: () throws -> Result) throws -> Result

  /// Runs a body that deletes history, atomically in one transaction.
  func deletingHistory<Result>(_ body: () throws -> Result) throws -> Result
}

extension HistoryStore {
  /// A recorder of a transaction's changes for the persistent history; nil if none is kept.
  func historyRecorder() -> HistoryRecorder? {
    history?.recorder(bindings, offset: offset, joins: joins)
  }

  /// Writes the changes recorded so far to the persistent history, if one is kept.
  func writeHistory(_ recorder: HistoryRecorder?, by origin: TransactionOrigin) throws {
    if let recorder { try history?.write(recorder, by: origin, in: self) }
  }

  // MARK: Reading and deleting

  /// Fetches the part of the history that a request selects.
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

  /// Deletes the history before a request's bound; returns the number of deleted changes.
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
          // A token that does not include the store says nothing about what was processed.
          case .token(let token): token.transaction(in: identity) ?? 0
          }
        return try reader.tables.deleteTransactions(below: number)
      }
    }
  }

  /// The number of the last transaction; nil if the store has no history.
  func lastHistoryTransaction() throws -> Int64? {
    try mappingErrors {
      try followChanges()
      return try historyTables()?.lastTransaction()
    }
  }

  private func historyReader() throws -> HistoryReader? {
    try historyTables().map { HistoryReader(tables: $0, storeID: identifier) }
  }

  /// Runs a body whose reads see the same state of the history.
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

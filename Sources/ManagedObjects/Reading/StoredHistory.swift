import SystemLibraries

/// The persistent history of a store that is being read: its transactions and their changes.
///
///     let reader = try StoreReader(contentsOf: url)
///     guard let history = try reader.history(of: model) else { return }
///     try history.forEachTransaction { transaction in
///       try history.forEachChange(of: transaction) { print($0.type, $0.reference) }
///     }
///
/// Memory use does not grow with the history.
package final class StoredHistory {
  /// The author to filter transactions by; nil for all authors.
  package var author: String?
  /// The entity to filter changes by, subentities excluded; nil for all entities.
  package var entityName: String?
  /// Only transactions with a higher number are read.
  package var after: Int64 = 0

  private let reader: HistoryReader
  private let url: URL
  /// The names of the store's entities by their numbers.
  private let names: [Int: String]
  private let bindings: [Int: (entity: EntityBinding, columns: HistoryColumns)]

  init?(
    _ connection: Connection, at url: URL, identifier: String, of model: ManagedObjectModel?
  ) throws {
    guard let tables = try HistoryTables(connection) else { return nil }
    self.url = url
    reader = HistoryReader(tables: tables, storeID: identifier)
    let numbers = try SQLiteStore.entityNumbers(connection)
    let bound = model.map {
      ModelBinding(
        $0, store: PersistentStoreIdentity(identifier: identifier), numbers: numbers)
    }
    // In a damaged store two entities may have the same number.
    bindings = Dictionary(
      (bound?.entities ?? []).map { ($0.number, ($0, HistoryColumns($0))) }
    ) { first, _ in first }
    names = Dictionary(numbers.map { ($1, $0) }) { min($0, $1) }
      .merging(bindings.mapValues(\.entity.name)) { $1 }
  }

  /// Whether the store has an entity with a name.
  package func hasEntity(_ name: String) -> Bool { names.values.contains(name) }

  /// Calls a body with each matching transaction, oldest first, without its changes.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read; what the body throws.
  package func forEachTransaction(
    _ body: (PersistentHistoryTransaction) throws -> Void
  ) throws {
    try PersistentStoreError.mapping(at: url) { try reader.forEachTransaction(criteria, body) }
  }

  /// Calls a body with each matching change of a transaction, in order.
  ///
  /// - Throws: as `forEachTransaction(_:)` does.
  package func forEachChange(
    of transaction: PersistentHistoryTransaction, _ body: (StoredHistoryChange) throws -> Void
  ) throws {
    try PersistentStoreError.mapping(at: url) {
      try reader.forEachChange(of: transaction.transactionNumber, criteria) { change in
        let bound = bindings[change.entity]
        try body(
          StoredHistoryChange(
            type: change.type,
            reference: StoredReference(
              entityName: names[change.entity] ?? String(change.entity), primaryKey: change.key),
            updatedProperties: bound.map {
              reader.updatedProperties(of: change, $0.columns).sorted()
            } ?? [],
            tombstone: bound.map { reader.tombstone(of: change, $0.columns, $0.entity) } ?? [:]))
      }
    }
  }

  private var criteria: HistoryReader.Criteria {
    var criteria = HistoryReader.Criteria()
    criteria.after = after
    criteria.author = author
    criteria.entities = entityName.map { name in
      Set(names.filter { $0.value == name }.map(\.key))
    }
    return criteria
  }
}

@available(*, unavailable) extension StoredHistory: Sendable {}

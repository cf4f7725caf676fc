import DataModel
import SystemLibraries

/// A reader of a store's persistent history: transactions and their changes.
struct HistoryReader {
  /// The filter for transactions and changes.
  struct Criteria {
    /// Only transactions with a higher number.
    var after: Int64 = 0
    /// Only transactions after this date, in seconds since 2001.
    var date: Double?
    var author: String?
    var excludedAuthor: String?
    var contextName: String?
    /// The entity numbers; nil for all entities.
    var entities: Set<Int>?
    /// The maximum number of transactions; 0 for all.
    var limit = 0
  }

  /// A change read from its row; its values are valid until the next one is read.
  struct Change {
    let id: Int64
    let type: PersistentHistoryChangeType
    /// The number of the entity.
    let entity: Int
    let key: Int64
    let transaction: Int64
    fileprivate let statement: any SQLStatement
    fileprivate static let columns = 5
  }

  let tables: HistoryTables
  /// The store's UUID.
  let storeID: String

  private var dialect: SQLDialect { tables.dialect }
  private var changes: String { tables.table(HistoryTables.change) }
  private var transactions: String { tables.table(HistoryTables.transaction) }
  private var strings: String { tables.table(HistoryTables.string) }

  // MARK: Transactions

  /// Calls a body with each matching transaction, oldest first, without its changes.
  func forEachTransaction(
    _ criteria: Criteria, _ body: (PersistentHistoryTransaction) throws -> Void
  ) throws {
    guard tables.found.contains(HistoryTables.transaction) else { return }
    let columns = ["AUTHOR", "CONTEXTNAME", "BUNDLEID", "PROCESSID"].map(text)
    let (condition, values) = condition(criteria)
    let statement = try tables.database.prepared(
      """
      SELECT t.Z_PK, t.ZTIMESTAMP, \(columns.joined(separator: ", "))
      FROM \(transactions) t WHERE \(condition) ORDER BY t.Z_PK\(limit(criteria))
      """)
    defer { statement.reset() }
    bind(values, to: statement)
    while try statement.step() {
      try body(
        PersistentHistoryTransaction(
          transactionNumber: statement.integer(at: 0),
          timestamp: Date(timeIntervalSinceReferenceDate: statement.real(at: 1)),
          author: statement.string(at: 2), contextName: statement.string(at: 3),
          bundleID: statement.string(at: 4), processID: statement.string(at: 5), storeID: storeID))
    }
  }

  /// The number of matching changes.
  func countChanges(_ criteria: Criteria) throws -> Int {
    guard tables.found.isSuperset(of: [HistoryTables.transaction, HistoryTables.change]) else {
      return 0
    }
    let (condition, values) = condition(criteria)
    let statement = try tables.database.prepared(
      """
      SELECT count(*) FROM \(changes) c WHERE c.ZTRANSACTIONID IN (
        SELECT t.Z_PK FROM \(transactions) t WHERE \(condition) ORDER BY t.Z_PK\(limit(criteria))
      )\(ofEntities(criteria))
      """)
    defer { statement.reset() }
    bind(values, to: statement)
    return try statement.step() ? Int(statement.integer(at: 0)) : 0
  }

  private func condition(_ criteria: Criteria) -> (sql: String, values: [AttributeValue]) {
    var conditions = ["t.Z_PK > ?"]
    var values: [AttributeValue] = [.integer(criteria.after)]
    if let date = criteria.date {
      conditions.append("t.ZTIMESTAMP > ?")
      values.append(.double(date))
    }
    for (name, value, comparison) in [
      ("AUTHOR", criteria.author, "="), ("AUTHOR", criteria.excludedAuthor, dialect.isNot),
      ("CONTEXTNAME", criteria.contextName, "="),
    ] {
      guard let value else { continue }
      conditions.append("\(text(name)) \(comparison) ?")
      values.append(.string(value))
    }
    if criteria.entities != nil {
      conditions.append(
        tables.found.contains(HistoryTables.change)
          ? "EXISTS (SELECT 1 FROM \(changes) c WHERE c.ZTRANSACTIONID = t.Z_PK\(ofEntities(criteria)))"
          : dialect.no)
    }
    return (conditions.joined(separator: " AND "), values)
  }

  private func limit(_ criteria: Criteria) -> String {
    criteria.limit > 0 ? " LIMIT \(criteria.limit)" : ""
  }

  private func bind(_ values: [AttributeValue], to statement: any SQLStatement) {
    for (index, value) in values.enumerated() { statement.bind(value, at: Int32(index + 1)) }
  }

  private func ofEntities(_ criteria: Criteria) -> String {
    guard let entities = criteria.entities else { return "" }
    // Not every engine accepts an empty list.
    if entities.isEmpty { return " AND \(dialect.no)" }
    return " AND c.ZENTITY IN (\(entities.sorted().sqlList))"
  }

  /// The expression for a text of a transaction: its own column, or the string it refers to.
  private func text(_ name: String) -> String {
    let isOwn = tables.transactionColumns.contains("Z\(name)")
    let isReference =
      tables.transactionColumns.contains("Z\(name)TS")
      && tables.found.contains(HistoryTables.string)
    let own = isOwn ? "t.Z\(name)" : "NULL"
    return isReference
      ? "coalesce(\(own), (SELECT s.ZNAME FROM \(strings) s WHERE s.Z_PK = t.Z\(name)TS))"
      : own
  }

  // MARK: Changes

  /// Calls a body with each change of a transaction, in order; unreadable ones are skipped.
  func forEachChange(
    of transaction: Int64, _ criteria: Criteria = Criteria(), _ body: (Change) throws -> Void
  ) throws {
    guard tables.found.contains(HistoryTables.change), tables.hasRequiredColumns else { return }
    let tombstones = tombstoneColumns.map { ", c.\($0)" }.joined()
    let statement = try tables.database.prepared(
      """
      SELECT c.Z_PK, c.ZCHANGETYPE, c.ZENTITY, c.ZENTITYPK, c.ZCOLUMNS\(tombstones)
      FROM \(changes) c WHERE c.ZTRANSACTIONID = ?\(ofEntities(criteria)) ORDER BY c.Z_PK
      """)
    defer { statement.reset() }
    statement.bind(transaction, at: 1)
    while try statement.step() {
      guard
        let type = PersistentHistoryChangeType(
          rawValue: Int(truncatingIfNeeded: statement.integer(at: 1))),
        statement.integer(at: 3) > 0
      else { continue }
      try body(
        Change(
          id: statement.integer(at: 0), type: type,
          entity: Int(truncatingIfNeeded: statement.integer(at: 2)), key: statement.integer(at: 3),
          transaction: transaction, statement: statement))
    }
  }

  private var tombstoneColumns: [String] {
    (0..<tables.tombstoneCount).map(HistoryTables.tombstone)
  }

  /// The properties that an update changed.
  func updatedProperties(of change: Change, _ columns: HistoryColumns) -> Set<String> {
    guard change.type == .update, let bytes = change.statement.blob(at: 4) else { return [] }
    return columns.properties(in: bytes)
  }

  /// The values kept of a deleted object.
  func tombstone(
    of change: Change, _ columns: HistoryColumns, _ entity: EntityBinding
  ) -> [String: AttributeValue] {
    guard change.type == .delete else { return [:] }
    var values: [String: AttributeValue] = [:]
    for (index, slot) in columns.tombstoneSlots.prefix(tombstoneColumns.count).enumerated() {
      guard case .attribute(let attribute) = entity.slots[slot] else { continue }
      values[attribute.name] = change.statement.tombstone(
        at: Int32(Change.columns + index), of: attribute, takesAnyType: tables.takesAnyType)
    }
    return values
  }

  // MARK: Range of the history

  /// Checks that no transaction after a number was deleted.
  ///
  /// - Throws: `PersistentHistoryError.tokenExpired`.
  func expectHistory(after number: Int64) throws {
    guard tables.found.contains(HistoryTables.transaction) else { return }
    let last = try tables.lastTransaction()
    let statement = try tables.database.prepared("SELECT min(Z_PK) FROM \(transactions)")
    defer { statement.reset() }
    let hasFirst = try statement.step() && !statement.isNull(at: 0)
    let first = hasFirst ? statement.integer(at: 0) : last &+ 1
    // A number not assigned yet comes from another copy of the store.
    let isKnown = number <= last && number >= first &- 1
    if !isKnown { throw PersistentHistoryError.tokenExpired(storeID: storeID) }
  }

  /// The number of the first transaction at or after a date; one more than the last if there is
  /// none, and 0 if the date is NaN.
  func firstTransaction(from date: Double) throws -> Int64 {
    // SQLite treats NaN as NULL, and PostgreSQL as later than any date.
    guard !date.isNaN, tables.found.contains(HistoryTables.transaction) else { return 0 }
    let statement = try tables.database.prepared(
      "SELECT min(Z_PK) FROM \(transactions) WHERE ZTIMESTAMP >= ?")
    defer { statement.reset() }
    statement.bind(date, at: 1)
    if try statement.step(), !statement.isNull(at: 0) { return statement.integer(at: 0) }
    return try tables.lastTransaction() &+ 1
  }
}

@available(*, unavailable) extension HistoryReader: Sendable {}
@available(*, unavailable) extension HistoryReader.Change: Sendable {}

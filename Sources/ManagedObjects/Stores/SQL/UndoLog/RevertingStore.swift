/// A store in SQL tables that keeps a log of commands that can be undone.
///
/// `RevertingStore+Reverting` implements the operations of `StoreUndoLog`.
protocol RevertingStore: RowStore {
  /// The connection for writing.
  var database: any SQLDatabase { get }
  var schema: SQLSchema { get }
  var joins: [JoinBinding] { get }
  /// The log of commands that can be undone; nil if none is kept.
  var undoLog: SQLUndoLog? { get }

  func refuseIfReadOnly() throws
  /// Runs a body and rethrows the engine's errors as `PersistentStoreError`.
  func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result
  /// Makes changes by other processes visible to the next reads.
  func followChanges() throws

  /// Runs a body atomically in one transaction.
  func inTransaction<Result>(_ body: () throws -> Result) throws -> Result
  /// Runs a body that reverts a command, atomically in one transaction.
  func reverting<Result>(_ body: (any RevertedValues) throws -> Result) throws -> Result
  /// The handling of values stored outside of rows during a trial that is rolled back.
  func triedValues() -> any RevertedValues

  /// A recorder of a transaction's changes for the persistent history; nil if none is kept.
  func historyRecorder() -> HistoryRecorder?
  /// Writes the changes recorded so far to the persistent history, if one is kept.
  func writeHistory(_ recorder: HistoryRecorder?, by origin: TransactionOrigin) throws

  /// Changes the metadata in the caller's transaction.
  ///
  /// - Parameter recorder: records every changed key.
  func changeMetadata(
    _ recorder: UndoRecorder?, _ change: (inout [String: PropertyList]) throws -> Void) throws

  /// Makes sure that no deleted contents of the log remain in the store's files.
  func eraseDeletedLogContents() throws

  func table(_ entity: EntityBinding) -> String
  func column(_ slot: Int, of entity: EntityBinding) -> String
}

// MARK: Rows and links

extension RevertingStore {
  /// A stored row with its entity; nil if there is none.
  ///
  /// The caller must free the row.
  func storedRow(_ key: Int64, of entity: EntityBinding) throws -> (EntityBinding, PackedRow)? {
    try row(key, of: entity).map { ($0.entity, $0.row) }
  }

  func root(of entity: EntityBinding) -> EntityBinding { binding(at: entity.root) }

  /// Sets slots of a row to NULL that is rewritten in the same transaction.
  func clear(_ slots: [Int], of entity: EntityBinding, _ key: Int64, version: UInt32) throws {
    let statement = try database.prepared(
      """
      UPDATE \(table(entity)) SET \(slots.map { "\(column($0, of: entity)) = NULL" }.joined(separator: ", "))
      WHERE Z_PK = ? AND \(SQLDialect.lockCount) = ?
      """)
    statement.bind(key, at: 1)
    statement.bind(Int64(version), at: 2)
    try statement.run()
  }

  /// The links of a join with given ends: first key, second key and order keys.
  func storedLinks(
    _ join: Int, first: Int64? = nil, second: Int64? = nil
  ) throws -> [(first: Int64, second: Int64, firstOrder: Int64?, secondOrder: Int64?)] {
    let names = schema.joins[join]
    let columns = [names.firstKey, names.secondKey, names.firstOrder, names.secondOrder]
    let wanted = [(names.firstKey, first), (names.secondKey, second)].filter { $0.1 != nil }
    let statement = try database.prepared(
      """
      SELECT \(columns.map { $0?.quoted ?? "NULL" }.joined(separator: ", "))
      FROM \(schema.dialect.table(names.table))
      WHERE \(wanted.map { "\($0.0.quoted) = ?" }.joined(separator: " AND "))
      """)
    for case (let index, (_, let key?)) in wanted.enumerated() {
      statement.bind(key, at: Int32(index + 1))
    }
    return try links(in: statement)
  }

  /// The links of a join with any of some first objects.
  func storedLinks(
    _ join: Int, firsts: [Int64]
  ) throws -> [(first: Int64, second: Int64, firstOrder: Int64?, secondOrder: Int64?)] {
    let names = schema.joins[join]
    let columns = [names.firstKey, names.secondKey, names.firstOrder, names.secondOrder]
    return try links(
      in: database.prepared(
        """
        SELECT \(columns.map { $0?.quoted ?? "NULL" }.joined(separator: ", "))
        FROM \(schema.dialect.table(names.table))
        WHERE \(names.firstKey.quoted) IN (\(firsts.map { "\($0)" }.joined(separator: ", ")))
        """))
  }

  private func links(
    in statement: any SQLStatement
  ) throws -> [(first: Int64, second: Int64, firstOrder: Int64?, secondOrder: Int64?)] {
    var links: [(first: Int64, second: Int64, firstOrder: Int64?, secondOrder: Int64?)] = []
    while try statement.step() {
      links.append(
        (
          statement.integer(at: 0), statement.integer(at: 1),
          statement.isNull(at: 2) ? nil : statement.integer(at: 2),
          statement.isNull(at: 3) ? nil : statement.integer(at: 3)
        ))
    }
    return links
  }
}

// MARK: Recording saves

extension RevertingStore {
  /// Records the values that a save overwrites.
  func recordUpdate(
    _ entity: EntityBinding, _ key: Int64, _ before: PackedRow, slots: [Int],
    _ recorder: TransactionRecorder
  ) throws {
    recorder.history?.updated(entity, key, slots: slots)
    recorder.history?.noteOwners(entity, before, slots: slots)
    guard let undoLog else { return }
    recorder.undo?.updated(
      entity, at: entity.index - offset, key,
      before: try undoLog.known(root(of: entity), key, Int64(before.version)),
      after: Int64(before.version &+ 1), before, slots: slots)
  }

  /// Records the order key that reordering a list overwrites.
  func recordMove(
    _ entity: EntityBinding, _ key: Int64, slot: Int, _ recorder: TransactionRecorder
  ) throws {
    guard let (found, row) = try storedRow(key, of: entity) else { return }
    defer { row.free(slotCount: found.slotCount) }
    try recordUpdate(found, key, row, slots: [slot], recorder)
  }

  /// Records the current owners of a row for the persistent history, if one is kept.
  func recordOwners(
    _ entity: EntityBinding, _ key: Int64, slots: [Int]? = nil, _ recorder: TransactionRecorder
  ) throws {
    guard let history = recorder.history, let (found, row) = try storedRow(key, of: entity)
    else { return }
    defer { row.free(slotCount: found.slotCount) }
    history.noteOwners(found, row, slots: slots)
  }
}

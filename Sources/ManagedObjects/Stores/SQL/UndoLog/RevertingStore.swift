import DataModel

/// A store in SQL's tables that keeps a log of commands, which can be taken back.
///
/// `RevertingStore+Reverting` is what `StoreUndoLog` asks of it.
protocol RevertingStore: RowStore {
  /// The connection that writes.
  var database: any SQLDatabase { get }
  var schema: SQLSchema { get }
  var joins: [JoinBinding] { get }
  /// The log of commands that can be taken back; nil where none is kept.
  var undoLog: SQLUndoLog? { get }

  func refuseIfReadOnly() throws
  /// Runs a body and puts the engine's errors into the store's words.
  func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result
  /// Gets ready to read what others have written.
  func followChanges() throws

  /// Runs a body in one transaction, or not at all.
  func inTransaction<Result>(_ body: () throws -> Result) throws -> Result
  /// Runs a body that takes a command back, in one transaction or not at all.
  func reverting<Result>(_ body: (any RevertedValues) throws -> Result) throws -> Result
  /// What comes of values outside of the rows while something is only tried out.
  func triedValues() -> any RevertedValues

  /// What gathers a transaction's changes for the persistent history; nil where none is kept.
  func historyRecorder() -> HistoryRecorder?
  /// Writes what a transaction has changed so far into the persistent history, where one is kept.
  func writeHistory(_ recorder: HistoryRecorder?, by origin: TransactionOrigin) throws

  /// Changes the metadata, inside the caller's transaction.
  ///
  /// - Parameter recorder: hears of every key that changes.
  func changeMetadata(
    _ recorder: UndoRecorder?, _ change: (inout [String: PropertyList]) throws -> Void) throws

  /// Has nothing be left anywhere of what was deleted from the log.
  func clearRemains() throws

  func table(_ entity: EntityBinding) -> String
  func column(_ slot: Int, of entity: EntityBinding) -> String
}

/// What a store keeps of values outside of their rows, while commands are taken back.
protocol RevertedValues: AnyObject {
  /// What the column of a value holds that may stand outside.
  func stored(_ value: UnsafeRawBufferPointer) throws -> [UInt8]
  /// Notes that the values of some slots of a row go.
  func drop(_ slots: [Int], of entity: EntityBinding, _ key: Int64) throws
  /// Forgets what was done.
  func undo()
}

/// The values of a store that has all of them in its rows.
final class ValuesInRows: RevertedValues {
  func stored(_ value: UnsafeRawBufferPointer) throws -> [UInt8] { Array(value) }
  func drop(_ slots: [Int], of entity: EntityBinding, _ key: Int64) throws {}
  func undo() {}
}

@available(*, unavailable) extension ValuesInRows: Sendable {}

// MARK: Rows and links

extension RevertingStore {
  /// A row as it is stored, with its entity; nil where there is none.
  ///
  /// The caller frees the row.
  func storedRow(_ key: Int64, of entity: EntityBinding) throws -> (EntityBinding, PackedRow)? {
    try row(key, of: entity).map { ($0.entity, $0.row) }
  }

  func root(of entity: EntityBinding) -> EntityBinding { binding(at: entity.root) }

  /// Takes values out of a row that is written anew in the same transaction.
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

  /// The links of a join that an object has, or one link: first key, second key and order keys.
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

  /// The links of a join that some first objects have.
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

// MARK: What a save records

extension RevertingStore {
  /// Notes the values that a save overwrites.
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

  /// Notes the order key that a list's move overwrites.
  func recordMove(
    _ entity: EntityBinding, _ key: Int64, slot: Int, _ recorder: TransactionRecorder
  ) throws {
    guard let (found, row) = try storedRow(key, of: entity) else { return }
    defer { row.free(slotCount: found.slotCount) }
    try recordUpdate(found, key, row, slots: [slot], recorder)
  }

  /// Tells the persistent history, where one is kept, to whom a row belongs now.
  func recordOwners(
    _ entity: EntityBinding, _ key: Int64, slots: [Int]? = nil, _ recorder: TransactionRecorder
  ) throws {
    guard let history = recorder.history, let (found, row) = try storedRow(key, of: entity)
    else { return }
    defer { row.free(slotCount: found.slotCount) }
    history.noteOwners(found, row, slots: slots)
  }
}

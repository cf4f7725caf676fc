import DataModel
import SystemLibraries

/// The persistent history that a SQLite store keeps: each of its transactions writes what it
/// changes.
final class SQLiteHistory {
  private let tables: HistoryTables
  /// Whether the store is mirrored to CloudKit.
  private let isMirrored: Bool
  private let columns: [HistoryColumns]
  private let tombstoneCount: Int
  /// The transactions that this store object has written, to tell them from those of others.
  private(set) var own: [ClosedRange<Int64>] = []
  /// The one that the running transaction has written.
  private var pending: Int64?

  /// Looks for the history's tables, and makes them where they are missing.
  ///
  /// - Throws: `SQLiteError` where what is there is no history.
  init(_ connection: Connection, of bindings: [EntityBinding], in contents: StoreContents) throws {
    columns = bindings.map { HistoryColumns($0) }
    let tombstoneCount = columns.map(\.tombstoneSlots.count).max() ?? 0
    self.tombstoneCount = tombstoneCount
    isMirrored = contents.obstacles.contains(.cloudKit)
    if let tables = try HistoryTables(connection, in: contents),
      tables.isComplete(tombstones: tombstoneCount)
    {
      self.tables = tables
      return
    }
    try connection.transaction {
      try HistoryTables.make(on: connection, tombstones: tombstoneCount)
    }
    guard let tables = try HistoryTables(connection), tables.hasWhatIsNeeded else {
      throw SQLiteError.missingTable(HistoryTables.change)
    }
    self.tables = tables
  }

  /// What gathers the changes of a transaction that is about to run.
  func recorder(_ bindings: [EntityBinding], offset: Int, joins: [JoinBinding]) -> HistoryRecorder {
    pending = nil
    return HistoryRecorder(bindings, offset: offset, joins: joins) { [columns] entity in
      !columns[entity.index - offset].tombstoneSlots.isEmpty
    }
  }

  /// Writes what a transaction has changed, inside of it; nothing where it changed nothing.
  ///
  /// - Throws: `PersistentStoreError.cannotWrite` where an object of a store that is mirrored to
  ///   CloudKit is deleted: what follows of that nobody has seen.
  func write(_ recorder: HistoryRecorder, by origin: TransactionOrigin, in store: SQLiteStore)
    throws
  {
    var changes: [(entry: HistoryRecorder.Entry, entity: EntityBinding, columns: [UInt8])] = []
    changes.reserveCapacity(recorder.entries.count)
    var numbers = LastStatement(store.connection)
    for case let entry? in recorder.entries {
      // What leads nowhere has no history.
      guard let entity = try entry.entity ?? entity(of: entry, in: store, &numbers) else {
        continue
      }
      if isMirrored, entry.type == .delete {
        throw PersistentStoreError.cannotWrite(store.fileURL, .cloudKit)
      }
      var bytes: [UInt8] = []
      if entry.type == .update {
        bytes = columns[entity.index - store.offset].bytes(
          slots: entry.slots, toManys: entry.toManys)
        // A to-many that is not stored has no bit.
        if bytes.allSatisfy({ $0 == 0 }) { continue }
      }
      changes.append((entry, entity, bytes))
    }
    guard !changes.isEmpty else { return }
    var origin = origin
    // CloudKit takes no notice of its own imports, which must not be mistaken for ours.
    if isMirrored { origin.author = origin.author ?? ProcessInfo.processInfo.processName }
    let number = try tables.addTransaction(by: origin)
    try tables.addChanges(changes, to: number, tombstones: tombstoneCount) { change, statement in
      let (entry, entity, bytes) = change
      statement.bind(Int64(entry.type.rawValue), at: 3)
      statement.bind(Int64(entity.number), at: 4)
      statement.bind(entry.key, at: 5)
      if entry.type == .update { statement.bind(bytes, at: 6) }
      guard entry.type == .delete, let row = entry.last?.row else { return }
      for (index, slot) in columns[entity.index - store.offset].tombstoneSlots.enumerated() {
        bind(row, slot, kind: entity.kinds[slot], to: statement, at: Int32(index + 7))
      }
    }
    pending = number
  }

  /// The transaction was committed.
  func didCommit() {
    guard let number = pending else { return }
    pending = nil
    if let last = own.last, last.upperBound + 1 == number {
      own[own.count - 1] = last.lowerBound...number
    } else {
      own.append(number...number)
    }
  }

  /// The row's own entity, as the store says; nil where there is no such row.
  private func entity(
    of entry: HistoryRecorder.Entry, in store: SQLiteStore, _ statements: inout LastStatement
  ) throws -> EntityBinding? {
    let root = store.binding(at: entry.root)
    let statement = try statements.of(root) {
      "SELECT Z_ENT FROM \(store.table(root)) WHERE Z_PK = ?"
    }
    defer { statement.reset() }
    statement.bind(entry.key, at: 1)
    guard try statement.step() else { return nil }
    let number = statement.integer(at: 0)
    return root.family.map { store.binding(at: $0) }.first { $0.number == number }
  }

  private func bind(
    _ row: PackedRow, _ slot: Int, kind: SlotKind, to statement: Statement, at parameter: Int32
  ) {
    guard row.hasValue(slot) else { return }
    switch kind {
    case .integer, .key, .entityNumber, .orderKey: statement.bind(row.integer(slot), at: parameter)
    case .real: statement.bind(row.real(slot), at: parameter)
    case .text: statement.bind(text: row.bytes(slot), at: parameter)
    case .blob: statement.bind(blob: row.bytes(slot), at: parameter)
    // Its file goes with the row, so the bytes themselves are kept.
    case .external: statement.bind([1] + Array(row.bytes(slot)), at: parameter)
    }
  }
}

@available(*, unavailable) extension SQLiteHistory: Sendable {}

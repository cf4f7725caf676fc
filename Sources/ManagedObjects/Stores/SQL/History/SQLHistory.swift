import DataModel
import SystemLibraries

/// The persistent history that a store in SQL tables records: each transaction writes its changes.
final class SQLHistory {
  private let tables: HistoryTables
  /// Whether the store is mirrored to CloudKit.
  private let isMirrored: Bool
  private let columns: [HistoryColumns]
  private let tombstoneCount: Int
  /// The transactions that this store object has written, to distinguish them from foreign ones.
  private(set) var own: [ClosedRange<Int64>] = []
  /// The number that the running transaction has written.
  private var pending: Int64?

  /// Continues an existing history.
  ///
  /// - Parameter tables: returns the tables with at least the given number of tombstone columns,
  ///   creating what is missing.
  init(
    of bindings: [EntityBinding], isMirrored: Bool = false,
    _ tables: (_ tombstoneCount: Int) throws -> HistoryTables
  ) rethrows {
    columns = bindings.map { HistoryColumns($0) }
    tombstoneCount = columns.map(\.tombstoneSlots.count).max() ?? 0
    self.isMirrored = isMirrored
    self.tables = try tables(tombstoneCount)
  }

  /// A recorder of the changes of a transaction that is about to begin.
  func recorder(_ bindings: [EntityBinding], offset: Int, joins: [JoinBinding]) -> HistoryRecorder {
    pending = nil
    return HistoryRecorder(bindings, offset: offset, joins: joins) { [columns] entity in
      !columns[entity.index - offset].tombstoneSlots.isEmpty
    }
  }

  /// Writes the changes of a transaction, within it; writes nothing if there are none.
  ///
  /// - Throws: `PersistentStoreError.cannotWrite` if an object of a store mirrored to CloudKit is
  ///   deleted: what Core Data records in this case is not known.
  func write(
    _ recorder: HistoryRecorder, by origin: TransactionOrigin, in store: any RevertingStore
  ) throws {
    let changes = try changes(in: recorder, of: store)
    guard !changes.isEmpty else { return }
    var origin = origin
    // CloudKit ignores transactions of its own imports, for which this one must not be mistaken.
    if isMirrored { origin.author = origin.author ?? ProcessInfo.processInfo.processName }
    pending = try tables.addTransaction(
      by: origin, changes, tombstones: tombstoneCount
    ) { change, statement, first in
      let (entry, entity, bytes) = change
      statement.bind(Int64(entry.type.rawValue), at: first)
      statement.bind(Int64(entity.number), at: first + 1)
      statement.bind(entry.key, at: first + 2)
      if entry.type == .update { statement.bind(bytes, at: first + 3) }
      guard entry.type == .delete, let row = entry.last?.row else { return }
      for (index, slot) in columns[entity.index - store.offset].tombstoneSlots.enumerated() {
        statement.bind(
          tombstone: row, slot, kind: entity.kinds[slot], at: first + Int32(index + 4),
          takesAnyType: tables.takesAnyType)
      }
    }
  }

  private typealias Change = (
    entry: HistoryRecorder.Entry, entity: EntityBinding, columns: [UInt8]
  )

  private func changes(
    in recorder: HistoryRecorder, of store: any RevertingStore
  ) throws -> [Change] {
    let entities = try owners(in: recorder, of: store)
    var changes: [Change] = []
    changes.reserveCapacity(recorder.entries.count)
    for case let entry? in recorder.entries {
      // A reference without a row has no history.
      guard let entity = entry.entity ?? entities[entry.root]?[entry.key] else { continue }
      if isMirrored, entry.type == .delete {
        throw PersistentStoreError.cannotWrite(store.urlForErrors, .cloudKit)
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
    return changes
  }

  /// The entities, read from the store, of rows that were recorded only as owners: by root entity
  /// and key.
  private func owners(
    in recorder: HistoryRecorder, of store: any RevertingStore
  ) throws -> [Int: [Int64: EntityBinding]] {
    var wanted: [Int: [Int64]] = [:]
    for case let entry? in recorder.entries where entry.entity == nil {
      wanted[entry.root, default: []].append(entry.key)
    }
    var entities: [Int: [Int64: EntityBinding]] = [:]
    for (index, keys) in wanted {
      let root = store.binding(at: index)
      let family = root.family.map { store.binding(at: $0) }
      var found: [Int64: EntityBinding] = [:]
      try store.database.forEachRow(for: keys) { list in
        "SELECT Z_PK, Z_ENT FROM \(store.table(root)) WHERE Z_PK IN (\(list))"
      } _: { row in
        let number = row.integer(at: 1)
        found[row.integer(at: 0)] = family.first { $0.number == number }
      }
      entities[index] = found
    }
    return entities
  }

  /// Takes over the list of own transactions, for a store that is moved to another URL.
  func inheritHistory(from other: SQLHistory?) { own = other?.own ?? [] }

  /// Called when a transaction begins that may write nothing.
  func willBegin() { pending = nil }

  /// Called when the transaction was committed.
  func didCommit() {
    guard let number = pending else { return }
    pending = nil
    if let last = own.last, last.upperBound &+ 1 == number {
      own[own.count - 1] = last.lowerBound...number
    } else {
      own.append(number...number)
    }
  }
}

@available(*, unavailable) extension SQLHistory: Sendable {}

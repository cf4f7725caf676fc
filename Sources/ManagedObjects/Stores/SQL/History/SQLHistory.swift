import DataModel
import SystemLibraries

/// The persistent history that a store in SQL's tables keeps: each of its transactions writes what
/// it changes.
final class SQLHistory {
  private let tables: HistoryTables
  /// Whether the store is mirrored to CloudKit.
  private let isMirrored: Bool
  private let columns: [HistoryColumns]
  private let tombstoneCount: Int
  /// The transactions that this store object has written, to tell them from those of others.
  private(set) var own: [ClosedRange<Int64>] = []
  /// The one that the running transaction has written.
  private var pending: Int64?

  /// Goes on with a history.
  ///
  /// - Parameter tables: gives them, with columns for so many values of a tombstone at least; makes
  ///   what is missing.
  init(
    of bindings: [EntityBinding], isMirrored: Bool = false,
    _ tables: (_ tombstoneCount: Int) throws -> HistoryTables
  ) rethrows {
    columns = bindings.map { HistoryColumns($0) }
    tombstoneCount = columns.map(\.tombstoneSlots.count).max() ?? 0
    self.isMirrored = isMirrored
    self.tables = try tables(tombstoneCount)
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
  func write(
    _ recorder: HistoryRecorder, by origin: TransactionOrigin, in store: any RevertingStore
  ) throws {
    let changes = try changes(in: recorder, of: store)
    guard !changes.isEmpty else { return }
    var origin = origin
    // CloudKit takes no notice of its own imports, which must not be mistaken for ours.
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
      // What leads nowhere has no history.
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

  /// The own entities, as the store says, of rows of which only that was noted which leads to them:
  /// by their root entities and keys.
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

  /// Takes over which transactions are this store's own, for a store that moves to another URL.
  func goOn(after other: SQLHistory?) { own = other?.own ?? [] }

  /// A transaction begins that may write nothing.
  func willBegin() { pending = nil }

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
}

@available(*, unavailable) extension SQLHistory: Sendable {}

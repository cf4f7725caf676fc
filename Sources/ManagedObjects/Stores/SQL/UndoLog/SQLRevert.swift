import DataModel

/// Reverts one entry of the undo log within a transaction, and records how to redo it.
///
/// The changes are reverted from last to first, so that the store passes through the same states as
/// when they were made. Anything changed since, by any program, is left alone: then it throws
/// `StoreUndoError.changedSince`, and the transaction is rolled back.
struct SQLRevert {
  let store: any RevertingStore
  let log: SQLUndoLog
  let outside: any RevertedValues
  let serial: Int64
  /// The recorder of changes that redo the work.
  let undo = UndoRecorder()
  let recorder: TransactionRecorder
  /// The rows deleted, and those whose old references were restored: these may leave invalid
  /// references.
  private(set) var removed: [(entity: EntityBinding, key: Int64)] = []
  private(set) var restored: [(entity: EntityBinding, key: Int64)] = []
  /// The restored links: their join, and the keys of both ends.
  var linked: [(join: Int, first: Int64, second: Int64)] = []
  /// The positions of the changes that are still to be reverted, last first.
  private var rest: ArraySlice<Int> = []
  /// The rows and links that were read ahead.
  var ahead: RevertedAhead
  /// Rows before conflicting unique values were cleared from them; nil if none had to be cleared.
  private var cleared: [ManagedObjectID: RowReference]?

  init(
    store: any RevertingStore, log: SQLUndoLog, values: any RevertedValues, serial: Int64,
    history: HistoryRecorder?
  ) {
    recorder = TransactionRecorder(undo: undo, history: history)
    self.store = store
    self.log = log
    self.outside = values
    self.serial = serial
    ahead = RevertedAhead(of: store, log)
  }

  mutating func run(_ reader: UndoReader) throws {
    var reader = reader
    var starts: [Int] = []
    var start = reader.position
    while try reader.next() != nil {
      starts.append(start)
      start = reader.position
    }
    rest = starts.reversed()[...]
    while let start = rest.popFirst() {
      try revert(Self.change(at: start, in: reader), in: reader)
    }
    try checkReferences()
    try store.database.sendQueued()
  }

  /// A change that was already read once.
  private static func change(at start: Int, in reader: UndoReader) throws -> UndoChange {
    var reader = UndoReader(reader.bytes, from: start, maximumRowCount: reader.maximumRowCount)
    guard let change = try reader.next() else { throw StoreUndoError.unreadable }
    return change
  }

  private mutating func revert(_ change: UndoChange, in reader: UndoReader) throws {
    let bytes = reader.bytes
    switch change {
    case .inserted(let index, let first, let count, let known):
      let entity = try entity(at: index)
      for key in (first..<first + count).reversed() {
        try ahead.read(rowsFrom: key, downTo: first, of: entity)
        try remove(entity, key, known: known)
      }
    case .updated(let index, let key, let before, let after, let values):
      let entity = try entity(at: index)
      try ahead.read(rowOf: key, entity) { [rest] in
        try rest.prefix(RevertedAhead.most).compactMap { start in
          guard case .updated(let other, let key, _, _, _) = try Self.change(at: start, in: reader),
            store.bindings.indices.contains(other),
            store.bindings[other].root == entity.root
          else { return nil }
          return key
        }
      }
      try restore(
        entity, key, before: before, after: after, values: values, in: reader)
    case .deleted(let index, let key, let known, let actual, let values):
      try bringBack(
        entity(at: index), key, known: known, actual: actual, values: values, bytes: bytes)
    case .linked(let join, let first, let second):
      _ = try names(of: join)
      try ahead.read(linkOf: first, join) { [rest] in
        try rest.prefix(RevertedAhead.most).compactMap { start in
          guard case .linked(join, let first, _) = try Self.change(at: start, in: reader) else {
            return nil
          }
          return first
        }
      }
      try removeLink(join, first, second)
    case .unlinked(let join, let first, let second, let firstOrder, let secondOrder):
      try bringBackLink(join, first, second, firstOrder, secondOrder)
    case .moved(let join, let first, let second, let isFirst, let order):
      try moveLink(join, first, second, isFirst: isFirst, to: order)
    case .metadata(let key, let old, let new):
      try restoreMetadata(key, old: old, new: new)
    }
  }

  private func entity(at index: Int) throws -> EntityBinding {
    guard store.bindings.indices.contains(index) else { throw StoreUndoError.unreadable }
    return store.bindings[index]
  }

  func changedSince(_ entity: EntityBinding, _ key: Int64) -> StoreUndoError {
    .changedSince(ManagedObjectID(binding: entity, key: key))
  }

  // MARK: Rows

  /// The row with a key, if it is in the state that the log expects.
  private mutating func row(
    _ key: Int64, of entity: EntityBinding, known: Int64
  ) throws -> RowReference {
    let root = store.root(of: entity)
    if let (row, found) = ahead.takeRow(key, of: root) {
      guard found == known else { throw changedSince(row.entity, key) }
      return row
    }
    guard let (found, row) = try store.storedRow(key, of: entity) else {
      throw StoreUndoError.deletedSince(ManagedObjectID(binding: entity, key: key))
    }
    let held = RowReference(row, of: found)
    guard try log.known(root, key, Int64(row.version)) == known else {
      throw changedSince(found, key)
    }
    return held
  }

  private mutating func remove(_ entity: EntityBinding, _ key: Int64, known: Int64) throws {
    let held = try row(key, of: entity, known: known)
    defer { withExtendedLifetime(held) {} }
    let (found, row) = (held.entity, held.row)
    recorder.history?.deleted(found, key, row)
    recorder.history?.noteOwners(found, row)
    undo.deleted(
      found, at: found.index - store.offset, key, known: known, actual: Int64(row.version), row)
    try outside.drop(found.externalSlots, of: found, key)
    let statement = try store.database.prepared(
      "DELETE FROM \(store.table(found)) WHERE Z_PK = ?")
    statement.bind(key, at: 1)
    try statement.queue()
    removed.append((found, key))
  }

  private mutating func bringBack(
    _ entity: EntityBinding, _ key: Int64, known: Int64, actual: Int64, values: [UndoValue],
    bytes: [UInt8]
  ) throws {
    let statement = try insertion(of: entity)
    statement.bind(key, at: 1)
    statement.bind(Int64(entity.number), at: 2)
    statement.bind(actual &+ 1, at: 3)
    for index in entity.writtenSlots.indices { statement.bindNull(at: Int32(index + 4)) }
    for value in values {
      guard let index = entity.writtenSlots.firstIndex(of: value.slot) else {
        throw StoreUndoError.unreadable
      }
      try bind(value, of: entity, bytes, to: statement, at: Int32(index + 4))
    }
    try queue(statement, entity, key)
    let root = store.root(of: entity)
    try log.note(root, key, known: known, now: actual &+ 1, serial: serial)
    recorder.history?.inserted(entity, key)
    try store.recordOwners(entity, key, recorder)
    undo.inserted(again: entity.index - store.offset, key, known: known)
    restored.append((entity, key))
  }

  private mutating func restore(
    _ entity: EntityBinding, _ key: Int64, before: Int64, after: Int64, values: [UndoValue],
    in reader: UndoReader
  ) throws {
    let held = try row(key, of: entity, known: after)
    defer { withExtendedLifetime(held) {} }
    let (found, row) = (held.entity, held.row)
    let slots = values.map(\.slot)
    guard slots.allSatisfy({ found.writtenSlots.contains($0) }) else {
      throw StoreUndoError.unreadable
    }
    // A cleared value belongs to the row's previous state all the same.
    let known = cleared?.removeValue(forKey: ManagedObjectID(binding: found, key: key))
    recorder.history?.updated(found, key, slots: slots)
    recorder.history?.noteOwners(found, known?.row ?? row, slots: slots)
    undo.updated(
      found, at: found.index - store.offset, key, before: after, after: before,
      known?.row ?? row, slots: slots)
    try outside.drop(
      slots.filter { found.kinds[$0] == .external }, of: found, key)
    let statement = try update(of: found, slots: slots)
    for (index, value) in values.enumerated() {
      try bind(value, of: found, reader.bytes, to: statement, at: Int32(index + 1))
    }
    let last = Int32(slots.count)
    statement.bind(key, at: last + 1)
    statement.bind(Int64(row.version), at: last + 2)
    // Other rows can conflict only with unique values.
    let isUnique = found.uniqueness.contains { !$0.slots.allSatisfy { !slots.contains($0) } }
    do {
      if isUnique, cleared == nil {
        try store.database.recoverably { try run(statement, found, key) }
      } else {
        try queue(statement, found, key)
      }
    } catch StoreUndoError.changedSince where isUnique && cleared == nil {
      try clearRest(reader)
      try run(statement, found, key)
    }
    try store.recordOwners(found, key, slots: slots, recorder)
    let root = store.root(of: found)
    try log.note(root, key, known: before, now: Int64(row.version &+ 1), serial: serial)
    let leadsElsewhere = found.toOnes.contains {
      slots.contains($0.slot) || $0.orderKeySlot.map(slots.contains) ?? false
    }
    if leadsElsewhere { restored.append((found, key)) }
  }

  /// Clears the values of rows that are still to be restored: unique values may have been exchanged
  /// between rows.
  ///
  /// For a row with several changes, the values of the one that is reverted first are cleared.
  private mutating func clearRest(_ reader: UndoReader) throws {
    var held: [ManagedObjectID: RowReference] = [:]
    ahead.forget()
    var seen: Set<ManagedObjectID> = []
    for start in rest {
      switch try Self.change(at: start, in: reader) {
      case .updated(let index, let key, _, _, let values):
        let entity = try entity(at: index)
        let id = ManagedObjectID(binding: entity, key: key)
        guard seen.insert(id).inserted, !entity.uniqueness.isEmpty,
          let (found, row) = try store.storedRow(key, of: entity)
        else { continue }
        held[id] = RowReference(row, of: found)
        let slots = values.map(\.slot).filter {
          found.writtenSlots.contains($0) && found.kinds[$0] != .external
        }
        guard !slots.isEmpty else { continue }
        try store.clear(slots, of: found, key, version: row.version)
      case .deleted(let index, let key, _, _, _):
        seen.insert(ManagedObjectID(binding: try entity(at: index), key: key))
      case .inserted, .linked, .unlinked, .moved, .metadata: continue
      }
    }
    cleared = held
  }

  /// Runs a statement; a uniqueness violation means that another row was changed since.
  private func run(_ statement: any SQLStatement, _ entity: EntityBinding, _ key: Int64) throws {
    do {
      try statement.run()
    } catch let error as any SQLEngineError where error.isUniqueViolation {
      throw changedSince(entity, key)
    }
  }

  /// Like `run`, but executes now or together with the next statement.
  private func queue(
    _ statement: any SQLStatement, _ entity: EntityBinding, _ key: Int64
  ) throws {
    let changed = changedSince(entity, key)
    try statement.queue { error -> any Error in error.isUniqueViolation ? changed : error }
  }

  private func bind(
    _ value: UndoValue, of entity: EntityBinding, _ bytes: [UInt8], to statement: any SQLStatement,
    at parameter: Int32
  ) throws {
    switch value.content {
    case .none: statement.bindNull(at: parameter)
    case .integer(let number): statement.bind(number, at: parameter)
    case .real(let number): statement.bind(number, at: parameter)
    case .tail(let range):
      switch entity.kinds[value.slot] {
      // Unchanged, even if it is not valid UTF-8.
      case .text: statement.bind(text: Array(bytes[range]), at: parameter)
      case .external:
        statement.bind(
          try bytes[range].withUnsafeBytes { try outside.stored($0) }, at: parameter)
      default: statement.bind(Array(bytes[range]), at: parameter)
      }
    }
  }

  private func insertion(of entity: EntityBinding) throws -> any SQLStatement {
    let columns =
      ["Z_PK", "Z_ENT", "Z_OPT"] + entity.writtenSlots.map { store.column($0, of: entity) }
    return try store.database.prepared(
      """
      INSERT INTO \(store.table(entity)) (\(columns.joined(separator: ", ")))
      VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      """)
  }

  /// An UPDATE whose parameters are the values of some slots, the key and the lock count, in that
  /// order.
  private func update(of entity: EntityBinding, slots: [Int]) throws -> any SQLStatement {
    let columns = slots.map { "\(store.column($0, of: entity)) = ?, " }.joined()
    return try store.database.prepared(
      """
      UPDATE \(store.table(entity)) SET \(columns)Z_OPT = \(SQLDialect.nextLockCount)
      WHERE Z_PK = ? AND \(SQLDialect.lockCount) = ?
      """)
  }

  // MARK: Metadata

  private func restoreMetadata(_ key: String, old: [UInt8], new: [UInt8]) throws {
    func value(_ bytes: [UInt8]) throws -> PropertyList? {
      guard !bytes.isEmpty else { return nil }
      guard let value = try? PropertyList(binary: bytes) else { throw StoreUndoError.unreadable }
      return value
    }
    let (old, new) = try (value(old), value(new))
    guard !StoredMetadata.isCoreDatas(key) else { throw StoreUndoError.unreadable }
    try store.changeMetadata(undo) { plist in
      guard plist[key] == new else { throw StoreUndoError.changedSince(nil) }
      plist[key] = old
    }
  }
}

@available(*, unavailable) extension SQLRevert: Sendable {}

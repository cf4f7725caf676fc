import DataModel

/// A save in progress, within its transaction.
struct SQLiteSave {
  let store: SQLiteStore
  let request: SaveRequest
  private let updateIndex: SaveRequest.UpdateIndex
  let files: ExternalDataChanges
  /// Records every change for the undo log or persistent history, if one is kept.
  let recorder: TransactionRecorder?
  var result: SaveResult

  init(
    store: SQLiteStore, request: SaveRequest, files: ExternalDataChanges,
    recorder: TransactionRecorder?
  ) {
    self.store = store
    self.recorder = recorder
    self.files = files
    self.request = request
    updateIndex = SaveRequest.UpdateIndex(request.updates)
    result = SaveResult(of: request)
  }

  /// Deletes come first, so that a new row can get the unique value of a deleted one.
  mutating func run() throws -> SaveResult {
    try deleteRows()
    try checkRows()
    try allotKeys()
    try updateLinks()
    for list in request.lists { try setOrderKeys(of: list) }
    try updateRows()
    try insertRows()
    try checkMembersLeft()
    try checkDestinations()
    return result
  }

  // MARK: Deletes

  private func deleteRows() throws {
    var statements = LastStatement(store.connection)
    for delete in request.deletes {
      try store.dropFiles(of: delete.entity.externalSlots, of: delete.entity, delete.key, files)
      if let recorder { try store.recordDelete(delete.entity, delete.key, recorder) }
      let statement = try statements.of(delete.entity) {
        "DELETE FROM \(store.table(delete.entity)) WHERE Z_PK = ? AND \(SQLDialect.lockCount) = ?"
      }
      statement.bind(delete.key, at: 1)
      statement.bind(Int64(delete.version ?? 0), at: 2)
      try statement.run()
      try expectOneChange(delete.entity, delete.key)
    }
  }

  private func expectOneChange(_ entity: EntityBinding, _ key: Int64) throws {
    guard store.connection.changes == 1 else {
      throw ConflictError(objectID: ManagedObjectID(binding: entity, key: key))
    }
  }

  // MARK: Keys

  /// Assigns each insert its permanent key: that of a row it takes over, or the next one of its
  /// table.
  private mutating func allotKeys() throws {
    guard !request.inserts.isEmpty else { return }
    // By the index of the root entity; nil until the first key is needed.
    var highest = [Int64?](repeating: nil, count: store.bindings.count)
    var lookUps = LastStatement(store.connection)
    // If no other connection has written since the look-up, its result still holds.
    let state = store.state
    for (index, insert) in request.inserts.enumerated() {
      // An insert with a permanent key has already reserved it.
      guard insert.temporaryKey < 0 else { continue }
      let key: Int64
      if let lookUp = insert.lookUp, lookUp.state != state,
        let existing = try rowToTakeOver(insert, lookUp.slot, &lookUps)
      {
        key = existing
        result.adopted.append(index)
      } else {
        let root = insert.entity.root - store.offset
        let last = try highest[root] ?? store.highestKey(of: insert.entity)
        // Only a damaged store contains such a number.
        guard last < Int64.max else { throw SQLiteError.noKeysLeft }
        key = last + 1
        highest[root] = key
      }
      result.keys[insert.temporaryKey] = key
    }
    for case (let root, let highest?) in highest.enumerated() {
      try store.setHighestKey(highest, of: store.bindings[root])
    }
  }

  /// The row of the same entity with the unique value of a new object; nil if there is none.
  ///
  /// A row of another entity of the hierarchy cannot be that object: its value violates the
  /// constraint.
  private func rowToTakeOver(
    _ insert: SaveRequest.Insert, _ slot: Int, _ lookUps: inout LastStatement
  ) throws -> Int64? {
    guard insert.row.hasValue(slot) else { return nil }
    let statement = try lookUps.of(insert.entity, slot) {
      """
      SELECT Z_PK FROM \(store.table(insert.entity))
      WHERE \(store.column(slot, of: insert.entity)) = ? AND Z_ENT = \(insert.entity.number)
      """
    }
    defer { statement.reset() }
    try bind(insert.row, slot, kind: insert.entity.kinds[slot], of: nil, to: statement, at: 1)
    guard try statement.step() else { return nil }
    let key = statement.integer(at: 0)
    return updateIndex.givesAway(slot, of: insert.entity, key) ? nil : key
  }

  // MARK: Order keys

  private mutating func setOrderKeys(of list: SaveRequest.OrderedList) throws {
    let owner = permanent(list.owner)
    let storage: any OrderedListStorage
    var orderKeySlot: Int?
    var leaving: Set<Int64> = []
    switch list.storage {
    case .foreignKey(let toOne, let entity):
      guard let slot = toOne.orderKeySlot else { return }
      orderKeySlot = slot
      storage = SQLiteOrderedList(
        store: store, toOne: toOne, orderKeySlot: slot, entity: entity, owner: owner,
        recorder: recorder)
      if list.isWhole {
        leaving = updateIndex.membersLeaving(list.owner, by: toOne, of: entity)
      }
    case .join(let end):
      storage = SQLiteJoinList(
        store: store, join: end.join, isFirst: end.isFirst, owner: owner, recorder: recorder)
    }
    let members = ContiguousArray(
      list.members.map { SaveRequest.Member(key: permanent($0.key), written: $0.written) })
    let placing = OrderKeyPlacing(
      storage: storage, slot: orderKeySlot, members: members, leaving: leaving)
    if try list.isWhole || !placing.append(&result) { try placing.arrange(&result) }
  }

  /// The key of a row after this save.
  func permanent(_ key: Int64) -> Int64 { key < 0 ? result.keys[key] ?? key : key }

  // MARK: Updates

  private mutating func updateRows() throws {
    result.versions.reserveCapacity(request.updates.count)
    var isCleared = false
    var statements = LastUpdate(store)
    var changed: [Int] = []
    for (index, update) in request.updates.enumerated() {
      let kinds = update.entity.kinds
      findChangedSlots(&changed, of: update, index)
      let version = update.snapshot.version
      guard !changed.isEmpty else {
        result.versions.append(version)
        continue
      }
      if !update.entity.externalSlots.isEmpty {
        try store.dropFiles(
          of: changed.filter { kinds[$0] == .external }, of: update.entity, update.key, files)
      }
      let statement = try statements.of(update.entity, changed)
      for (column, slot) in changed.enumerated() {
        try bind(
          update.row, slot, kind: kinds[slot], of: .update(index), to: statement,
          at: Int32(column + 1))
      }
      let last = Int32(changed.count)
      statement.bind(update.key, at: last + 1)
      statement.bind(Int64(version), at: last + 2)
      do {
        try run(statement, for: update.entity)
      } catch PersistentStoreError.uniquenessViolation where !isCleared {
        try clear(index...)
        isCleared = true
        try run(statement, for: update.entity)
      }
      try expectOneChange(update.entity, update.key)
      if let recorder {
        try store.recordUpdate(
          update.entity, update.key, update.snapshot, slots: changed, recorder)
        recorder.history?.noteOwners(update.entity, update.row, slots: changed, permanent)
      }
      result.versions.append(version &+ 1)
    }
  }

  private func findChangedSlots(
    _ slots: inout [Int], of update: SaveRequest.Update, _ index: Int
  ) {
    update.findChangedSlots(&slots) { result.orderKeys[.update(index), $0] }
  }

  /// Sets the changed slots of the rows still to be written to NULL, so that a row can get a unique
  /// value that another one of them gives up.
  ///
  /// Leaves files alone: they are dropped when their row is written.
  private func clear(_ indexes: PartialRangeFrom<Int>) throws {
    var slots: [Int] = []
    for (index, update) in zip(indexes, request.updates[indexes])
    where !update.entity.uniqueness.isEmpty {
      findChangedSlots(&slots, of: update, index)
      slots.removeAll { update.entity.kinds[$0] == .external }
      guard !slots.isEmpty else { continue }
      try store.clear(
        slots, of: update.entity, update.key, version: update.snapshot.version)
      try expectOneChange(update.entity, update.key)
    }
  }

  // MARK: Inserts

  private func insertRows() throws {
    var adopted = result.adopted.makeIterator()
    var skipped = adopted.next()
    for (index, insert) in request.inserts.enumerated() {
      if index == skipped {
        skipped = adopted.next()
        continue
      }
      let statement = try store.insertStatement(insert.entity)
      let key = permanent(insert.temporaryKey)
      statement.bind(key, at: 1)
      statement.bind(Int64(insert.entity.number), at: 2)
      statement.bind(Int64(insert.row.version) + 1, at: 3)
      try insert.entity.kinds.withUnsafeBufferPointer { kinds in
        for (column, slot) in insert.entity.writtenSlots.enumerated() {
          try bind(
            insert.row, slot, kind: kinds[slot], of: .insert(index), to: statement,
            at: Int32(column + 4))
        }
      }
      try run(statement, for: insert.entity, newKey: insert.temporaryKey > 0 ? key : nil)
      if let recorder {
        recorder.undo?.inserted(
          insert.entity.index - store.offset, key, version: Int64(insert.row.version) + 1)
        recorder.history?.inserted(insert.entity, key)
        recorder.history?.noteOwners(insert.entity, insert.row, permanent)
      }
    }
  }

  /// Runs an INSERT or UPDATE.
  ///
  /// - Parameter newKey: the key of a new row that already has one; another process may have
  ///   inserted it too.
  private func run(
    _ statement: Statement, for entity: EntityBinding, newKey: Int64? = nil
  ) throws {
    do {
      try statement.run()
    } catch {
      guard error.isUniqueViolation else { throw error }
      let properties = store.constraint(named: error.message, of: entity)
      if properties.isEmpty, let newKey {
        throw ConflictError(objectID: ManagedObjectID(binding: entity, key: newKey))
      }
      throw PersistentStoreError.uniquenessViolation(entity: entity.name, properties: properties)
    }
  }

  // MARK: Values

  /// Binds a slot's value; the row must not change until the statement has run.
  ///
  /// - Parameter written: the row's index in the request; nil for a value that is only looked up.
  private func bind(
    _ row: PackedRow, _ slot: Int, kind: SlotKind, of written: SaveRequest.WrittenRow?,
    to statement: Statement, at parameter: Int32
  ) throws {
    if kind == .orderKey, let written, let key = result.orderKeys[written, slot] {
      return statement.bind(key, at: parameter)
    }
    guard row.hasValue(slot) else { return statement.bindNull(at: parameter) }
    switch kind {
    case .integer, .entityNumber, .orderKey: statement.bind(row.integer(slot), at: parameter)
    case .real: statement.bind(row.real(slot), at: parameter)
    case .text: statement.bind(text: row.bytes(slot), at: parameter)
    case .blob: statement.bind(blob: row.bytes(slot), at: parameter)
    case .external: statement.bind(try files.stored(row.bytes(slot)), at: parameter)
    case .key:
      let key = row.integer(slot)
      // An object that this save inserts has its key by now; no other can have a negative one.
      statement.bind(key < 0 ? result.keys[key] ?? key : key, at: parameter)
    }
  }
}

import DataModel

extension SQLiteStore {
  func insertStatement(_ entity: EntityBinding) throws -> Statement {
    if let kept = inserts[entity.index - offset] { return kept }
    let names = schema.columnNames[entity.index - offset]
    let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + entity.writtenSlots.map { names[$0] }
    let statement = try connection.statement(
      """
      INSERT INTO \(table(entity)) (\(columns.map(\.quoted).joined(separator: ", ")))
      VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      """)
    inserts[entity.index - offset] = statement
    return statement
  }

  /// `UPDATE … SET <slots>, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?`, values in that order.
  func updateStatement(_ entity: EntityBinding, slots: [Int]) throws -> Statement {
    let key = UpdateKey(entity: entity.index, slots: slots)
    if let kept = updates[key] { return kept }
    let columns = slots.map { schema.columnNames[entity.index - offset][$0] } + ["Z_OPT"]
    let statement = try connection.statement(
      """
      UPDATE \(table(entity))
      SET \(columns.map { "\($0.quoted) = ?" }.joined(separator: ", "))
      WHERE Z_PK = ? AND coalesce(Z_OPT, 0) = ?
      """)
    updates[key] = statement
    return statement
  }

  /// Notes the files of a row's values, which go with them.
  func dropFiles(
    of slots: [Int], of entity: EntityBinding, _ key: Int64, _ files: ExternalDataChanges
  ) throws {
    guard !slots.isEmpty else { return }
    let columns = slots.map { column($0, of: entity) }.joined(separator: ", ")
    let statement = try connection.statement(
      "SELECT \(columns) FROM \(table(entity)) WHERE Z_PK = ?")
    defer { statement.reset() }
    statement.bind(key, at: 1)
    guard try statement.step() else { return }
    for column in slots.indices {
      guard let stored = statement.blob(at: Int32(column)) else { continue }
      files.drop(stored)
    }
  }

  /// The uniqueness constraint that SQLite names: `UNIQUE constraint failed: ZDOG.ZNAMEKEY`.
  ///
  /// `contains(_:)` on the message would link the regular expression engine in, a megabyte.
  func constraint(named message: String, of entity: EntityBinding) -> [String] {
    let columns = message.split { $0 == " " || $0 == "," }.compactMap { word in
      word.lastIndex(of: ".").map { String(word[word.index(after: $0)...]) }
    }
    let violated = entity.uniqueness.first { unique in
      unique.slots.allSatisfy { columns.contains(column($0, of: entity)) }
    }
    return violated?.properties ?? []
  }

  func table(_ entity: EntityBinding) -> String { schema.tableNames[entity.index - offset].quoted }
  func column(_ slot: Int, of entity: EntityBinding) -> String {
    schema.columnNames[entity.index - offset][slot].quoted
  }
}

/// One save at work, inside its transaction.
struct SQLiteSave {
  let store: SQLiteStore
  let request: SaveRequest
  private let files: ExternalDataChanges
  /// Hears of everything that changes, where an undo log is kept.
  let recorder: UndoRecorder?
  private var result: SaveResult

  init(
    store: SQLiteStore, request: SaveRequest, files: ExternalDataChanges, recorder: UndoRecorder?
  ) {
    self.store = store
    self.recorder = recorder
    self.files = files
    self.request = request
    result = SaveResult(of: request)
  }

  /// Deletes come first, so that a unique value can pass from a deleted row to a new one.
  mutating func run() throws -> SaveResult {
    try deleteRows()
    try checkRows()
    try allotKeys()
    try updateLinks()
    for list in request.lists { try place(list) }
    try updateRows()
    try insertRows()
    return result
  }

  // MARK: Deletes

  private func deleteRows() throws {
    var statements = LastStatement(store.connection)
    for delete in request.deletes {
      try store.dropFiles(of: delete.entity.externalSlots, of: delete.entity, delete.key, files)
      if let recorder { try store.recordDelete(delete.entity, delete.key, recorder) }
      let statement = try statements.of(delete.entity) {
        "DELETE FROM \(store.table(delete.entity)) WHERE Z_PK = ? AND coalesce(Z_OPT, 0) = ?"
      }
      statement.bind(delete.key, at: 1)
      statement.bind(delete.version ?? 0, at: 2)
      try statement.run()
      try expectOneChange(delete.entity, delete.key)
    }
  }

  private func checkRows() throws {
    var statements = LastStatement(store.connection)
    for check in request.checks {
      let statement = try statements.of(check.entity) {
        "SELECT coalesce(Z_OPT, 0) FROM \(store.table(check.entity)) WHERE Z_PK = ?"
      }
      defer { statement.reset() }
      statement.bind(check.key, at: 1)
      guard try statement.step(),
        check.version ?? statement.integer(at: 0) == statement.integer(at: 0)
      else { throw ConflictError(objectID: ManagedObjectID(binding: check.entity, key: check.key)) }
    }
  }

  private func expectOneChange(_ entity: EntityBinding, _ key: Int64) throws {
    guard store.connection.changes == 1 else {
      throw ConflictError(objectID: ManagedObjectID(binding: entity, key: key))
    }
  }

  // MARK: Keys

  /// Gives every insert its permanent key: that of a row it takes over, else the next of its table.
  private mutating func allotKeys() throws {
    guard !request.inserts.isEmpty else { return }
    // By the place of the root entity; nil where no key was asked for yet.
    var highest = [Int64?](repeating: nil, count: store.bindings.count)
    var lookUps = LastStatement(store.connection)
    // Where nobody has written since, what was not found then is not there now.
    let state = store.state
    for (place, insert) in request.inserts.enumerated() {
      // One with a permanent key has reserved it.
      guard insert.temporaryKey < 0 else { continue }
      let key: Int64
      if let lookUp = insert.lookUp, lookUp.state != state,
        let existing = try rowToTakeOver(insert, lookUp.slot, &lookUps)
      {
        key = existing
        result.takenOver.append(place)
      } else {
        let root = insert.entity.root - store.offset
        let last = try highest[root] ?? store.highestKey(of: insert.entity)
        // Such a number is in a damaged store only.
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

  /// The row that has the unique value of a new object, or nil.
  private func rowToTakeOver(
    _ insert: SaveRequest.Insert, _ slot: Int, _ lookUps: inout LastStatement
  ) throws -> Int64? {
    guard insert.row.hasValue(slot) else { return nil }
    let statement = try lookUps.of(insert.entity, slot) {
      """
      SELECT Z_PK FROM \(store.table(insert.entity))
      WHERE \(store.column(slot, of: insert.entity)) = ?
      """
    }
    defer { statement.reset() }
    try bind(insert.row, slot, kind: insert.entity.kinds[slot], to: statement, at: 1)
    return try statement.step() ? statement.integer(at: 0) : nil
  }

  // MARK: Order keys

  private mutating func place(_ list: SaveRequest.OrderedList) throws {
    let owner = permanent(list.owner)
    let storage: any OrderedListStorage
    var leaving: Set<Int64> = []
    switch list.storage {
    case .foreignKey(let toOne, let entity):
      guard let slot = toOne.orderKeySlot else { return }
      storage = SQLiteOrderedList(
        store: store, toOne: toOne, orderKeySlot: slot, entity: entity, owner: owner,
        recorder: recorder)
      if list.isWhole {
        leaving = request.membersLeaving(list.owner, by: toOne, of: entity)
      }
    case .join(let end):
      storage = SQLiteJoinList(
        store: store, join: end.join, isFirst: end.isFirst, owner: owner, recorder: recorder)
    }
    let members = ContiguousArray(
      list.members.map {
        SaveRequest.Member(key: permanent($0.key), writtenRow: $0.writtenRow)
      })
    let placing = OrderKeyPlacing(storage: storage, members: members, leaving: leaving)
    if !list.isWhole, let moves = try placing.append() {
      result.moves += moves
    } else {
      result.moves += try placing.arrange()
    }
  }

  /// The key that a row has after this save.
  private func permanent(_ key: Int64) -> Int64 { key < 0 ? result.keys[key] ?? key : key }

  // MARK: Links

  private func updateLinks() throws {
    for delete in request.deletes {
      for (place, (join, names)) in zip(store.joins, store.schema.joins).enumerated() {
        if store.binding(at: join.first.entity).root == delete.entity.root {
          if let recorder { try store.recordUnlink(place, first: delete.key, recorder) }
          try removeLinks(names, where: names.firstKey, is: delete.key)
        }
        if store.binding(at: join.secondEntity).root == delete.entity.root {
          if let recorder { try store.recordUnlink(place, second: delete.key, recorder) }
          try removeLinks(names, where: names.secondKey, is: delete.key)
        }
      }
    }
    for link in request.removedLinks {
      let names = store.schema.joins[link.join]
      if let recorder {
        try store.recordUnlink(
          link.join, first: permanent(link.first), second: permanent(link.second), recorder)
      }
      let statement = try store.connection.statement(
        """
        DELETE FROM \(names.table.quoted)
        WHERE \(names.firstKey.quoted) = ? AND \(names.secondKey.quoted) = ?
        """)
      statement.bind(permanent(link.first), at: 1)
      statement.bind(permanent(link.second), at: 2)
      try statement.run()
    }
    for link in request.addedLinks {
      let names = store.schema.joins[link.join]
      // The same link may have been made by another process meanwhile; one is enough.
      let statement = try store.connection.statement(
        """
        INSERT OR IGNORE INTO \(names.table.quoted)
        (\(names.firstKey.quoted), \(names.secondKey.quoted)) VALUES (?, ?)
        """)
      statement.bind(permanent(link.first), at: 1)
      statement.bind(permanent(link.second), at: 2)
      try statement.run()
      if store.connection.changes == 1 {
        recorder?.linked(link.join, permanent(link.first), permanent(link.second))
      }
    }
  }

  private func removeLinks(_ names: SQLSchema.Join, where column: String, is key: Int64) throws {
    let statement = try store.connection.statement(
      "DELETE FROM \(names.table.quoted) WHERE \(column.quoted) = ?")
    statement.bind(key, at: 1)
    try statement.run()
  }

  // MARK: Updates

  private mutating func updateRows() throws {
    result.versions.reserveCapacity(request.updates.count)
    for update in request.updates {
      let kinds = update.entity.kinds
      let changed = update.entity.writtenSlots.filter {
        !update.row.isEqual($0, to: update.snapshot, isTail: kinds[$0].isTail)
      }
      let version = update.snapshot.version
      guard !changed.isEmpty else {
        result.versions.append(version)
        continue
      }
      if !update.entity.externalSlots.isEmpty {
        try store.dropFiles(
          of: changed.filter { kinds[$0] == .external }, of: update.entity, update.key, files)
      }
      let statement = try store.updateStatement(update.entity, slots: changed)
      for (place, slot) in changed.enumerated() {
        try bind(update.row, slot, kind: kinds[slot], to: statement, at: Int32(place + 1))
      }
      let last = Int32(changed.count)
      statement.bind(version + 1, at: last + 1)
      statement.bind(update.key, at: last + 2)
      statement.bind(version, at: last + 3)
      try run(statement, for: update.entity)
      try expectOneChange(update.entity, update.key)
      if let recorder {
        try store.recordUpdate(
          update.entity, update.key, update.snapshot, slots: changed, recorder)
      }
      result.versions.append(version + 1)
    }
  }

  // MARK: Inserts

  private func insertRows() throws {
    var takenOver = result.takenOver.makeIterator()
    var skipped = takenOver.next()
    for (place, insert) in request.inserts.enumerated() {
      if place == skipped {
        skipped = takenOver.next()
        continue
      }
      let statement = try store.insertStatement(insert.entity)
      let key = permanent(insert.temporaryKey)
      statement.bind(key, at: 1)
      statement.bind(Int64(insert.entity.number), at: 2)
      statement.bind(insert.row.version + 1, at: 3)
      try insert.entity.kinds.withUnsafeBufferPointer { kinds in
        for (place, slot) in insert.entity.writtenSlots.enumerated() {
          try bind(insert.row, slot, kind: kinds[slot], to: statement, at: Int32(place + 4))
        }
      }
      try run(statement, for: insert.entity, newKey: insert.temporaryKey > 0 ? key : nil)
      if let recorder { recorder.inserted(insert.entity.index - store.offset, key) }
    }
  }

  /// Runs an INSERT or UPDATE.
  ///
  /// - Parameter newKey: the key of a new row that brings its own; others may have made it too.
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

  /// Binds a slot's value; the row stays as it is until the statement has run.
  private func bind(
    _ row: PackedRow, _ slot: Int, kind: SlotKind, to statement: Statement, at parameter: Int32
  ) throws {
    guard row.hasValue(slot) else { return statement.bindNull(at: parameter) }
    switch kind {
    case .integer, .entityNumber, .orderKey: statement.bind(row.integer(slot), at: parameter)
    case .real: statement.bind(row.real(slot), at: parameter)
    case .text: statement.bind(text: row.bytes(slot), at: parameter)
    case .blob: statement.bind(blob: row.bytes(slot), at: parameter)
    case .external: statement.bind(try files.stored(row.bytes(slot)), at: parameter)
    case .key:
      let key = row.integer(slot)
      // An object that this save inserts has its key already; no other can have a negative one.
      statement.bind(key < 0 ? result.keys[key] ?? key : key, at: parameter)
    }
  }
}

/// The statement that was asked for last: rows of one entity mostly come one after the other.
private struct LastStatement {
  private let connection: Connection
  private var last: Statement?
  private var entity = -1
  private var slot = -1

  init(_ connection: Connection) { self.connection = connection }

  /// The statement for an entity and a slot; its text is written where another one was asked for last.
  mutating func of(
    _ entity: EntityBinding, _ slot: Int = -1, sql: () -> String
  ) throws(SQLiteError) -> Statement {
    if let last, self.entity == entity.index, self.slot == slot { return last }
    let statement = try connection.statement(sql())
    (last, self.entity, self.slot) = (statement, entity.index, slot)
    return statement
  }
}

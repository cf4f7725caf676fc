#if PostgreSQL
  import DataModel

  /// A save in progress, within its transaction: one statement for each group of rows, not for each
  /// row.
  struct PostgreSQLSave {
    let store: PostgreSQLStore
    let request: SaveRequest
    private let updateIndex: SaveRequest.UpdateIndex
    /// Hears of everything that changes, if an undo log or a persistent history is kept.
    let recorder: TransactionRecorder?
    var result: SaveResult
    /// Whether queued statements have results that the undo log must record.
    var isLogBehind = false

    var connection: PostgreSQLConnection { store.connection }

    init(store: PostgreSQLStore, request: SaveRequest, recorder: TransactionRecorder?) {
      self.store = store
      self.recorder = recorder
      self.request = request
      updateIndex = SaveRequest.UpdateIndex(request.updates)
      result = SaveResult(of: request)
    }

    /// Deletes come first, so that a new row can get the unique value of a deleted one.
    mutating func run() throws -> SaveResult {
      try refuseUnwritableTexts()
      deleteRows()
      checkRows()
      let lastOrderKeys = request.lists.map { queueLastOrderKey(of: $0) }
      try allotKeys()
      removeLinks()
      try addLinks()
      for (list, ahead) in zip(request.lists, lastOrderKeys) { try setOrderKeys(of: list, ahead) }
      updateRows()
      try insertRows()
      checkMembersLeft()
      checkDestinations()
      try appendToUndoLog()
      try connection.runChecks()
      return result
    }

    /// Sends queued statements if the undo log needs their results, since it must record changes in
    /// order.
    private mutating func appendToUndoLog() throws {
      if isLogBehind { try connection.sendQueued() }
      isLogBehind = false
    }

    /// The key of a row after this save.
    func permanent(_ key: Int64) -> Int64 { key < 0 ? result.keys[key] ?? key : key }

    func conflict(_ entity: EntityBinding, _ key: Int64) -> ConflictError {
      ConflictError(objectID: ManagedObjectID(binding: entity, key: key))
    }

    // MARK: Texts

    /// A text in PostgreSQL cannot contain U+0000 or invalid UTF-8.
    private func refuseUnwritableTexts() throws {
      func check(_ entity: EntityBinding, _ row: PackedRow) throws {
        for slot in entity.writtenSlots where entity.kinds[slot] == .text && row.hasValue(slot) {
          let text = row.bytes(slot)
          guard text.contains(0) || String(validating: text, as: UTF8.self) == nil,
            case .attribute(let attribute) = entity.slots[slot]
          else { continue }
          throw PersistentStoreError.unwritableValue(
            store.location,
            "the text \(entity.name).\(attribute.name) has the character U+0000, which PostgreSQL's texts cannot have"
          )
        }
      }
      for insert in request.inserts { try check(insert.entity, insert.row) }
      for update in request.updates { try check(update.entity, update.row) }
    }

    // MARK: Deletes

    private mutating func deleteRows() {
      isLogBehind = recorder != nil && !request.deletes.isEmpty
      for (entity, deletes) in request.deletes.grouped(by: \.entity) {
        let keys = deletes.map(\.key)
        var known: [Int64: (now: Int64, known: Int64)] = [:]
        if recorder?.undo != nil { store.queueKnown(keys, of: entity) { known = $0 } }
        // Only the recorder needs the deleted rows.
        let returned = recorder.map { _ in store.reader.returning(entity) }
        connection.queue(
          """
          DELETE FROM \(store.table(entity)) AS t
          USING unnest(?, ?) AS v (k, o)
          WHERE t.Z_PK = v.k AND \(PostgreSQLStore.lockCount) = v.o
          RETURNING \(returned?.list ?? "t.Z_PK")
          """, [.integers(keys), .integers(deletes.map { Int64($0.version ?? 0) })],
          checking: { [self] result in
            try expect(keys, in: result, of: entity)
            if let returned { try record(returned.rows(result), known) }
          })
      }
    }

    /// Records deleted rows.
    private func record(
      _ rows: any RowCursor, _ known: [Int64: (now: Int64, known: Int64)]
    ) throws {
      while try rows.next() {
        let entity = store.binding(at: rows.entity)
        let row = try rows.makeRow()
        defer { row.free(slotCount: entity.slotCount) }
        recorder?.history?.deleted(entity, rows.key, row)
        recorder?.history?.noteOwners(entity, row)
        let version = Int64(row.version)
        recorder?.undo?.deleted(
          entity, at: entity.index - store.offset, rows.key, known: known[rows.key, as: version],
          actual: version, row)
      }
    }

    /// Checks that a statement affected every expected row.
    private func expect(
      _ keys: [Int64], in result: PostgreSQLResult, of entity: EntityBinding
    ) throws {
      guard result.count != keys.count else { return }
      let found = Set((0..<result.count).map { result.integer($0, 0) })
      if let missing = keys.first(where: { !found.contains($0) }) {
        throw conflict(entity, missing)
      }
    }

    // MARK: Keys

    /// Assigns each insert its permanent key: that of a row it takes over, or the next one of its
    /// table.
    private mutating func allotKeys() throws {
      // By the index of the root entity: the indexes of the inserts that need a new key.
      var wanted: [(root: Int, inserts: [Int])] = []
      for (number, insert) in request.inserts.enumerated() where insert.temporaryKey < 0 {
        if let lookUp = insert.lookUp, let key = try rowToTakeOver(insert, lookUp.slot) {
          result.keys[insert.temporaryKey] = key
          result.adopted.append(number)
        } else if let index = wanted.firstIndex(where: { $0.root == insert.entity.root }) {
          wanted[index].inserts.append(number)
        } else {
          wanted.append((insert.entity.root, [number]))
        }
      }
      for (root, inserts) in wanted {
        var key = try store.takeKeys(inserts.count, of: store.binding(at: root))
        for number in inserts {
          result.keys[request.inserts[number].temporaryKey] = key
          key += 1
        }
      }
    }

    /// The row of the same entity with the unique value of a new object; nil if there is none.
    private func rowToTakeOver(_ insert: SaveRequest.Insert, _ slot: Int) throws -> Int64? {
      guard insert.row.hasValue(slot) else { return nil }
      var list = PostgreSQLList(of: insert.entity.kinds[slot])
      list.append(insert.row, slot, insert.entity.kinds[slot])
      let found = try connection.run(
        """
        SELECT Z_PK FROM \(store.table(insert.entity))
        WHERE \(store.column(slot, of: insert.entity)) = ANY(?) AND Z_ENT = ?
        """, [list.value, .integer(Int64(insert.entity.number))])
      guard found.count > 0 else { return nil }
      let key = found.integer(0, 0)
      return updateIndex.givesAway(slot, of: insert.entity, key) ? nil : key
    }

    // MARK: Order keys

    /// Queues the query for the highest order key of a list if new members are appended to it.
    ///
    /// Returns nil for other lists, and for that of a new object, which is empty.
    private func queueLastOrderKey(of list: SaveRequest.OrderedList) -> LastOrderKey? {
      guard !list.isWhole, list.owner > 0 else { return nil }
      return foreignKeyList(of: list)?.queueLastOrderKey()
    }

    /// A list whose order keys are in its members' rows; nil for any other.
    private func foreignKeyList(of list: SaveRequest.OrderedList) -> PostgreSQLOrderedList? {
      guard case .foreignKey(let toOne, let entity) = list.storage, let slot = toOne.orderKeySlot
      else { return nil }
      return PostgreSQLOrderedList(
        store: store, toOne: toOne, orderKeySlot: slot, entity: entity,
        owner: permanent(list.owner), recorder: recorder)
    }

    private mutating func setOrderKeys(
      of list: SaveRequest.OrderedList, _ ahead: LastOrderKey?
    ) throws {
      let owner = permanent(list.owner)
      let storage: any OrderedListStorage
      var orderKeySlot: Int?
      var leaving: Set<Int64> = []
      switch list.storage {
      case .foreignKey(let toOne, let entity):
        guard var members = foreignKeyList(of: list) else { return }
        orderKeySlot = toOne.orderKeySlot
        members.lastOrderKeyAhead = ahead
        storage = members
        if list.isWhole { leaving = updateIndex.membersLeaving(list.owner, by: toOne, of: entity) }
      case .join(let end):
        storage = PostgreSQLJoinList(
          store: store, join: end.join, isFirst: end.isFirst, owner: owner, recorder: recorder)
      }
      let members = ContiguousArray(
        list.members.map { SaveRequest.Member(key: permanent($0.key), written: $0.written) })
      let placing = OrderKeyPlacing(
        storage: storage, slot: orderKeySlot, members: members, leaving: leaving)
      if try list.isWhole || !placing.append(&result) { try placing.arrange(&result) }
    }

    // MARK: Updates

    /// A group of updated rows: one entity, and the same changed slots.
    private struct Change: Hashable {
      let entity: Int
      let slots: [Int]
    }

    private mutating func updateRows() {
      var changes: [(change: Change, updates: [Int])] = []
      var indexes: [Change: Int] = [:]
      for (index, update) in request.updates.enumerated() {
        var slots: [Int] = []
        update.findChangedSlots(&slots) { result.orderKeys[.update(index), $0] }
        let version = update.snapshot.version
        result.versions.append(slots.isEmpty ? version : version &+ 1)
        guard !slots.isEmpty else { continue }
        let change = Change(entity: update.entity.index, slots: slots)
        if let known = indexes[change] {
          changes[known].updates.append(index)
        } else {
          indexes[change] = changes.count
          changes.append((change, [index]))
        }
      }
      if changes.reduce(0, { $0 + $1.updates.count }) > 1 {
        for (change, updates) in changes { clear(change, updates.map { request.updates[$0] }) }
      }
      for (change, updates) in changes { write(change, updates) }
    }

    /// Clears unique values of rows that get others, so that rows can exchange values.
    private func clear(_ change: Change, _ updates: [SaveRequest.Update]) {
      let entity = store.binding(at: change.entity)
      let unique = Set(entity.uniqueness.flatMap(\.slots)).intersection(change.slots)
      guard !unique.isEmpty else { return }
      let columns = unique.sorted().map { "\(store.column($0, of: entity)) = NULL" }
      connection.queue(
        "UPDATE \(store.table(entity)) SET \(columns.joined(separator: ", ")) WHERE Z_PK = ANY(?)",
        [.integers(updates.map(\.key))])
    }

    private mutating func write(_ change: Change, _ indexes: [Int]) {
      let entity = store.binding(at: change.entity)
      let updates = indexes.map { request.updates[$0] }
      let rows = zip(indexes, updates).map { (SaveRequest.WrittenRow.update($0), $1.row) }
      let columns = change.slots.enumerated().map { index, slot in
        "\(store.column(slot, of: entity)) = v.c\(index), "
      }
      let names = change.slots.indices.map { ", c\($0)" }.joined()
      let lists = change.slots.map { slot in list(slot, of: entity, rows) }
      connection.queue(
        """
        UPDATE \(store.table(entity)) AS t
        SET \(columns.joined())Z_OPT = \(PostgreSQLStore.nextLockCount)
        FROM unnest(?, ?\(change.slots.map { _ in ", ?" }.joined())) AS v (k, o\(names))
        WHERE t.Z_PK = v.k AND \(PostgreSQLStore.lockCount) = v.o RETURNING t.Z_PK
        """,
        [
          .integers(updates.map(\.key)),
          .integers(updates.map { Int64($0.snapshot.version) }),
        ] + lists, onFailure: { [self] in failure($0, entity) },
        checking: { [self] in try expect(updates.map(\.key), in: $0, of: entity) })
      if let history = recorder?.history {
        for update in updates {
          history.updated(entity, update.key, slots: change.slots)
          history.noteOwners(entity, update.snapshot, slots: change.slots)
          history.noteOwners(entity, update.row, slots: change.slots, permanent)
        }
      }
      guard let undo = recorder?.undo else { return }
      isLogBehind = true
      store.queueKnown(updates.map(\.key), of: entity) { [store] known in
        for update in updates {
          let version = update.snapshot.version
          undo.updated(
            entity, at: entity.index - store.offset, update.key,
            before: known[update.key, as: Int64(version)], after: Int64(version &+ 1),
            update.snapshot, slots: change.slots)
        }
      }
    }

    /// The values of a slot in some rows, with the keys that this save assigns.
    private func list(
      _ slot: Int, of entity: EntityBinding,
      _ rows: [(SaveRequest.WrittenRow, PackedRow)]
    ) -> PostgreSQLValue {
      let kind = entity.kinds[slot]
      var list = PostgreSQLList(of: kind, count: rows.count)
      for (written, row) in rows {
        if kind == .orderKey, let key = result.orderKeys[written, slot] {
          list.append(integer: key)
        } else if kind == .key, row.hasValue(slot) {
          list.append(integer: permanent(row.integer(slot)))
        } else {
          list.append(row, slot, kind)
        }
      }
      return list.value
    }

    // MARK: Inserts

    private mutating func insertRows() throws {
      try appendToUndoLog()
      let adopted = Set(result.adopted)
      let inserts = request.inserts.enumerated().filter { !adopted.contains($0.offset) }
      for (entity, inserts) in inserts.grouped(by: \.element.entity) {
        // In batches, as all values of a statement are in memory together.
        for start in stride(from: 0, to: inserts.count, by: 10_000) {
          try insert(Array(inserts[start..<min(start + 10_000, inserts.count)]), entity)
        }
      }
    }

    private func insert(
      _ numbered: [(offset: Int, element: SaveRequest.Insert)], _ entity: EntityBinding
    ) throws {
      let inserts = numbered.map(\.element)
      // Collected once for all columns, without the request's references.
      let rows = numbered.map { (SaveRequest.WrittenRow.insert($0.offset), $0.element.row) }
      let slots = entity.writtenSlots
      let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + slots.map { store.column($0, of: entity) }
      let keys = inserts.map { permanent($0.temporaryKey) }
      let bringsKey = inserts.contains { $0.temporaryKey > 0 }
      let newKey = bringsKey ? keys.first : nil
      connection.queue(
        """
        INSERT INTO \(store.table(entity)) (\(columns.joined(separator: ", ")))
        SELECT * FROM unnest(\(columns.map { _ in "?" }.joined(separator: ", ")))
        """,
        [
          .integers(keys), .integers(inserts.map { _ in Int64(entity.number) }),
          .integers(inserts.map { Int64($0.row.version) + 1 }),
        ] + slots.map { list($0, of: entity, rows) },
        onFailure: { failure($0, entity, newKey: newKey) })
      // A uniqueness violation must be thrown here, so that the caller can continue with the
      // transaction; and large batches should not pile up in memory.
      if bringsKey || !entity.uniqueness.isEmpty || inserts.count > 1_000 {
        try connection.sendQueued()
      }
      guard let recorder else { return }
      for (insert, key) in zip(inserts, keys) {
        recorder.undo?.inserted(
          entity.index - store.offset, key, version: Int64(insert.row.version) + 1)
        recorder.history?.inserted(entity, key)
        recorder.history?.noteOwners(entity, insert.row, permanent)
      }
    }

    /// The error for a failed INSERT or UPDATE: a violated constraint in terms of the model.
    private func failure(
      _ error: PostgreSQLError, _ entity: EntityBinding, newKey: Int64? = nil
    ) -> any Error {
      guard error.isUniqueViolation else { return error }
      let properties = store.constraint(named: error.constraint ?? "", of: entity)
      if properties.isEmpty, let newKey { return conflict(entity, newKey) }
      return PersistentStoreError.uniquenessViolation(entity: entity.name, properties: properties)
    }
  }

  extension [Int64: (now: Int64, known: Int64)] {
    /// The lock count by which a row with a given current count is known.
    fileprivate subscript(key: Int64, as version: Int64) -> Int64 {
      guard let noted = self[key], noted.now == version else { return version }
      return noted.known
    }
  }
#endif

import DataModel

extension SQLiteStore {
  /// Runs a transaction whose changes go into the undo log, where one is kept; its body has to write what
  /// belongs into the persistent history (`writeHistory(_:by:)`).
  ///
  /// - Parameter isPart: whether one that was begun ahead goes on afterwards.
  func recordedTransaction<Result>(
    isPart: Bool = false, _ body: (TransactionRecorder?) throws -> Result
  ) throws -> Result {
    func run<Output>(_ body: () throws -> Output) throws -> Output {
      try isPart ? connection.part(body) : connection.transaction(body)
    }
    guard undoLog != nil || history != nil else { return try run { try body(nil) } }
    let result = try run {
      let undo = undoLog.map { _ in UndoRecorder() }
      let result = try body(TransactionRecorder(undo: undo, history: historyRecorder()))
      if let undo { try undoLog?.write(undo) }
      return result
    }
    undoLog?.didCommit()
    history?.didCommit()
    return result
  }

  /// What gathers a transaction's changes for the persistent history; nil where none is kept.
  func historyRecorder() -> HistoryRecorder? {
    history?.recorder(bindings, offset: offset, joins: joins)
  }

  /// Writes what a transaction has changed so far into the persistent history, where one is kept.
  func writeHistory(_ recorder: HistoryRecorder?, by origin: TransactionOrigin) throws {
    if let recorder { try history?.write(recorder, by: origin, in: self) }
  }

  /// A row as it is stored, with its entity; nil where there is none.
  ///
  /// The caller frees the row.
  func storedRow(_ key: Int64, of entity: EntityBinding) throws -> (EntityBinding, PackedRow)? {
    try row(key, of: entity).map { ($0.entity, $0.row) }
  }

  func root(of entity: EntityBinding) -> EntityBinding { binding(at: entity.root) }

  // MARK: What a save records

  /// Notes a row that a save deletes.
  func recordDelete(_ entity: EntityBinding, _ key: Int64, _ recorder: TransactionRecorder) throws {
    guard let (found, row) = try storedRow(key, of: entity) else { return }
    defer { row.free(slotCount: found.slotCount) }
    recorder.history?.deleted(found, key, row)
    recorder.history?.noteOwners(found, row)
    guard let undoLog else { return }
    recorder.undo?.deleted(
      found, at: found.index - offset, key,
      known: try undoLog.known(root(of: found), key, Int64(row.version)),
      actual: Int64(row.version), row)
  }

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

  // MARK: Links

  /// The links of a join that an object has, or one link: first key, second key and order keys.
  func storedLinks(
    _ join: Int, first: Int64? = nil, second: Int64? = nil
  ) throws -> [(first: Int64, second: Int64, firstOrder: Int64?, secondOrder: Int64?)] {
    let names = schema.joins[join]
    let columns = [names.firstKey, names.secondKey, names.firstOrder, names.secondOrder]
    let wanted = [(names.firstKey, first), (names.secondKey, second)].filter { $0.1 != nil }
    let statement = try connection.statement(
      """
      SELECT \(columns.map { $0?.quoted ?? "NULL" }.joined(separator: ", "))
      FROM \(names.table.quoted)
      WHERE \(wanted.map { "\($0.0.quoted) = ?" }.joined(separator: " AND "))
      """)
    for case (let index, (_, let key?)) in wanted.enumerated() {
      statement.bind(key, at: Int32(index + 1))
    }
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

  /// Notes links that a save removes.
  func recordUnlink(
    _ join: Int, first: Int64? = nil, second: Int64? = nil, _ recorder: TransactionRecorder
  ) throws {
    for link in try storedLinks(join, first: first, second: second) {
      recorder.unlinked(
        join, link.first, link.second, firstOrder: link.firstOrder, secondOrder: link.secondOrder)
    }
  }
}

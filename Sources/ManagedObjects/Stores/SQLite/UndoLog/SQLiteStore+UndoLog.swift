import DataModel

extension SQLiteStore {
  /// Runs a transaction whose changes are recorded in the undo log, if one is kept.
  ///
  /// The body must write the persistent history itself (`writeHistory(_:by:)`).
  ///
  /// - Parameter isPart: whether a transaction from `beginAhead()` stays open afterwards.
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

  // MARK: Recording saves

  /// Records a row that a save deletes.
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

  /// Records links that a save removes.
  func recordUnlink(
    _ join: Int, first: Int64? = nil, second: Int64? = nil, _ recorder: TransactionRecorder
  ) throws {
    for link in try storedLinks(join, first: first, second: second) {
      recorder.unlinked(
        join, link.first, link.second, firstOrder: link.firstOrder, secondOrder: link.secondOrder)
    }
  }
}

extension SQLiteStore: RevertingStore {
  var database: any SQLDatabase { connection }

  func inTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try connection.transaction(body)
  }

  func reverting<Result>(_ body: (any RevertedValues) throws -> Result) throws -> Result {
    let values = SQLiteRevertedValues(of: self)
    history?.willBegin()
    do {
      let result = try connection.transaction {
        let result = try body(values)
        try setKept(valuesToKeep)
        return result
      }
      valuesToKeep = [:]
      history?.didCommit()
      drop(values.files.dropped)
      shortenLog()
      return result
    } catch {
      // The commit may have succeeded: a leftover file does no harm.
      if (error as? SQLiteError)?.isUncertain != true { values.undo() }
      throw error
    }
  }

  func triedValues() -> any RevertedValues { SQLiteRevertedValues(of: self) }

  func changeMetadata(
    _ recorder: UndoRecorder?, _ change: (inout [String: PropertyList]) throws -> Void
  ) throws {
    try Self.changeMetadata(connection, at: fileURL, recorder, change)
  }

  func eraseDeletedLogContents() throws { try connection.rewrite() }
}

/// The external files that are written and dropped while commands are undone.
private final class SQLiteRevertedValues: RevertedValues {
  private let store: SQLiteStore
  let files: ExternalDataChanges

  init(of store: SQLiteStore) {
    self.store = store
    files = ExternalDataChanges(in: store.files)
  }

  func stored(_ value: UnsafeRawBufferPointer) throws -> [UInt8] { try files.stored(value) }

  func drop(_ slots: [Int], of entity: EntityBinding, _ key: Int64) throws {
    try store.dropFiles(of: slots, of: entity, key, files)
  }

  func undo() { files.undo() }
}

@available(*, unavailable) extension SQLiteRevertedValues: Sendable {}

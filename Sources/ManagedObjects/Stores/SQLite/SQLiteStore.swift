import DataModel
import SystemLibraries

/// A store in Core Data's SQLite format.
///
/// Not used by two threads at once, which the coordinator's lock ensures.
final class SQLiteStore: PersistentStore, TransactionalStore, BatchStore, @unchecked Sendable {
  /// The reader on the writing connection.
  private(set) var reader: SQLiteReader {
    didSet { connectionCount += 1 }
  }
  /// The number of previous connections, as each has its own change counter.
  private var connectionCount: Int64 = 0
  private var readOnly: ReadOnlyUse?
  /// The length of the log when this store last waited to empty it: see `shortenLog()`.
  var pagesWaitedFor = 0
  let model: ManagedObjectModel
  private(set) var fileURL: URL
  /// The options it was opened with.
  let options: PersistentStoreOptions
  /// The prepared INSERT and UPDATE statements of saves, by entity: see `SQLiteStore+Saving`.
  var inserts: [Statement?]
  var updates: [UpdateKey: Statement] = [:]

  /// The key of a prepared UPDATE: its entity and the slots that it sets.
  struct UpdateKey: Hashable {
    let entity: Int
    let slots: [Int]
  }

  let joins: [JoinBinding]

  private(set) var readers: ReaderPool?

  /// The log of commands that can be undone; nil if none is kept.
  var undoLog: SQLUndoLog?

  /// The persistent history; nil if none is kept.
  var history: SQLHistory?
  /// Why the store is read-only although it was opened for writing; nil if it is not.
  var obstacle: PersistentStoreError.WriteObstacle?

  /// The values that the next save writes in addition to objects: see `KeepingStore`.
  var valuesToKeep: [String: [UInt8]?] = [:]

  /// The files of dropped values, kept until no reader can need them.
  private var droppedFiles = DroppedFiles()

  /// The state of a store that was opened read-only.
  struct ReadOnlyUse {
    /// The state of its files when they were copied; nil if they are read in place.
    let traces: FileSignature?
  }

  var connection: Connection { reader.connection }
  var schema: SQLSchema { reader.schema }
  var files: ExternalDataFiles { reader.files }
  /// Whether the file is read without seeing changes by other processes; see `followChanges()`.
  var ignoresExternalChanges: Bool { readOnly?.traces != nil }

  init(
    reader: SQLiteReader, url: URL, identity: PersistentStoreIdentity, offset: Int,
    model: ManagedObjectModel, bindings: [EntityBinding], joins: [JoinBinding],
    options: PersistentStoreOptions, readOnly: ReadOnlyUse?, readers: ReaderPool?
  ) {
    self.reader = reader
    self.model = model
    fileURL = url
    self.options = options
    self.joins = joins
    self.readOnly = readOnly
    self.readers = readers
    inserts = Array(repeating: nil, count: bindings.count)
    super.init(
      type: .sqlite, url: url, identity: identity, bindings: bindings, offset: offset,
      isReadOnly: readOnly != nil)
  }

  deinit {
    // The last connection to close removes the log, and only a writing one can.
    readers?.closeIdle()
    removeDroppedFiles()
    // What was saved is on the disk, at least in the log.
    try? leaveLogEmpty()
  }

  var transactions: (any TransactionalStore)? { self }
  var keeping: (any KeepingStore)? { self }
  var readerPool: (any StoreReaderPool)? { readers }
  var batches: (any BatchStore)? { self }

  // MARK: Reading

  var state: UInt32? { connection.state }

  func rows(for plan: FetchPlan) throws -> any RowCursor {
    try currentReader().rows(for: plan)
  }

  func row(
    with value: Scalar, at slot: Int, of entity: EntityBinding
  ) throws -> FoundRow? {
    try rowReader().row(with: value, at: slot, of: entity)
  }

  func row(
    _ key: Int64, of entity: EntityBinding
  ) throws -> (entity: EntityBinding, row: PackedRow)? {
    try rowReader().row(key, of: entity)
  }

  func values(
    _ plan: FetchPlan, _ expressions: [BoundExpression],
    _ body: (_ row: RowIdentity, _ values: [Scalar?]) throws -> Void
  ) throws {
    try currentReader().values(plan, expressions, body)
  }

  func externalValue(
    at slot: Int, of entity: EntityBinding, _ key: Int64
  ) throws -> [UInt8]? {
    try currentReader().externalValue(at: slot, of: entity, key)
  }

  func count(_ plan: FetchPlan) throws -> Int { try currentReader().count(plan) }

  func beginReading(expecting reads: [ExpectedPlan]) throws {
    try mappingErrors { try followChanges() }
    try reader.beginReading()
  }

  func endReading() { reader.endReading() }

  var isInTransaction: Bool { connection.isInTransaction }

  func beginWriting(expecting reads: [ExpectedPlan]) throws {
    try refuseIfReadOnly()
    try mappingErrors { try connection.beginAhead() }
  }

  func endWriting() throws {
    guard connection.isAhead else { return }
    try mappingErrors { try connection.endAhead() }
    removeDroppedFiles()
    shortenLog()
  }

  private func currentReader() throws -> SQLiteReader {
    try mappingErrors { try followChanges() }
    return reader
  }

  func reopening(at url: URL) throws -> () -> Void {
    require(
      !connection.isInTransaction, "A store cannot be moved in performWriting or performReading.")
    // SQLite names an open file's log after its original path: another process, using the new path,
    // would have a different log for the same file.
    if connection.openedFile?.isFile(at: url.filePath) == true {
      if try connection.openedFile?.hasMoved() == false { return { self.noteURL(url) } }
      throw PersistentStoreError.moved(fileURL)
    }
    var options = options
    options.createsFile = false
    options.migratesAutomatically = false
    options.vacuumsStore = false
    options.analyzesStore = false
    let other = try Self.open(url, model: model, options: options, offset: offset)
    guard other.identifier == identifier,
      zip(bindings, other.bindings).allSatisfy({ $0.number == $1.number })
    else { throw PersistentStoreError.otherStore(url) }
    return { self.adoptConnection(of: other, at: url) }
  }

  /// Continues with the connection of a store that is the same one at another URL.
  private func adoptConnection(of other: SQLiteStore, at url: URL) {
    readers?.closeIdle()
    removeDroppedFiles()
    // The store at the new URL may be a copy that refers to them.
    droppedFiles = DroppedFiles()
    // What was saved is on the disk, at least in the log.
    try? checkpoint()
    inserts = Array(repeating: nil, count: bindings.count)
    updates = [:]
    fileURL = url
    reader = SQLiteReader(
      other.connection, at: url, schema: other.schema, bindings: bindings)
    readOnly = other.readOnly
    readers = Self.readerPool(
      beside: reader, at: url, identifier, ignoresExternalChanges: ignoresExternalChanges, options)
    undoLog?.database = other.connection
    other.history?.inheritHistory(from: history)
    history = other.history
    noteURL(url)
  }

  /// The reader for a single row.
  ///
  /// Only fetches and saves check whether the file was moved, since that check takes as long as
  /// reading a row.
  private func rowReader() throws -> SQLiteReader {
    ignoresExternalChanges ? try currentReader() : reader
  }

  /// Copies a file again if it is read from a copy and has changed; does nothing in a transaction,
  /// which made this check when it began.
  ///
  /// - Throws: `SQLiteError.moved` if the path leads to another file, or to none.
  func followChanges() throws {
    guard !connection.isInTransaction else { return }
    try connection.refuseIfMoved()
    guard let traces = readOnly?.traces else { return }
    let path = fileURL.filePath.resolvingFinalSymlink
    guard FileSignature(of: path) != traces else { return }
    let result = Result {
      try ReadOnlyFile(
        url: fileURL, path: path, busyTimeout: options.busyTimeout, debug: options.sqlDebug
      ).open()
    }
    // The file may have been moved or replaced in between.
    try connection.refuseIfMoved()
    let opened = try result.get()
    opened.connection.expect(connection.expectedContents)
    opened.connection.openedFile = connection.openedFile
    reader = reader.reader(on: opened.connection)
    undoLog?.database = connection
    readOnly = ReadOnlyUse(traces: opened.traces)
  }

  func refuseIfReadOnly() throws {
    guard isReadOnly else { return }
    if let obstacle { throw PersistentStoreError.cannotWrite(fileURL, obstacle) }
    throw PersistentStoreError.readOnly(fileURL)
  }

  /// Runs a body and rethrows SQLite's errors as `PersistentStoreError`.
  func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    try reader.mappingErrors(body)
  }

  // MARK: Writing

  /// Writes all changes in one `BEGIN IMMEDIATE … COMMIT`; they are on the disk when it returns.
  func save(
    _ request: SaveRequest, before body: () throws -> Void
  ) throws -> SaveResult {
    try refuseIfReadOnly()
    return try mappingErrors {
      let files = ExternalDataChanges(in: files)
      do {
        let result = try recordedTransaction { recorder in
          var save = SQLiteSave(store: self, request: request, files: files, recorder: recorder)
          let result = try save.run()
          try writeHistory(recorder?.history, by: request.origin)
          try setKept(valuesToKeep)
          try body()
          return result
        }
        valuesToKeep = [:]
        drop(files.dropped)
        shortenLog()
        return result
      } catch {
        // The commit may have succeeded: a leftover file does no harm.
        if (error as? SQLiteError)?.isUncertain != true { files.undo() }
        throw error
      }
    }
  }

  /// Removes the files of values dropped by a commit, once no reader needs them.
  func drop(_ names: [String]) {
    droppedFiles.add(names)
    removeDroppedFiles()
  }

  /// Removes the files of dropped values, unless a reader may still need them.
  func removeDroppedFiles() { droppedFiles.remove(in: files, on: connection) }

  func reserveKeys(_ count: Int, of root: EntityBinding) throws -> Int64 {
    try refuseIfReadOnly()
    return try mappingErrors { try takeKeys(count, of: root) }
  }

  func update(
    _ plan: FetchPlan, _ values: [(slot: Int, value: Scalar?)], by origin: TransactionOrigin
  ) throws -> [BatchedRow]? {
    try refuseIfReadOnly()
    return try updateAtOnce(plan, values, by: origin)
  }

  func delete(_ plan: FetchPlan, by origin: TransactionOrigin) throws -> [BatchedRow]? {
    try refuseIfReadOnly()
    return try deleteAtOnce(plan, by: origin)
  }

  override var traces: ChangeDetection { ChangeDetection(sqliteFile: fileURL) }

  override func changeCount() throws -> Int64 {
    try mappingErrors {
      try followChanges()
      // SQLite's counter has 32 bits.
      return try connectionCount << 32 | connection.dataVersion()
    }
  }

  // MARK: Metadata

  func metadata() throws -> [String: PropertyList] {
    try mappingErrors {
      try followChanges()
      return try Self.readMetadata(connection, at: fileURL).all
    }
  }

  func updateMetadata(_ change: (inout [String: PropertyList]) -> Void) throws {
    try refuseIfReadOnly()
    try mappingErrors {
      try recordedTransaction(isPart: true) { recorder in
        try Self.changeMetadata(connection, at: fileURL, recorder?.undo, change)
      }
      if !connection.isAhead { shortenLog() }
    }
  }
}

extension Statement {
  func bind(_ value: SQLValue, at parameter: Int32) {
    switch value {
    case .key(let key), .scalar(.integer(let key)): bind(key, at: parameter)
    case .scalar(.real(let number)): bind(number, at: parameter)
    case .scalar(.text(let text)), .text(let text): bind(text: text, at: parameter)
    case .scalar(.bytes(let bytes)): bind(bytes, at: parameter)
    case .list(let values): bind(list: values, at: parameter)
    }
  }
}

import DataModel
import SystemLibraries

extension SQLiteStore {
  /// Opens a store, or creates one if the file is missing or empty.
  ///
  /// A file that is not a store of this model is refused and left unchanged. A store with a history
  /// that the options do not track is opened read-only.
  ///
  /// - Throws: `PersistentStoreError` with the reason.
  static func open(
    _ url: URL, model: ManagedObjectModel, options: PersistentStoreOptions, offset: Int
  ) throws -> SQLiteStore {
    if options.isShortLived { Connection.disableMemoryStatistics() }
    do {
      return try openTogether(url, model: model, options: options, offset: offset)
    } catch PersistentStoreError.cannotWrite(_, .persistentHistory)
      where !options.keepsFileAsItIs
    {
      var reading = options
      reading.isReadOnly = true
      let store = try openTogether(url, model: model, options: reading, offset: offset)
      store.obstacle = .persistentHistory
      return store
    }
  }

  /// The maximum number of attempts to open a store whose file keeps being replaced.
  private static let mostAttempts = 100

  /// Opens a store that other users share or may be replacing.
  private static func openTogether(
    _ url: URL, model: ManagedObjectModel, options: PersistentStoreOptions, offset: Int
  ) throws -> SQLiteStore {
    let file = SharedFile(
      path: url.filePath.resolvingFinalSymlink, isReadOnly: options.isReadOnly,
      busyTimeout: options.busyTimeout)
    var attempts = 0
    while true {
      do {
        return try file.opening {
          try openAsWanted(url, model: model, options: options, offset: offset)
        }
      } catch PersistentStoreError.moved where attempts < mostAttempts {
        attempts += 1
      }
    }
  }

  /// Opens a store's file for writing, whatever it contains; several users may share it.
  ///
  /// - Throws: `PersistentStoreError`, `SQLiteError`.
  static func connectForWriting(
    to path: String, of url: URL, options: PersistentStoreOptions
  ) throws -> Connection {
    try SharedFile(path: path, busyTimeout: options.busyTimeout).opening {
      try PersistentStoreError.mapping(at: url) {
        let connection = try Connection(
          path: path, access: .readWrite, waiting: options.busyTimeout, debug: options.sqlDebug)
        guard !connection.isReadOnly else { throw readOnlyReason(path, of: url) }
        // Only the first read opens the log.
        try connection.look()
        try connection.refuseReadOnlyLog(of: path)
        return connection
      }
    }
  }

  /// Why SQLite has opened a file read-only that was to be written: its permissions, or a format
  /// version in its header that SQLite can only read.
  private static func readOnlyReason(_ path: String, of url: URL) -> PersistentStoreError {
    header(ofFileAt: path, upTo: 19).last.map { $0 > 2 } ?? false
      ? .corrupt(url, .damaged("the version of the file format is unknown")) : .noPermission(url)
  }

  private static func openAsWanted(
    _ url: URL, model: ManagedObjectModel, options: PersistentStoreOptions, offset: Int
  ) throws -> SQLiteStore {
    let path = url.filePath.resolvingFinalSymlink
    let pragmas = try SQLitePragmas(options.sqlitePragmas, of: url)
    try PersistentStoreError.mapping(at: url) {
      try prepareFile(url, path: path, model: model, options: options)
    }
    // Recorded before opening, so that a file that replaces it in between is not taken for it.
    let file = OpenedFile(url.filePath)
    do {
      let opened = try connect(url, path: path, model: model, options: options)
      let examined = try examine(
        opened.connection, at: url, model: model, options: options, offset: offset)
      // Only now is it certain that the store may be written.
      if !options.isReadOnly {
        // Known only once the header was read.
        guard !opened.connection.isReadOnly else { throw readOnlyReason(path, of: url) }
        opened.connection.keepLogOnClose(false)
        try opened.connection.refuseReadOnlyLog(of: path)
        try opened.connection.syncCommits()
        for statement in pragmas.forWriting { try opened.connection.execute(statement) }
        if !options.keepsFileAsItIs {
          try maintain(opened.connection, options, pragmas)
          try prepareForWriting(opened.connection, examined, pragmas)
        }
      }
      try opened.connection.apply(pragmas)
      opened.connection.openedFile = file
      opened.connection.expectedContents = examined.expectedContents
      // The file was replaced while it was opened: the caller opens the new one.
      try opened.connection.refuseIfMoved()
      let reader = SQLiteReader(
        opened.connection, at: url, schema: examined.schema, bindings: examined.bound.entities)
      let store = SQLiteStore(
        reader: reader, url: url, identity: examined.identity, offset: offset, model: model,
        bindings: examined.bound.entities, joins: examined.bound.joins,
        options: options,
        readOnly: options.isReadOnly ? ReadOnlyUse(traces: opened.traces) : nil,
        readers: readerPool(
          beside: reader, at: url, examined.identity.identifier,
          ignoresExternalChanges: opened.traces != nil, options))
      if options.undoLogLimit > 0 {
        store.undoLog = SQLUndoLog(
          database: opened.connection, limit: options.undoLogLimit, schema: examined.schema)
      }
      if options.keepsHistory(isMirrored: examined.contents.isMirrored), !options.isReadOnly,
        !options.keepsFileAsItIs
      {
        store.history = try SQLHistory(
          opened.connection, of: store.bindings, in: examined.contents,
          tombstonesAreBytes: options.tombstonesAreBytes)
      }
      return store
    } catch {
      // Whatever the error, the file that was to be opened is no longer there.
      if (try? file.hasMoved()) == true || access(path, F_OK) != 0 {
        throw PersistentStoreError.moved(url)
      }
      guard let error = error as? SQLiteError else { throw error }
      throw PersistentStoreError(error, at: url)
    }
  }

  /// Opens the file, whatever it contains.
  private static func connect(
    _ url: URL, path: String, model: ManagedObjectModel, options: PersistentStoreOptions
  ) throws -> ReadOnlyFile.Opened {
    let file = ReadOnlyFile(
      url: url, path: path, busyTimeout: options.busyTimeout, debug: options.sqlDebug)
    guard !options.isReadOnly else {
      return try options.isImmutable ? file.openImmutable() : file.open()
    }
    let connection = try Connection(
      path: path, access: .readWrite, waiting: options.busyTimeout, debug: options.sqlDebug)
    guard !connection.isReadOnly else { throw readOnlyReason(path, of: url) }
    if FileSignature.logHasFrames(path) {
      // Closing a store that is refused must not checkpoint another program's log; and if that
      // program has ended, not even the index of its log may be created.
      connection.keepLogOnClose(true)
      if connection.isAlone {
        _ = try examine(file.open().connection, at: url, model: model, options: options, offset: 0)
      }
    }
    return .init(connection: connection, traces: nil)
  }

  /// A file that was examined, before it is accepted as a store of a model.
  private struct Examined {
    let identity: PersistentStoreIdentity
    let bound: ModelBinding
    let schema: SQLSchema
    let contents: StoreContents
    let expectedContents: ExpectedContents
  }

  /// Checks whether a file is a store of a model, usable with the given options.
  ///
  /// - Throws: `PersistentStoreError`, `SQLiteError`.
  private static func examine(
    _ connection: Connection, at url: URL, model: ManagedObjectModel,
    options: PersistentStoreOptions, offset: Int
  ) throws -> Examined {
    let found = try metadata(connection, at: url, orCreate: model, options: options)
    let expectedContents = ExpectedContents(state: connection.state) { connection in
      do {
        if let change = try found.change(to: readMetadata(connection, at: url), at: url) {
          throw change
        }
      } catch PersistentStoreError.notAStore {
        throw PersistentStoreError.moved(url)
      }
    }
    let mismatch = StoredMetadata.mismatch(of: found.plist, with: model, at: url)
    if let mismatch, !options.ignoresModelVersioning { throw mismatch }
    let contents = try StoreContents(connection)
    if !options.isReadOnly {
      try refuseObstacles(contents, at: url, options)
    }
    let identity = PersistentStoreIdentity(identifier: found.uuid)
    let bound = ModelBinding(
      model, store: identity, offset: offset, numbers: try entityNumbers(connection))
    let schema = try SQLSchema(bound, of: contents)
    for table in schema.allTables where !contents.tables.contains(table) {
      throw mismatch ?? PersistentStoreError.corrupt(url, .missingTable(table))
    }
    if let mismatch, try !hasEveryColumn(of: schema, contents) { throw mismatch }
    if !options.isReadOnly, mismatch == nil {
      try refuseWrongNumbers(of: bound, schema, contents, connection, url)
    }
    // The hash of a derived attribute covers neither its name nor its type.
    if try !hasDerivedColumns(of: schema, contents) {
      throw StoredMetadata.incompatibility(of: found.plist, at: url)
    }
    // Existing triggers define what is derived, and how.
    if !options.isReadOnly, !contents.obstacles.contains(.derivedAttributes) {
      try model.checkDerivations()
    }
    return Examined(
      identity: identity, bound: bound, schema: schema, contents: contents,
      expectedContents: expectedContents)
  }

  /// Refuses to write a store whose entity numbers contradict its tables: new rows would get
  /// numbers under which they are not found.
  ///
  /// Numbers by position, which Core Data assigns, are not checked; of other numbers, only the
  /// first row of each table is.
  private static func refuseWrongNumbers(
    of bound: ModelBinding, _ schema: SQLSchema, _ contents: StoreContents,
    _ connection: Connection, _ url: URL
  ) throws {
    let entities = bound.entities
    let first = entities.first?.index ?? 0
    guard entities.contains(where: { $0.number != $0.index - first + 1 }) else { return }
    var isWrong = Set(entities.map(\.number)).count != entities.count
    for join in schema.joins where !isWrong {
      isWrong = try !Set(contents.columns(of: join.table).map(\.name)).isSuperset(of: join.keys)
    }
    for root in entities where root.root == root.index && !isWrong {
      let numbers = root.family.map { "\(entities[$0 - first].number)" }.joined(separator: ", ")
      let table = schema.tableNames[root.index - first].quoted
      isWrong =
        try connection.integer("SELECT Z_ENT NOT IN (\(numbers)) FROM \(table) LIMIT 1") == 1
    }
    guard isWrong else { return }
    throw PersistentStoreError.corrupt(
      url, .damaged("the entity numbers in Z_PRIMARYKEY contradict the tables"))
  }

  // MARK: The file

  /// Makes sure that there is a file, even if it is empty.
  static func prepareFile(
    _ url: URL, path: String, model: ManagedObjectModel?, options: PersistentStoreOptions
  ) throws {
    var info = stat()
    let exists = stat(path, &info) == 0
    guard exists || errno == ENOENT else { throw PersistentStoreError(errno: errno, at: url) }
    if !exists || info.st_size == 0 {
      try refuseStrayLog(at: path, of: url)
      try refuseReservedName(path, of: url)
    }
    guard exists else {
      guard let model, options.createsFile, !options.isReadOnly else {
        throw PersistentStoreError.fileNotFound(url)
      }
      try model.checkDerivations()
      let pragmas = try SQLitePragmas(options.sqlitePragmas, of: url)
      return try make(at: url, path: path, model: model, pageSize: pragmas.pageSize)
    }
    guard info.st_mode & S_IFMT == S_IFREG else { throw PersistentStoreError.notAFile(url) }
    guard info.st_nlink < 2 || options.isReadOnly || options.ignoredObstacles.contains(.hardLinks)
    else { throw PersistentStoreError.cannotWrite(url, .hardLinks) }
    // SQLite treats a file shorter than its first page as empty and would overwrite it; but with a
    // journal it is rolled back first.
    if (1..<4096).contains(info.st_size), Int(info.st_size) < pageSize(ofFileAt: path),
      access(path + "-journal", F_OK) != 0
    {
      throw PersistentStoreError.corrupt(url, .notADatabase)
    }
  }

  /// The page size in the header of a SQLite file, bytes 16 and 17; the maximum if there is none.
  static func pageSize(ofFileAt path: String) -> Int {
    let header = header(ofFileAt: path, upTo: 18)
    guard header.count == 18 else { return 65_536 }
    let size = Int(header[16]) << 8 | Int(header[17])
    return size > 1 ? size : 65_536
  }

  /// The first bytes of a file; fewer if it is shorter.
  private static func header(ofFileAt path: String, upTo count: Int) -> [UInt8] {
    var header: [UInt8] = []
    // Through SQLite, since the store may be open in this process.
    let connection = try? Connection(path: path, access: .unchanging, waiting: 0)
    try? connection?.readFile(upTo: count) { header += $0 }
    return header
  }

  /// The metadata of a store, which is created if the file is empty.
  ///
  /// Only SQLite can decide whether it is empty: a process killed while filling it has left a
  /// journal, and rolling that back leaves nothing.
  private static func metadata(
    _ connection: Connection, at url: URL, orCreate model: ManagedObjectModel,
    options: PersistentStoreOptions
  ) throws -> StoredMetadata {
    do {
      return try readMetadata(connection, at: url)
    } catch PersistentStoreError.notAStore {
      if options.createsFile, !options.isReadOnly {
        let pragmas = try SQLitePragmas(options.sqlitePragmas, of: url)
        try fillEmptyFile(connection, model: model, pageSize: pragmas.pageSize)
      } else if try isEmpty(connection) {
        throw PersistentStoreError.fileNotFound(url)
      }
      // Filled by this process or by another one, or not a store after all.
      return try readMetadata(connection, at: url)
    }
  }

  // MARK: Preparing any store

  /// Refuses a store with a feature that this library would break, unless the options ignore it.
  static func refuseObstacles(
    _ contents: StoreContents, at url: URL, _ options: PersistentStoreOptions
  ) throws {
    let accepted = options.acceptedObstacles(isMirrored: contents.isMirrored)
    let found = contents.obstacles.filter { !accepted.contains($0) }
    // A history alone makes the store read-only; with any other obstacle it is not opened for
    // writing at all.
    if let obstacle = found.first(where: { $0 != .persistentHistory }) ?? found.first {
      throw PersistentStoreError.cannotWrite(url, obstacle)
    }
  }

  private static func prepareForWriting(
    _ connection: Connection, _ store: Examined, _ pragmas: SQLitePragmas
  ) throws {
    // While other connections use the store it keeps its journal mode; a later opening changes it.
    if !pragmas.usesLog || !connection.expectsLog {
      try? connection.statement("PRAGMA journal_mode = \(pragmas.journalMode ?? "WAL")").run()
    }
    connection.countPagesInLog()
    if store.contents.obstacles.contains(.derivedAttributes) {
      try connection.registerDerivationFunctions()
    } else {
      try connection.keepDerivations(store.schema.derivations)
    }
  }

  /// Rewrites the file and analyses its indexes, if the options ask for it.
  private static func maintain(
    _ connection: Connection, _ options: PersistentStoreOptions, _ pragmas: SQLitePragmas
  ) throws {
    if options.vacuumsStore {
      let pageSize = try connection.integer("PRAGMA page_size")
      if let wanted = pragmas.pageSize, pageSize != Int64(wanted) {
        // In WAL mode the page size cannot change.
        try connection.execute("PRAGMA journal_mode = DELETE; PRAGMA page_size = \(wanted)")
      }
      try connection.execute("VACUUM")
    }
    if options.analyzesStore { try connection.execute("ANALYZE") }
  }

  static func entityNumbers(_ connection: Connection) throws -> [String: Int] {
    var numbers: [String: Int] = [:]
    let statement = try connection.statement("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY")
    defer { statement.reset() }
    while try statement.step() {
      let number = statement.integer(at: 1)
      // A number that no store has is ignored; the entity is numbered by position.
      guard number > 0, number < HistoryTables.leastNumber else { continue }
      if let name = statement.string(at: 0) { numbers[name] = Int(number) }
    }
    return numbers
  }
}

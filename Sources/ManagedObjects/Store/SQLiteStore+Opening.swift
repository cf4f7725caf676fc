#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import DataModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The page size in the header of a SQLite file, in bytes 16 and 17; the largest where there is none.
private func pageSize(ofFileAt path: String) -> Int {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  defer { close(file) }
  var header = [UInt8](repeating: 0, count: 18)
  // A descriptor of -1 reads nothing.
  guard read(file, &header, header.count) == header.count else { return 65_536 }
  let size = Int(header[16]) << 8 | Int(header[17])
  return size > 1 ? size : 65_536
}

/// `open(2)` for a new file; in the store's own scope its name is another function's.
private func createFile(_ path: String, _ mode: mode_t) -> Int32 {
  open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode)
}

extension SQLiteStore {
  /// Opens a store, or makes one where there is no file or an empty one.
  ///
  /// A file that is not this model's store is refused as it was found.
  ///
  /// - Throws: `PersistentStoreError` with the reason.
  static func open(
    _ url: URL, model: ManagedObjectModel, options: PersistentStoreOptions, offset: Int
  ) throws -> SQLiteStore {
    do {
      let path = url.filePath
      try prepareFile(url, path: path, options: options)
      let readOnly =
        options.isReadOnly
        ? try ReadOnlyFile(path: path, busyTimeout: options.busyTimeout).open() : nil
      let connection = try readOnly?.connection ?? writableConnection(path, options)
      let found = try metadata(connection, at: url, orCreate: model, options: options)
      let mismatch = mismatch(of: found.plist, with: model, at: url)
      if let mismatch, !options.ignoresModelVersioning { throw mismatch }
      let contents = try StoreContents(connection)
      if !options.isReadOnly {
        try refuseObstacles(contents, at: url, but: options.ignoredObstacles)
      }
      let identity = PersistentStoreIdentity(identifier: found.uuid)
      let bound = ModelBinding(
        model, store: identity, offset: offset, numbers: try entityNumbers(connection))
      let schema = try SQLSchema(bound, of: contents)
      for table in schema.allTables where !contents.tables.contains(table) {
        throw mismatch ?? PersistentStoreError.corrupt(url, .missingTable(table))
      }
      if let mismatch, try !hasEveryColumn(of: schema, contents) { throw mismatch }
      // Only now is it sure that the store is one to write to.
      if !options.isReadOnly {
        try prepareForWriting(connection)
        if contents.obstacles.contains(.derivedAttributes) {
          try connection.registerDerivationFunctions()
        } else {
          try connection.keepDerivations(schema.derivations)
        }
      }
      let store = SQLiteStore(
        connection: connection, url: url, identity: identity, offset: offset,
        bindings: bound.entities, joins: bound.joins, schema: schema,
        readOnly: options.isReadOnly
          ? ReadOnlyUse(busyTimeout: options.busyTimeout, traces: readOnly?.traces) : nil)
      if options.undoLogLimit > 0 {
        store.undoLog = SQLiteUndoLog(
          connection: connection, limit: options.undoLogLimit, schema: schema)
      }
      return store
    } catch let error as SQLiteError {
      throw PersistentStoreError(error, at: url)
    }
  }

  private static func writableConnection(
    _ path: String, _ options: PersistentStoreOptions
  ) throws -> Connection {
    // Closing a store that is refused must not move another program's log into the file.
    let hasLog = access(path + "-wal", F_OK) == 0
    let connection = try Connection(
      path: path, access: .readWrite, waiting: options.busyTimeout)
    if hasLog { connection.keepLogOnClose() }
    return connection
  }

  // MARK: The file

  /// Makes sure that there is a file, be it an empty one.
  static func prepareFile(_ url: URL, path: String, options: PersistentStoreOptions) throws {
    var info = stat()
    if stat(path, &info) != 0 {
      guard errno == ENOENT, options.createsFile, !options.isReadOnly else {
        throw errno == ENOENT
          ? PersistentStoreError.fileNotFound(url) : PersistentStoreError(errno: errno, at: url)
      }
      // Nobody else's business who walks which dog; SQLite gives its other files the same mode.
      let file = createFile(path, 0o600)
      guard file >= 0 else { throw PersistentStoreError(errno: errno, at: url) }
      close(file)
      return
    }
    guard info.st_mode & S_IFMT == S_IFREG else { throw PersistentStoreError.notAFile(url) }
    // SQLite takes a file that ends within its first page for an empty one, and would write over it.
    if (1..<4096).contains(info.st_size), Int(info.st_size) < pageSize(ofFileAt: path) {
      throw PersistentStoreError.corrupt(url, .notADatabase)
    }
  }

  // MARK: A new store

  /// The metadata of a store, which is made where the file is empty.
  ///
  /// Whether it is empty only SQLite can tell: a process killed while it filled the file has left a
  /// journal, and with that rolled back there is nothing.
  private static func metadata(
    _ connection: Connection, at url: URL, orCreate model: ManagedObjectModel,
    options: PersistentStoreOptions
  ) throws -> StoredMetadata {
    do {
      return try readMetadata(connection, at: url)
    } catch PersistentStoreError.notAStore {
      if options.createsFile, !options.isReadOnly {
        try create(on: connection, model: model)
      } else if try isEmpty(connection) {
        throw PersistentStoreError.fileNotFound(url)
      }
      // Filled by this process or by another one meanwhile, or none of ours after all.
      return try readMetadata(connection, at: url)
    }
  }

  /// Whether nothing is in the file: no page at all, or the bare first page that is left of a store
  /// for which there was no room.
  private static func isEmpty(_ connection: Connection) throws -> Bool {
    guard try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 else { return false }
    guard try connection.integer("PRAGMA page_count") != 0 else { return true }
    return try connection.integer("PRAGMA page_size") == 4096
      && connection.integer("PRAGMA auto_vacuum") == 2
      && connection.integer("PRAGMA user_version") == 0
      && connection.integer("PRAGMA application_id") == 0
  }

  /// Fills an empty file, unless another process was faster; leaves one with tables as it is.
  private static func create(on connection: Connection, model: ManagedObjectModel) throws {
    guard try isEmpty(connection) else { return }
    try connection.execute("PRAGMA page_size = 4096; PRAGMA auto_vacuum = 2")
    // With a log from the start, the tables cost two syncs in place of a dozen; until there is one
    // the file has a single empty page, which needs no journal.
    try? connection.statement("PRAGMA journal_mode = MEMORY").run()
    try? connection.statement("PRAGMA journal_mode = WAL").run()
    try connection.statement("BEGIN EXCLUSIVE").run()
    do {
      if try isEmpty(connection) { try createTables(on: connection, model: model) }
      try connection.statement("COMMIT").run()
      // Into the file itself: copied without its log, it must not look like one never filled.
      connection.checkpoint()
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error
    }
  }

  private static func createTables(on connection: Connection, model: ManagedObjectModel) throws {
    let uuid = UUID().uuidString
    let bound = ModelBinding(model, store: PersistentStoreIdentity(identifier: uuid))
    for statement in try SQLSchema(bound).creation {
      try connection.execute(statement)
    }
    try connection.execute(
      """
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)
      """)
    for binding in bound.entities {
      let parent = bound.entities.first { $0.name == binding.description.superentityName }
      let statement = try connection.statement("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, 0)")
      statement.bind(Int64(binding.number), at: 1)
      statement.bind(binding.name, at: 2)
      statement.bind(Int64(parent?.number ?? 0), at: 3)
      try statement.run()
    }
    let statement = try connection.statement("INSERT INTO Z_METADATA VALUES (1, ?, ?)")
    statement.bind(uuid, at: 1)
    statement.bind(PropertyList.dictionary(initialMetadata(model)).binary, at: 2)
    try statement.run()
  }

  /// What Core Data of iOS 17 writes for a model.
  private static func initialMetadata(_ model: ManagedObjectModel) -> [String: PropertyList] {
    [
      "NSStoreType": .string(StoreType.sqlite.rawValue),
      "NSPersistenceFrameworkVersion": .integer(1333),
      "NSStoreModelVersionHashes": .dictionary(
        model.entityVersionHashesByName.mapValues { .data(Data($0.bytes)) }),
      "NSStoreModelVersionHashesVersion": .integer(3),
      "NSStoreModelVersionHashesDigest": .string(model.versionHashesDigest),
      "NSStoreModelVersionChecksumKey": .string(model.versionChecksum),
      "NSStoreModelVersionIdentifiers": .array(model.versionIdentifiers.map { .string($0) }),
      "_NSAutoVacuumLevel": .string("2"),
    ]
  }

  // MARK: Any store

  /// Refuses a store that has what this library would break, unless the caller insists.
  private static func refuseObstacles(
    _ contents: StoreContents, at url: URL, but ignored: Set<PersistentStoreError.WriteObstacle>
  ) throws {
    for obstacle in contents.obstacles where !ignored.contains(obstacle) {
      throw PersistentStoreError.cannotWrite(url, obstacle)
    }
  }

  private static func prepareForWriting(_ connection: Connection) throws {
    connection.keepLogOnClose()
    // Where others hold the store right now it keeps its journal, and a later opening changes it.
    if !connection.expectsLog { try? connection.statement("PRAGMA journal_mode = WAL").run() }
    try connection.execute("PRAGMA synchronous = FULL")
    #if canImport(Darwin)
      try connection.execute("PRAGMA fullfsync = 1")
    #endif
    connection.countPagesInLog()
  }

  static func entityNumbers(_ connection: Connection) throws -> [String: Int] {
    var numbers: [String: Int] = [:]
    let statement = try connection.statement("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY")
    defer { statement.reset() }
    while try statement.step() {
      let number = statement.integer(at: 1)
      // What no store has is counted anew.
      if let name = statement.string(at: 0), number > 0 { numbers[name] = Int(number) }
    }
    return numbers
  }
}

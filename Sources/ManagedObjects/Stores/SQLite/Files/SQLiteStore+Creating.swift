import DataFormats
import DataModel
import SystemLibraries

/// Stores that are not there yet.
extension SQLiteStore {
  /// Makes a store where there is no file; it appears there whole, or not at all.
  ///
  /// Where others were faster, theirs is left; where the disk cannot tell that they were, an empty
  /// file is made in its place.
  ///
  /// - Parameter pageSize: how many bytes a page has; nil for what Core Data's have.
  static func make(
    at url: URL, path: String, model: ManagedObjectModel, pageSize: Int? = nil
  ) throws {
    let file = try NewFile(at: path, for: url)
    try fillDraft(file.draft, model: model, pageSize)
    switch try file.finish() {
    case .inPlace, .takenByOthers: return
    case .impossible: try NewFile.makeEmpty(at: path, for: url)
    }
  }

  /// Refuses a name that SQLite keeps for what belongs to a file that is there.
  static func refuseReservedName(_ path: String, of url: URL) throws {
    for suffix in ["-wal", "-shm", "-journal"] where path.hasSuffix(suffix) {
      if FileIdentity(String(path.dropLast(suffix.count))) != nil {
        throw PersistentStoreError.reservedName(url)
      }
    }
  }

  /// Fills a file that nobody else knows of, and closes it; it is synced when it is finished.
  private static func fillDraft(
    _ path: String, model: ManagedObjectModel, _ pageSize: Int?
  ) throws {
    let connection = try Connection(path: path, access: .readWrite, waiting: 0)
    try connection.execute(
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
    try fill(connection, model: model, pageSize)
  }

  /// Fills an empty file in its place, unless another process was faster; leaves one with tables as
  /// it is.
  ///
  /// A journal takes the file back to what it was should power fail.
  static func fillEmptyFile(
    _ connection: Connection, model: ManagedObjectModel, pageSize: Int? = nil
  ) throws {
    guard try isEmpty(connection) else { return }
    // The folder is synced too, or the journal could come back.
    try connection.execute("PRAGMA synchronous = EXTRA")
    try fill(connection, model: model, pageSize)
  }

  private static func fill(
    _ connection: Connection, model: ManagedObjectModel, _ pageSize: Int?
  ) throws {
    try connection.execute("PRAGMA page_size = \(pageSize ?? 4096); BEGIN")
    do {
      // Begins to write: by itself it would be a transaction of its own, and leave a bare first
      // page.
      try connection.execute("PRAGMA auto_vacuum = 2")
      if try isEmpty(connection) {
        try createTables(on: connection, model: model)
        try connection.statement("COMMIT").run()
      } else {
        try connection.execute("ROLLBACK")
      }
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error
    }
    // Where others hold the store right now it keeps its journal, and a later opening changes it.
    try? connection.statement("PRAGMA journal_mode = WAL").run()
  }

  /// Whether nothing is in the file: no page at all, or the bare first page of a store that was to
  /// be filled.
  static func isEmpty(_ connection: Connection) throws -> Bool {
    guard try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 else { return false }
    guard try connection.integer("PRAGMA page_count") != 0 else { return true }
    return try connection.integer("PRAGMA auto_vacuum") == 2
      && connection.integer("PRAGMA user_version") == 0
      && connection.integer("PRAGMA application_id") == 0
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
    let metadata: [String: PropertyList] = [
      "NSStoreType": .string(StoreType.sqlite.rawValue), StoredMetadata.vacuumKey: .string("2"),
    ]
    statement.bind(
      PropertyList.dictionary(metadata.merging(StoredMetadata.modelMetadata(model)) { $1 }).binary,
      at: 2)
    try statement.run()
    let cache = try connection.statement("INSERT INTO Z_MODELCACHE VALUES (?)")
    cache.bind(model.modelCache, at: 1)
    try cache.run()
  }
}

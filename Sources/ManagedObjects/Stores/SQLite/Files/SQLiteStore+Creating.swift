import DataFormats
import DataModel
import SystemLibraries

/// Creating stores.
extension SQLiteStore {
  /// Creates a store that does not exist; its file appears complete or not at all.
  ///
  /// If another process has created one in the meantime, that is left; if the file system cannot
  /// detect that, an empty file is created under the name.
  ///
  /// - Parameter pageSize: the page size in bytes; nil for Core Data's.
  static func make(
    at url: URL, path: String, model: ManagedObjectModel, pageSize: Int? = nil
  ) throws {
    let file = try NewFile(at: path, for: url, isMarked: true)
    try fillDraft(file.draft, model: model, pageSize)
    switch try file.finish() {
    case .inPlace, .takenByOthers: return
    case .impossible: try NewFile.makeEmpty(at: path, for: url)
    }
  }

  /// Refuses a name that SQLite uses for a file belonging to an existing one.
  static func refuseReservedName(_ path: String, of url: URL) throws {
    for suffix in ["-wal", "-shm", "-journal"] where path.hasSuffix(suffix) {
      if FileIdentity(String(path.dropLast(suffix.count))) != nil {
        throw PersistentStoreError.reservedName(url)
      }
    }
  }

  /// Fills a file unknown to other processes and closes it; it is synced when it is finished.
  private static func fillDraft(
    _ path: String, model: ManagedObjectModel, _ pageSize: Int?
  ) throws {
    let connection = try Connection(path: path, access: .readWrite, waiting: 0)
    try connection.execute(
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
    try fill(connection, model: model, pageSize)
  }

  /// Fills an empty file in place, unless another process has done so; a file with tables is left
  /// unchanged.
  ///
  /// If power fails, the journal restores the empty file.
  static func fillEmptyFile(
    _ connection: Connection, model: ManagedObjectModel, pageSize: Int? = nil
  ) throws {
    guard try isEmpty(connection) else { return }
    // The folder is synced too, or a deleted journal could reappear.
    try connection.execute("PRAGMA synchronous = EXTRA")
    try fill(connection, model: model, pageSize)
  }

  private static func fill(
    _ connection: Connection, model: ManagedObjectModel, _ pageSize: Int?
  ) throws {
    try connection.execute("PRAGMA page_size = \(pageSize ?? 4096); BEGIN")
    do {
      // Starts writing: outside the transaction it would be one of its own and leave a bare first
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
    // While other connections use the store it keeps its journal mode; a later opening changes it.
    try? connection.statement("PRAGMA journal_mode = WAL").run()
  }

  /// Whether the file contains nothing: no page at all, or only the bare first page of a store that
  /// was never filled.
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

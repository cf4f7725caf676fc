import DataModel
import SystemLibraries

/// What stands in a store's Z_METADATA.
struct StoredMetadata {
  let uuid: String
  var plist: [String: PropertyList]

  /// Everything, the UUID among it, as a program sees it.
  var all: [String: PropertyList] {
    plist.merging([Self.uuidKey: .string(uuid)]) { _, uuid in uuid }
  }

  static let uuidKey = "NSStoreUUID"
  static let vacuumKey = "_NSAutoVacuumLevel"
  /// The columns that a migration left in their tables, by table; see
  /// ``PersistentStoreOptions/defersMigration``.
  static let deferredKey = "MODeferredColumns"

  /// Whether a key tells of the file, and not of what is in it.
  static func describesFile(_ key: String) -> Bool {
    key == uuidKey || key == vacuumKey || key == deferredKey
  }

  /// Takes over an application's keys; those that describe the store stay as they are.
  ///
  /// So no program can take a store's version hashes away, or those keys of Core Data that this
  /// library does not know.
  static func replaceOwnKeys(
    of plist: inout [String: PropertyList], with metadata: [String: PropertyList]
  ) {
    plist = plist.filter { isCoreDatas($0.key) }
    for (key, value) in metadata where !isCoreDatas(key) { plist[key] = value }
  }

  /// Whether a key describes the store itself.
  static func isCoreDatas(_ key: String) -> Bool {
    key == deferredKey || ["NSStore", "NSPersistence", "_NS"].contains { key.hasPrefix($0) }
  }
}

extension SQLiteStore {
  /// Reads the metadata of any store, whatever its model.
  static func metadata(at url: URL) throws -> [String: PropertyList] {
    var options = PersistentStoreOptions()
    options.isReadOnly = true
    do {
      let path = url.filePath.behindLinks
      try prepareFile(url, path: path, model: nil, options: options)
      let file = ReadOnlyFile(url: url, path: path, busyTimeout: options.busyTimeout)
      return try readMetadata(file.open().connection, at: url).all
    } catch let error as SQLiteError {
      throw PersistentStoreError(error, at: url)
    }
  }

  /// Writes the metadata of any store, whatever its model.
  static func setMetadata(_ metadata: [String: PropertyList], at url: URL) throws {
    var options = PersistentStoreOptions()
    options.createsFile = false
    do {
      let path = url.filePath.behindLinks
      try prepareFile(url, path: path, model: nil, options: options)
      let connection = try Connection(path: path, access: .readWrite, waiting: options.busyTimeout)
      _ = try readMetadata(connection, at: url)
      try connection.execute("PRAGMA synchronous = EXTRA")
      try connection.transaction {
        try changeMetadata(connection, at: url, nil) {
          StoredMetadata.replaceOwnKeys(of: &$0, with: metadata)
        }
      }
    } catch let error as SQLiteError {
      throw PersistentStoreError(error, at: url)
    }
  }

  // MARK: One connection

  static func readMetadata(_ connection: Connection, at url: URL) throws -> StoredMetadata {
    let statement: Statement
    do {
      statement = try connection.statement("SELECT Z_UUID, Z_PLIST FROM Z_METADATA")
    } catch {
      guard error.isMissingTable else { throw error }
      // No such table or column: SQLite reads the file, but it is none of ours.
      throw PersistentStoreError.notAStore(url)
    }
    defer { statement.reset() }
    // The column is VARCHAR(255); a longer text would stand in the URI of every object.
    guard try statement.step(), let uuid = statement.string(at: 0), uuid.utf8.count <= 255,
      let bytes = statement.blob(at: 1),
      case .dictionary(let plist)? = try? PropertyList(binary: bytes)
    else { throw PersistentStoreError.notAStore(url) }
    return StoredMetadata(uuid: uuid, plist: plist)
  }

  /// Changes the property list, inside the caller's transaction.
  ///
  /// - Parameter recorder: hears of every key that changes.
  static func changeMetadata(
    _ connection: Connection, at url: URL, _ recorder: UndoRecorder?,
    _ change: (inout [String: PropertyList]) throws -> Void
  ) throws {
    var stored = try readMetadata(connection, at: url)
    let before = recorder == nil ? [:] : stored.plist
    try change(&stored.plist)
    if let recorder {
      for key in Set(before.keys).union(stored.plist.keys) where before[key] != stored.plist[key] {
        recorder.changedMetadata(
          key, old: before[key]?.binary ?? [], new: stored.plist[key]?.binary ?? [])
      }
    }
    let statement = try connection.statement("UPDATE Z_METADATA SET Z_PLIST = ?")
    statement.bind(PropertyList.dictionary(stored.plist).binary, at: 1)
    try statement.run()
  }
}

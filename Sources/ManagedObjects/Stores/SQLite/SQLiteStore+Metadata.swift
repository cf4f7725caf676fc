import DataModel
import SystemLibraries

extension SQLiteStore {
  /// Reads the metadata of a store of any model.
  static func metadata(at url: URL) throws -> [String: PropertyList] {
    var options = PersistentStoreOptions()
    options.isReadOnly = true
    do {
      let path = url.filePath.resolvingFinalSymlink
      try prepareFile(url, path: path, model: nil, options: options)
      let file = ReadOnlyFile(url: url, path: path, busyTimeout: options.busyTimeout)
      return try readMetadata(file.open().connection, at: url).all
    } catch let error as SQLiteError {
      throw PersistentStoreError(error, at: url)
    }
  }

  /// Writes the metadata of a store of any model.
  static func setMetadata(_ metadata: [String: PropertyList], at url: URL) throws {
    var options = PersistentStoreOptions()
    options.createsFile = false
    do {
      let path = url.filePath.resolvingFinalSymlink
      try prepareFile(url, path: path, model: nil, options: options)
      let connection = try connectForWriting(to: path, of: url, options: options)
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
      // The table or a column is missing: a SQLite database, but not a Core Data store.
      throw PersistentStoreError.notAStore(url)
    }
    defer { statement.reset() }
    // The column is VARCHAR(255); a longer text would be part of every object's URI.
    guard try statement.step(), let uuid = statement.string(at: 0), uuid.utf8.count <= 255,
      let bytes = statement.blob(at: 1),
      case .dictionary(let plist)? = try? PropertyList(binary: bytes)
    else { throw PersistentStoreError.notAStore(url) }
    return StoredMetadata(uuid: uuid, plist: plist)
  }

  /// Changes the property list in the caller's transaction.
  ///
  /// - Parameter recorder: records every changed key.
  static func changeMetadata(
    _ connection: Connection, at url: URL, _ recorder: UndoRecorder?,
    _ change: (inout [String: PropertyList]) throws -> Void
  ) throws {
    var stored = try readMetadata(connection, at: url)
    let before = recorder == nil ? [:] : stored.plist
    try change(&stored.plist)
    recorder?.changedMetadata(from: before, to: stored.plist)
    let statement = try connection.statement("UPDATE Z_METADATA SET Z_PLIST = ?")
    statement.bind(PropertyList.dictionary(stored.plist).binary, at: 1)
    try statement.run()
  }
}

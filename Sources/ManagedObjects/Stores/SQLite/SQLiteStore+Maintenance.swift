import DataModel
import SystemLibraries

/// Checking and copying a store.
extension SQLiteStore {
  /// The problems of the store on a connection, found in one read transaction.
  static func problems(
    _ connection: Connection, model: ManagedObjectModel, at url: URL
  ) throws -> [StoreProblem] {
    let begins = !connection.isInTransaction
    if begins { try connection.execute("BEGIN") }
    // Nothing was written; a failed read may have ended it already.
    defer { if begins, connection.isInTransaction { try? connection.execute("COMMIT") } }
    var check = try SQLiteCheck(connection, model: model, at: url)
    try check.run()
    return check.problems
  }

  /// The problems of a store that is not open.
  static func problems(at url: URL, model: ManagedObjectModel) throws -> [StoreProblem] {
    var options = PersistentStoreOptions()
    options.isReadOnly = true
    do {
      let path = url.filePath.resolvingFinalSymlink
      try prepareFile(url, path: path, model: nil, options: options)
      let file = ReadOnlyFile(url: url, path: path, busyTimeout: options.busyTimeout)
      let connection = try file.open().connection
      do {
        return try problems(connection, model: model, at: url)
      } catch PersistentStoreError.notAStore {
        throw try isEmpty(connection)
          ? PersistentStoreError.fileNotFound(url) : PersistentStoreError.notAStore(url)
      }
    } catch let error as SQLiteError {
      throw PersistentStoreError(error, at: url)
    }
  }

  // MARK: Copies

  /// Copies the store and its external files.
  func copy(to url: URL, withoutUndoLog: Bool) throws {
    var info = stat()
    let path = url.filePath
    if lstat(path, &info) == 0 { throw PersistentStoreError(errno: EEXIST, at: url) }
    try Self.refuseReservedName(path, of: url)
    try mappingErrors { try followChanges() }
    // If another connection drops values meanwhile, their files may be missing; then everything is
    // copied again.
    for _ in 0..<10 {
      let copy = try NewFile(at: path, for: url, isMarked: !Platform.flockConflictsWithSQLite)
      do {
        try connection.copy(into: copy.draft)
        if withoutUndoLog { try Self.removeUndoLog(ofStoreAt: copy.draft) }
      } catch let error as SQLiteError {
        throw PersistentStoreError(error, at: error.isCorrupt ? fileURL : url)
      }
      if try copyFiles(beside: copy, to: ExternalDataFiles(of: url)) { return }
    }
    throw PersistentStoreError.busy(fileURL)
  }

  /// Removes the undo log and the kept values, which may reveal deleted objects, from a copy that
  /// no other connection has open, and overwrites their bytes.
  private static func removeUndoLog(ofStoreAt path: String) throws {
    let connection = try Connection(path: path, access: .readWrite, waiting: 0)
    let tables = try StoreContents(connection).tables
    for table in [SQLUndoLog.table, SQLUndoLog.versions, KeptValues.table]
    where tables.contains(table) {
      try connection.execute("DROP TABLE \(table)")
    }
    try connection.rewrite()
  }

  /// Copies the files that a copy refers to, checks the copy and gives it its name.
  ///
  /// - Returns: false if a file was removed since the copy was made.
  private func copyFiles(beside copy: NewFile, to others: ExternalDataFiles) throws -> Bool {
    var copied: [String] = []
    do {
      let names = try fileNames(in: copy.draft)
      if !names.isEmpty {
        let taken = try others.namesOfNeighbours(besides: copy.draft)
        // Apple's framework would remove a file that the other store still needs; this library
        // would never remove it.
        guard taken.isDisjoint(with: names) else {
          throw PersistentStoreError.unsupportedOperation(
            type,
            "share a file of a large value: beside \(copy.url.path) is a store whose name "
              + "differs only in its extension")
        }
      }
      for name in names where !others.has(name) {
        guard files.has(name) else {
          if try fileNames(in: connection).contains(name) {
            throw PersistentStoreError.missingExternalData(files.folder.appending(path: name))
          }
          for name in copied { others.remove(name) }
          return false
        }
        try files.copy(name, to: others)
        copied.append(name)
      }
      if let fault = try mappingErrors({ try Connection(readingCopy: copy.draft).problems().first })
      {
        throw PersistentStoreError.corrupt(fileURL, .damaged(fault))
      }
      guard case .inPlace = try copy.finish(mayReserve: true) else {
        throw PersistentStoreError(errno: EEXIST, at: copy.url)
      }
      return true
    } catch {
      // After an uncertain error the copy has its name, and needs its files.
      if case .uncertain? = error as? PersistentStoreError { throw error }
      for name in copied { others.remove(name) }
      throw error
    }
  }

  private func fileNames(in path: String) throws -> Set<String> {
    try mappingErrors { try fileNames(in: Connection(readingCopy: path)) }
  }

  /// The names of all external files that columns refer to.
  func fileNames(in connection: Connection) throws -> Set<String> {
    var names: Set<String> = []
    for entity in bindings {
      for slot in entity.externalSlots {
        let statement = try connection.statement(
          "SELECT \(column(slot, of: entity)) FROM \(table(entity))")
        defer { statement.reset() }
        while try statement.step() {
          guard let stored = statement.blob(at: 0) else { continue }
          if let name = ExternalDataFiles.fileName(in: stored) { names.insert(name) }
        }
      }
    }
    return names
  }
}

extension Connection {
  /// Opens a copy that no other connection has open.
  fileprivate convenience init(readingCopy path: String) throws(SQLiteError) {
    try self.init(path: path, access: .readOnly, waiting: 0)
  }
}

import SystemLibraries

extension SQLiteStore {
  /// Empties a store's file, and removes its external files unless a reader may still need them.
  ///
  /// - Throws: `PersistentStoreError`, `SQLiteError`; then the store is unchanged, except that
  ///   external files could not be removed.
  static func destroy(at url: URL, options: PersistentStoreOptions) throws {
    let path = url.filePath.resolvingFinalSymlink
    if options.forcesDestroy { return try removeFiles(at: path, of: url) }
    var info = stat()
    let exists = stat(path, &info) == 0
    guard exists || errno == ENOENT else { throw PersistentStoreError(errno: errno, at: url) }
    if !exists || info.st_size == 0 { return try refuseStrayLog(at: path, of: url) }
    guard info.st_mode & S_IFMT == S_IFREG else { throw PersistentStoreError.notAFile(url) }
    try refuseForeignLog(at: path, of: url)
    let connection = try connectForWriting(to: path, of: url, options: options)
    // Another program's database must not be emptied.
    if try !isEmpty(connection) { _ = try readMetadata(connection, at: url) }
    try connection.syncCommits()
    let names = try ExternalDataFiles.names(in: connection)
    try connection.empty()
    // See `DroppedFiles`. They are not removed later: then there are too many files, never too few.
    guard case .complete = connection.checkpoint() else { return }
    ExternalDataFiles(of: url).remove(names)
  }

  /// Removes a store's file and all files that belong to it, whatever it contains.
  ///
  /// External files that a damaged store does not name are kept: they may belong to another store.
  static func removeFiles(at path: String, of url: URL) throws {
    let names = namesOfFiles(at: path, of: url)
    try removeFile(at: path, of: url)
    ExternalDataFiles(of: url).remove(names)
  }

  /// The names of the external files that a store refers to; none if it cannot be read.
  static func namesOfFiles(at path: String, of url: URL) -> Set<String> {
    let connection = try? ReadOnlyFile(url: url, path: path, busyTimeout: 0).open().connection
    return connection.flatMap { try? ExternalDataFiles.names(in: $0) } ?? []
  }

  /// Removes a store's file with its log and journal.
  static func removeFile(at path: String, of url: URL) throws {
    // The file goes last: a log without it would look as if its file had been lost.
    for suffix in ["-wal", "-shm", "-journal", ""] where unlink(path + suffix) != 0 {
      guard errno == ENOENT else { throw PersistentStoreError(errno: errno, at: url) }
    }
    try NewFile.syncFolder(of: path, for: url)
  }
}

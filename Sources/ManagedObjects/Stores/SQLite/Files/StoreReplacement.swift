import DataFormats
import SystemLibraries

/// Replacing a store's file with a copy of another's, whatever their models.
struct StoreReplacement {
  /// The store to replace.
  let url: URL
  let options: PersistentStoreOptions
  /// The store to copy.
  let source: URL
  let sourceOptions: PersistentStoreOptions

  private var path: String { url.filePath.resolvingFinalSymlink }
  private var files: ExternalDataFiles { ExternalDataFiles(of: url) }

  /// - Throws: `PersistentStoreError`, `SQLiteError`. Then the old store is unchanged, unless the
  ///   last step failed: copying external files again that another process removed before the
  ///   replacement.
  func run() throws {
    if let old = FileIdentity(path), old == FileIdentity(source.filePath) { return }
    // If values drop their files while these are copied, everything is copied again.
    for _ in 0..<10 {
      let copy = try NewFile(at: path, for: url)
      var copied: [String] = []
      let taken: Set<String>
      let old: Set<String>
      do {
        guard let names = try take(into: copy.draft, &copied) else {
          for name in copied { files.remove(name) }
          continue
        }
        taken = names
        old = try put(copy)
      } catch {
        // The commit may have succeeded: a leftover file does no harm.
        if (error as? SQLiteError)?.isUncertain != true {
          for name in copied { files.remove(name) }
        }
        throw error
      }
      // Before the old store was replaced, another process may have removed files that were not
      // copied because they already existed.
      for name in taken where !files.has(name) {
        try ExternalDataFiles(of: source).copy(name, to: files)
      }
      return files.remove(old.subtracting(taken))
    }
    throw PersistentStoreError.busy(source)
  }

  /// Copies the source and its external files.
  ///
  /// - Parameter copied: receives the names of those that did not exist yet.
  /// - Returns: the names of all files that the copy refers to; nil if one was removed in the
  ///   meantime.
  private func take(into draft: String, _ copied: inout [String]) throws -> Set<String>? {
    try PersistentStoreError.mapping(at: source) {
      let path = source.filePath.resolvingFinalSymlink
      var reading = sourceOptions
      reading.isReadOnly = true
      try SQLiteStore.prepareFile(source, path: path, model: nil, options: reading)
      let opened = try ReadOnlyFile(
        url: source, path: path, busyTimeout: sourceOptions.busyTimeout,
        debug: sourceOptions.sqlDebug
      ).open()
      _ = try SQLiteStore.readMetadata(opened.connection, at: source)
      let state = try opened.connection.dataVersion()
      do {
        try opened.connection.copy(into: draft)
      } catch let error as SQLiteError {
        throw PersistentStoreError(error, at: error.isCorrupt ? source : url)
      }
      // As long as nothing was saved, the files that the copy refers to exist.
      func isUnchanged() throws -> Bool {
        if let traces = opened.traces { return FileSignature(of: path) == traces }
        return try opened.connection.dataVersion() == state
      }
      let names = try ExternalDataFiles.names(
        in: Connection(path: draft, access: .readOnly, waiting: 0))
      // Files are never modified: one with the same name has the same contents.
      for name in names.sorted() where !files.has(name) {
        do {
          try ExternalDataFiles(of: source).copy(name, to: files)
        } catch PersistentStoreError.missingExternalData(let file) {
          if try isUnchanged() { throw PersistentStoreError.missingExternalData(file) }
          return nil
        }
        copied.append(name)
      }
      return names
    }
  }

  /// Puts the copy in the place of the old store.
  ///
  /// - Returns: the names of the files that the old store referred to.
  private func put(_ copy: NewFile) throws -> Set<String> {
    var old: Set<String> = []
    if options.forcesDestroy {
      old = SQLiteStore.namesOfFiles(at: path, of: url)
      try SQLiteStore.removeFile(at: path, of: url)
    } else if FileIdentity(path) != nil {
      return try overwrite(with: copy.draft)
    } else {
      try SQLiteStore.refuseStrayLog(at: path, of: url)
      try SQLiteStore.refuseReservedName(path, of: url)
    }
    guard case .inPlace = try copy.finish(mayReserve: true) else {
      throw PersistentStoreError.busy(url)
    }
    return old
  }

  /// Opens the copy and gives it a new `replacementKey`.
  ///
  /// By it programs that have the old store open recognise the replacement, even by a backup of the
  /// same store.
  private func markedDraft(_ draft: String) throws -> Connection {
    let connection = try Connection(path: draft, access: .readWrite, waiting: 0)
    // A draft need not survive a power failure.
    try connection.execute("PRAGMA synchronous = OFF")
    try connection.transaction {
      try SQLiteStore.changeMetadata(connection, at: url, nil) {
        $0[StoredMetadata.replacementKey] = .string(UUID().uuidString)
      }
    }
    return connection
  }

  /// Writes the copy over the old store, in one transaction.
  ///
  /// - Returns: the names of the files that it referred to; none if a reader may still need them.
  private func overwrite(with draft: String) throws -> Set<String> {
    var info = stat()
    guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
      throw PersistentStoreError.notAFile(url)
    }
    if info.st_size == 0 { try SQLiteStore.refuseStrayLog(at: path, of: url) }
    try SQLiteStore.refuseForeignLog(at: path, of: url)
    let connection = try SQLiteStore.connectForWriting(to: path, of: url, options: options)
    // Another program's database must not be overwritten.
    if try !SQLiteStore.isEmpty(connection) {
      _ = try SQLiteStore.readMetadata(connection, at: url)
    }
    try connection.syncCommits()
    // What other processes save before the replacement may leave a file too many.
    let old = try ExternalDataFiles.names(in: connection)
    try connection.replaceContents(with: markedDraft(draft))
    // See `DroppedFiles`.
    guard case .complete = connection.checkpoint() else { return [] }
    return old
  }
}

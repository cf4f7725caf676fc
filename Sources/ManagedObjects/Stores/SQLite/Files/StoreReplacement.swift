import DataFormats
import SystemLibraries

/// One store's file put in the place of another's, whatever their models.
struct StoreReplacement {
  /// The store that is replaced.
  let url: URL
  let options: PersistentStoreOptions
  /// The store that is copied.
  let source: URL
  let sourceOptions: PersistentStoreOptions

  private var path: String { url.filePath.behindLinks }
  private var files: ExternalDataFiles { ExternalDataFiles(of: url) }

  /// - Throws: `PersistentStoreError`, `SQLiteError`. The old store is unchanged then, unless the
  ///   last step failed: copying external files again that others removed before the replacement.
  func run() throws {
    if let old = FileIdentity(path), old == FileIdentity(source.filePath) { return }
    // Where values drop their files while these are copied, everything is copied anew.
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
        // Whether it was committed is not known: a file too many does no harm.
        if (error as? SQLiteError)?.isUncertain != true {
          for name in copied { files.remove(name) }
        }
        throw error
      }
      // Until the old store was replaced, others may have removed files that were not copied
      // because they existed.
      for name in taken where !files.has(name) {
        try ExternalDataFiles(of: source).copy(name, to: files)
      }
      return files.remove(old.subtracting(taken))
    }
    throw PersistentStoreError.busy(source)
  }

  /// Copies the source, and the files of its large values.
  ///
  /// - Parameter copied: the names of those that were not there yet.
  /// - Returns: the names of all that the copy leads to; nil where one of them has gone meanwhile.
  private func take(into draft: String, _ copied: inout [String]) throws -> Set<String>? {
    try PersistentStoreError.mapping(at: source) {
      let path = source.filePath.behindLinks
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
      // As long as nobody has saved, what the copy leads to is there.
      func isUnchanged() throws -> Bool {
        if let traces = opened.traces { return FileTraces(of: path) == traces }
        return try opened.connection.dataVersion() == state
      }
      let names = try ExternalDataFiles.names(
        in: Connection(path: draft, access: .readOnly, waiting: 0))
      // A file never changes: what is there under that name is it.
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

  /// Puts the copy where the old store is.
  ///
  /// - Returns: the names of the files that the old store led to.
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

  /// Opens the copy, and gives it a new `replacementKey`: programs that have the old store open
  /// recognise the replacement, even by its own backup.
  private func markedDraft(_ draft: String) throws -> Connection {
    let connection = try Connection(path: draft, access: .readWrite, waiting: 0)
    // A draft need not survive a power loss.
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
  /// - Returns: the names of the files that it led to; none where somebody still reads it.
  private func overwrite(with draft: String) throws -> Set<String> {
    var info = stat()
    guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
      throw PersistentStoreError.notAFile(url)
    }
    if info.st_size == 0 { try SQLiteStore.refuseStrayLog(at: path, of: url) }
    try SQLiteStore.refuseForeignLog(at: path, of: url)
    let connection = try SQLiteStore.connectForWriting(to: path, of: url, options: options)
    // Another program's database is none of ours to write over.
    if try !SQLiteStore.isEmpty(connection) {
      _ = try SQLiteStore.readMetadata(connection, at: url)
    }
    try connection.syncCommits()
    // What others save until it is replaced may leave a file too many.
    let old = try ExternalDataFiles.names(in: connection)
    try connection.replaceContents(with: markedDraft(draft))
    // See `DroppedFiles`.
    guard case .complete = connection.checkpoint() else { return [] }
    return old
  }
}

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

  /// - Throws: `PersistentStoreError`, `SQLiteError`; the old store is as it was then.
  func run() throws {
    if let old = FileIdentity(path), old == FileIdentity(source.filePath) { return }
    // Where values drop their files while these are copied, everything is copied anew.
    for _ in 0..<10 {
      let copy = try NewFile(at: path, for: url)
      var copied: [String] = []
      do {
        guard try take(into: copy.draft, &copied) else {
          for name in copied { files.remove(name) }
          continue
        }
        let old = files.names()
        try put(copy)
        for name in old where !copied.contains(name) { files.remove(name) }
        return
      } catch {
        // Whether it was committed is not known: a file too many does no harm.
        if (error as? SQLiteError)?.isUncertain != true {
          for name in copied { files.remove(name) }
        }
        throw error
      }
    }
    throw PersistentStoreError.busy(source)
  }

  /// Copies the source, and the files of its large values.
  ///
  /// - Parameter copied: the names of those that were not there yet.
  /// - Returns: false where somebody has saved meanwhile, so that they may not belong together.
  private func take(into draft: String, _ copied: inout [String]) throws -> Bool {
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
      let others = ExternalDataFiles(of: source)
      let there = Set(files.names())
      for name in others.names() where !there.contains(name) {
        do {
          try others.copy(name, to: files)
        } catch PersistentStoreError.missingExternalData { return false }
        copied.append(name)
      }
      if copied.isEmpty { return true }
      if let traces = opened.traces { return FileTraces(of: path) == traces }
      return try opened.connection.dataVersion() == state
    }
  }

  /// Puts the copy where the old store is.
  private func put(_ copy: NewFile) throws {
    if options.forcesDestroy {
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
  }

  /// Writes the copy over the old store, in one transaction.
  private func overwrite(with draft: String) throws {
    var info = stat()
    guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
      throw PersistentStoreError.notAFile(url)
    }
    if info.st_size == 0 { try SQLiteStore.refuseStrayLog(at: path, of: url) }
    try SQLiteStore.refuseForeignLog(at: path, of: url)
    let connection = try Connection(
      path: path, access: .readWrite, waiting: options.busyTimeout, debug: options.sqlDebug)
    guard !connection.isReadOnly else { throw PersistentStoreError.noPermission(url) }
    // Another program's database is none of ours to write over.
    if try !SQLiteStore.isEmpty(connection) {
      _ = try SQLiteStore.readMetadata(connection, at: url)
    }
    try connection.syncCommits()
    try connection.replaceContents(
      with: Connection(path: draft, access: .readOnly, waiting: 0))
  }
}

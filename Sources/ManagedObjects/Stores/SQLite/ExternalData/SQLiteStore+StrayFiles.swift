import SystemLibraries

/// Files of large values to which nothing in the store leads.
///
/// Whoever is killed within a save leaves those that it has written, and whoever is killed with
/// readers about those that it was to remove (`DroppedFiles`). Such a file looks like one whose row
/// is yet to come: of another framework's save, or of a store that is about to be put in this one's
/// place. So only those count that are a day old.
extension SQLiteStore {
  /// The files beside the store, a day old or older, to which it does not lead.
  func strayFiles() throws -> [URL] {
    try mappingErrors {
      try followChanges()
      return try files.strayNames(in: connection).map { files.folder.appending(path: $0) }
    }
  }

  /// Removes the files beside the store, a day old or older, to which it does not lead; gives those
  /// that went.
  ///
  /// - Throws: `PersistentStoreError.busy` where somebody reads an older state, which may lead to
  ///   them, or others keep writing.
  func removeStrayFiles() throws -> [URL] {
    try refuseIfReadOnly()
    return try mappingErrors {
      try followChanges()
      guard !connection.isInTransaction else { throw PersistentStoreError.busy(fileURL) }
      for _ in 0..<10 {
        let state = try connection.dataVersion()
        let names = try files.strayNames(in: connection)
        guard !names.isEmpty else { return [] }
        // What is read from here on is of this state, or later.
        switch connection.checkpoint() {
        case .complete: break
        case .heldBack: throw PersistentStoreError.busy(fileURL)
        case .failed(let error): throw error
        }
        // While nobody writes, nor has written since.
        let isDone = try connection.transaction {
          guard try connection.dataVersion() == state else { return false }
          for name in names { files.remove(name) }
          return true
        }
        if isDone {
          return names.filter { !files.has($0) }.map { files.folder.appending(path: $0) }
        }
      }
      throw PersistentStoreError.busy(fileURL)
    }
  }
}

extension ExternalDataFiles {
  /// The names of the files, in their order; none where another store may lead to them.
  func strayNames(in connection: Connection) throws -> [String] {
    // Were it a store, files here could be its own. Where a link leads, another store may have been
    // before, which left its files here.
    guard !areBehindLink, neighbours?.isEmpty == true else { return [] }
    let old = names(before: time(nil) - 24 * 60 * 60)
    guard !old.isEmpty else { return [] }
    // All columns are read of one state.
    let begins = !connection.isInTransaction
    if begins { try connection.execute("BEGIN") }
    // Nothing was written; a read that failed may have ended it already.
    defer { if begins, connection.isInTransaction { try? connection.execute("COMMIT") } }
    let needed = try Self.names(in: connection, ofAnyType: true)
    // Some disks don't tell capitals apart.
    let capitals = Set(needed.map { $0.uppercased() })
    return old.filter { !capitals.contains($0.uppercased()) }.sorted()
  }

  /// The names of the files that were written before a time, in seconds since 1970; others' files
  /// are left out.
  private func names(before time: time_t) -> Set<String> {
    let folder = folder.filePath
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return Set(
      names.filter { name in
        var info = stat()
        return UUID(uuidString: name) != nil && lstat("\(folder)/\(name)", &info) == 0
          && info.st_mode & S_IFMT == S_IFREG && info.modificationTime.tv_sec < time
      })
  }
}

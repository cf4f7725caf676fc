import SystemLibraries

/// Stray files: external files that nothing in the store refers to.
///
/// A process killed during a save leaves the files that it has written; one killed while there are
/// readers leaves those that it was going to remove (`DroppedFiles`). Such a file cannot be told
/// from one whose row is not written yet, in a save by Apple's framework or in a store that is
/// about to replace this one. So only files at least a day old count.
extension SQLiteStore {
  /// The external files, at least a day old, that the store does not refer to.
  func strayFiles() throws -> [URL] {
    try mappingErrors {
      try followChanges()
      return try files.strayNames(in: connection).map { files.folder.appending(path: $0) }
    }
  }

  /// Removes the external files, at least a day old, that the store does not refer to; returns
  /// those removed.
  ///
  /// - Throws: `PersistentStoreError.busy` if a reader sees an older state, which may refer to
  ///   them, or other connections keep writing.
  func removeStrayFiles() throws -> [URL] {
    try refuseIfReadOnly()
    return try mappingErrors {
      try followChanges()
      guard !connection.isInTransaction else { throw PersistentStoreError.busy(fileURL) }
      for _ in 0..<10 {
        let state = try connection.dataVersion()
        let names = try files.strayNames(in: connection)
        guard !names.isEmpty else { return [] }
        // From here on, readers see this state or a later one.
        switch connection.checkpoint() {
        case .complete: break
        case .heldBack: throw PersistentStoreError.busy(fileURL)
        case .failed(let error): throw error
        }
        // In a transaction, so that no other connection writes; none has since `state` was read.
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
  /// The names of the files, sorted; none if another store may refer to them.
  func strayNames(in connection: Connection) throws -> [String] {
    // A neighbour with the same base name may own files here. Behind a symbolic link, another store
    // may have been at the same path and left its files.
    guard !areBehindLink, neighbours?.isEmpty == true else { return [] }
    let old = names(before: time(nil) - 24 * 60 * 60)
    guard !old.isEmpty else { return [] }
    // Reads all columns in one transaction.
    let begins = !connection.isInTransaction
    if begins { try connection.execute("BEGIN") }
    // Nothing was written; a failed read may have ended it already.
    defer { if begins, connection.isInTransaction { try? connection.execute("COMMIT") } }
    let needed = try Self.names(in: connection, ofAnyType: true)
    // Some file systems ignore case.
    let capitals = Set(needed.map { $0.uppercased() })
    return old.filter { !capitals.contains($0.uppercased()) }.sorted()
  }

  /// The names of the files last written before a time, in seconds since 1970; files not named by a
  /// UUID are left out.
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

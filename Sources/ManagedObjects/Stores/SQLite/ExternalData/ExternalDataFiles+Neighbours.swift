import SystemLibraries

/// Stores that have their files in the same folder, because they have the same base name and
/// another extension.
extension ExternalDataFiles {
  /// The files next to the store's that have the same base name, whether or not they are stores;
  /// nil if the folder cannot be read.
  var neighbours: [URL]? {
    let folder = store.deletingLastPathComponent()
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.filePath) else {
      return nil
    }
    let own = store.lastPathComponent
    let base = store.deletingPathExtension().lastPathComponent.lowercased()
    return names.filter { $0 != own && !Self.isBesideADatabase($0) }
      .map { folder.appending(path: $0) }
      .filter { url in
        var info = stat()
        return url.deletingPathExtension().lastPathComponent.lowercased() == base
          && (stat(url.filePath, &info) != 0 || info.st_mode & S_IFMT == S_IFREG)
      }
  }

  /// Whether the store was opened through a symbolic link, or the folder of its files is one.
  ///
  /// Then stores elsewhere may have their files in the same folder.
  var areBehindLink: Bool {
    [store, folder.deletingLastPathComponent(), folder].contains { url in
      var info = stat()
      return lstat(url.filePath, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK
    }
  }

  /// Whether a file is a log, the index of one, or a journal.
  ///
  /// Opening and closing one would release this process's POSIX locks on it.
  private static func isBesideADatabase(_ name: String) -> Bool {
    ["-wal", "-shm", "-journal"].contains { name.hasSuffix($0) }
  }

  /// The names of the files that the neighbouring stores refer to.
  ///
  /// Reads the columns of all their tables.
  ///
  /// - Parameter draft: a file that will become this store and does not count as a neighbour,
  ///   although its name may differ from a store's without extension only in the extension.
  /// - Throws: `PersistentStoreError` if the folder or one of the stores cannot be read: `busy`
  ///   while another connection writes to it.
  func namesOfNeighbours(besides draft: String? = nil) throws -> Set<String> {
    guard let neighbours else {
      let parent = store.deletingLastPathComponent().filePath
      throw PersistentStoreError(errno: access(parent, R_OK) == 0 ? EIO : errno, at: store)
    }
    let draftName = draft.map { URL(fileURLWithPath: $0).lastPathComponent }
    var names: Set<String> = []
    for url in neighbours where url.lastPathComponent != draftName {
      do {
        // Through SQLite, since this process may have that store open.
        let file = ReadOnlyFile(url: url, path: url.filePath.resolvingFinalSymlink, busyTimeout: 0)
        names.formUnion(try Self.names(in: file.open().connection))
      } catch let error as SQLiteError {
        if !error.isNotADatabase { throw PersistentStoreError(error, at: url) }
      }
    }
    return names
  }
}

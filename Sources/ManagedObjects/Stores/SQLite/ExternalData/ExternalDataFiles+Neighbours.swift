import SystemLibraries

/// Stores that have their files in the same folder: those that are called alike but for their
/// extensions.
extension ExternalDataFiles {
  /// The files beside the store's that are called alike, be they stores or not; nil where the
  /// folder cannot be read.
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

  /// Whether the store was opened by a symbolic link, or the folder of its files is one: then other
  /// stores may have their files in the same folder, wherever they are.
  var areBehindLink: Bool {
    [store, folder.deletingLastPathComponent(), folder].contains { url in
      var info = stat()
      return lstat(url.filePath, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK
    }
  }

  /// Whether it is a log, its index or a journal.
  ///
  /// To open one and close it again would cost this process its locks on it.
  private static func isBesideADatabase(_ name: String) -> Bool {
    ["-wal", "-shm", "-journal"].contains { name.hasSuffix($0) }
  }

  /// The names of the files that those stores lead to.
  ///
  /// Reads the columns of their tables.
  ///
  /// - Parameter draft: a file that is yet to become the store, and is none of its neighbours. Of a
  ///   store without an extension its name can differ in that alone.
  /// - Throws: `PersistentStoreError` where the folder or one of them cannot be read: `busy` where
  ///   others write to it.
  func namesOfNeighbours(besides draft: String? = nil) throws -> Set<String> {
    guard let neighbours else {
      let parent = store.deletingLastPathComponent().filePath
      throw PersistentStoreError(errno: access(parent, R_OK) == 0 ? EIO : errno, at: store)
    }
    let draftName = draft.map { URL(fileURLWithPath: $0).lastPathComponent }
    var names: Set<String> = []
    for url in neighbours where url.lastPathComponent != draftName {
      do {
        // Through SQLite, as this process may have the store open.
        let file = ReadOnlyFile(url: url, path: url.filePath.behindLinks, busyTimeout: 0)
        names.formUnion(try Self.names(in: file.open().connection))
      } catch let error as SQLiteError {
        if !error.isNotADatabase { throw PersistentStoreError(error, at: url) }
      }
    }
    return names
  }
}

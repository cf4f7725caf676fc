import SystemLibraries

/// Where it shows that others have changed a store.
enum StoreTraces: Hashable, Sendable {
  /// In files.
  case files(WatchedFiles)
  /// Only in the store itself: on a server, or wherever one of a program's own is.
  case store
  /// Nowhere: nobody else has it.
  case nowhere

  /// A store's file, with what SQLite keeps beside it.
  ///
  /// The log's index is written through memory, of which the system does not tell.
  init(sqliteFile url: URL) {
    let path = url.standardizedFileURL.filePath.behindLinks
    let (folder, name) = Self.parts(path)
    self = .files(
      WatchedFiles(
        in: folder, names: [name, name + "-wal", name + "-journal"], lockedNames: [name]))
  }

  /// A document, or all files of a folder.
  init(fileOrFolder url: URL) {
    let path = url.standardizedFileURL.filePath.behindLinks
    var info = stat()
    guard stat(path, &info) != 0 || info.st_mode & S_IFMT != S_IFDIR else {
      let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
      self = .files(WatchedFiles(in: folder, names: nil))
      return
    }
    let (folder, name) = Self.parts(path)
    self = .files(WatchedFiles(in: folder, names: [name]))
  }

  private static func parts(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = slash == path.startIndex ? "/" : path[..<slash]
    return (String(folder), String(path[path.index(after: slash)...]))
  }
}

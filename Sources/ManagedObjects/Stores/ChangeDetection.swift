import SystemLibraries

/// The means of detecting changes to a store by other processes or connections.
enum ChangeDetection: Hashable, Sendable {
  /// In files.
  case files(WatchedFiles)
  /// Only in the store itself: on a server, or wherever a custom store keeps its data.
  case store
  /// Nowhere: the store is not shared.
  case nowhere

  /// A SQLite store's file with its log and journal.
  ///
  /// The index of the log is written through shared memory, which the system does not report.
  init(sqliteFile url: URL) {
    let path = url.standardizedFileURL.filePath.resolvingFinalSymlink
    let (folder, name) = Self.parts(path)
    self = .files(
      WatchedFiles(
        in: folder, names: [name, name + "-wal", name + "-journal"], lockedNames: [name]))
  }

  /// A document, or all files of a folder.
  init(fileOrFolder url: URL) {
    let path = url.standardizedFileURL.filePath.resolvingFinalSymlink
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

import DataFormats
import ManagedObjects
import SystemLibraries

/// A store's file and what lies beside it, looked at after it was refused, to give the reason.
///
///     StoreFile(URL(filePath: "walks.sqlite")).inaccessibleCompanion   // "walks.sqlite-wal"
struct StoreFile {
  /// The path of the file itself, not of a link to it.
  private let path: String

  /// Names the file at a URL, or the one that a link there leads to.
  init(_ url: URL) { path = url.filePath.resolvingFinalSymlink }

  private var folder: String { URL(filePath: path).deletingLastPathComponent().filePath }

  /// Whether it is a folder.
  var isFolder: Bool { Self.status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

  /// The name of SQLite's log beside it, if that has contents.
  var logWithContents: String? {
    let log = path + "-wal"
    return (Self.status(log)?.st_size ?? 0) > 0 ? URL(filePath: log).lastPathComponent : nil
  }

  /// The name of a file of SQLite's beside it that this user may not access; nil if there is none.
  ///
  /// Nil too if the user may not access the store itself.
  var inaccessibleCompanion: String? {
    guard access(path, R_OK | W_OK) == 0 else { return nil }
    let companion = ["-wal", "-shm", "-journal"].map { path + $0 }
      .first { access($0, F_OK) == 0 && access($0, R_OK | W_OK) != 0 }
    return companion.map { URL(filePath: $0).lastPathComponent }
  }

  /// Whether it is readable, but it or its folder cannot be written because of how the disk is
  /// mounted.
  var isOnReadOnlyDisk: Bool {
    guard access(path, F_OK) != 0 || access(path, R_OK) == 0 else { return false }
    return [path, folder].contains { (file: String) in access(file, W_OK) != 0 && errno == EROFS }
  }

  /// Whether this user may write another user's file, but not replace it: the folder is sticky.
  var isProtectedByStickyFolder: Bool {
    guard access(path, R_OK | W_OK) == 0, access(folder, W_OK | X_OK) == 0,
      let file = Self.status(path), let parent = Self.status(folder)
    else { return false }
    return parent.st_mode & S_ISVTX != 0 && ![file.st_uid, parent.st_uid].contains(geteuid())
      && geteuid() != 0
  }

  /// Whether a file begins as SQLite's do.
  ///
  /// Not for the store that this process has open: closing a descriptor releases the locks on it.
  static func isDatabase(_ path: String) -> Bool {
    var bytes: [UInt8] = []
    _ = try? InputFile(path, atMost: .max).read(into: &bytes)
    return bytes.starts(with: "SQLite format 3\0".utf8)
  }

  private static func status(_ path: String) -> stat? {
    var info = stat()
    return stat(path, &info) == 0 ? info : nil
  }
}

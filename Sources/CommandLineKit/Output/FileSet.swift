import DataFormats
import SystemLibraries

/// Files that are known whatever way leads to them: by links, by other spellings of their folder.
///
///     let kept = FileSet(["/home/ana/walks.sqlite", "/home/ana/walks.sqlite-wal"])
///     kept.contains("walks.sqlite-wal")   // true in /home/ana, be the file there or not
package struct FileSet {
  private let paths: [String]

  /// The files at some paths; one that is not there yet is known by its folder and its name.
  package init(_ paths: [String]) {
    self.paths = paths
  }

  /// Whether a path leads to one of them.
  package func contains(_ path: String) -> Bool {
    let (file, name) = (FileIdentity(path), Self.name(of: path))
    lazy var folder = FileIdentity(Self.folder(of: path))
    return paths.contains { kept in
      if let file, FileIdentity(kept) == file { return true }
      guard name == Self.name(of: kept), let folder else { return false }
      return FileIdentity(Self.folder(of: kept)) == folder
    }
  }

  /// Whether an open file is one of them, as what standard output leads to.
  package func contains(descriptor: Int32) -> Bool {
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return false }
    return paths.contains { FileIdentity($0) == FileIdentity(info) }
  }

  private static func name(of path: String) -> Substring {
    path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  }
}

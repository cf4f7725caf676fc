import DataFormats
import SystemLibraries

/// A set of files that are recognised by any path: through links, or by other spellings.
///
///     let kept = FileSet(["/home/ana/walks.sqlite", "/home/ana/walks.sqlite-wal"])
///     kept.contains("walks.sqlite-wal")   // true in /home/ana, be the file there or not
package struct FileSet {
  private let paths: [String]

  /// Creates a set of the files at some paths; a missing one is identified by its folder and name.
  package init(_ paths: [String]) {
    self.paths = paths
  }

  /// Whether a path leads to one of the files.
  package func contains(_ path: String) -> Bool {
    let (file, name) = (FileIdentity(path), Self.name(of: path))
    lazy var folder = FileIdentity(Self.folder(of: path))
    return paths.contains { kept in
      if let file, FileIdentity(kept) == file { return true }
      guard name == Self.name(of: kept), let folder else { return false }
      return FileIdentity(Self.folder(of: kept)) == folder
    }
  }

  /// Whether an open file is one of them, for example standard output.
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

import DataFormats
import SystemLibraries

/// A file that is open under a name, which may lead to another file by now.
struct OpenedFile {
  private let path: String
  private let file: FileIdentity?

  /// The file that a path leads to now, through links.
  init(_ path: String) {
    self.path = path
    file = FileIdentity(path)
  }

  /// Whether the path leads to another file by now, or to none; looks at the folder, not at the file.
  var hasMoved: Bool { FileIdentity(path) != file }
}

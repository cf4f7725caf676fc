import SystemLibraries

/// The name of a file, and the file that was found there.
struct FilePlace {
  private let path: String
  private let file: FileIdentity?

  /// The file that a path leads to now, through links.
  init(_ path: String) {
    self.path = path
    file = FileIdentity(path)
  }

  /// Whether the path leads to another file by now, or to none; looks at the folder, not at the file.
  var hasOtherFile: Bool { FileIdentity(path) != file }
}

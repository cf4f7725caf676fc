#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

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

/// What tells a file from any other, whatever its names: its device and its inode.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let inode: UInt64

  /// The file that a path leads to, through links; nil where there is none.
  init?(_ path: String) {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    self.init(info)
  }

  /// The file that the system has described.
  init(_ info: stat) {
    device = UInt64(truncatingIfNeeded: info.st_dev)
    inode = UInt64(info.st_ino)
  }
}

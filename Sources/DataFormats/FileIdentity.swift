package import SystemLibraries

/// The identity of a file, whatever its names: its device and inode.
package struct FileIdentity: Equatable, CustomStringConvertible {
  private let device: UInt64
  private let inode: UInt64

  /// The identity of the file at a path, following symbolic links; nil if there is none or on an
  /// error: `errno` says which.
  package init?(_ path: String) {
    var info = stat()
    guard path.withSystemPath({ stat($0, &info) }) == 0 else { return nil }
    self.init(info)
  }

  /// The identity of a file from its `stat`.
  package init(_ info: stat) {
    device = UInt64(truncatingIfNeeded: info.st_dev)
    inode = UInt64(info.st_ino)
  }

  package var description: String { "\(device):\(inode)" }
}

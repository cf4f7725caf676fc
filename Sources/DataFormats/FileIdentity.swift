package import SystemLibraries

/// What tells a file from any other, whatever its names: its device and its inode.
package struct FileIdentity: Equatable, CustomStringConvertible {
  private let device: UInt64
  private let inode: UInt64

  /// The file that a path leads to, through links; nil where there is none, or where that
  /// cannot be told: `errno` says which.
  package init?(_ path: String) {
    var info = stat()
    guard path.withSystemPath({ stat($0, &info) }) == 0 else { return nil }
    self.init(info)
  }

  /// The file that the system has described.
  package init(_ info: stat) {
    device = UInt64(truncatingIfNeeded: info.st_dev)
    inode = UInt64(info.st_ino)
  }

  package var description: String { "\(device):\(inode)" }
}

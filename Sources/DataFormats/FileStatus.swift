package import SystemLibraries

/// The state of a file, to detect changes: its identity, size and modification time.
///
/// Does not include the time of metadata changes: when the superuser opens a store, SQLite changes
/// the owner of the files next to it each time.
package struct FileStatus: Equatable, CustomStringConvertible {
  private let file: FileIdentity
  /// The size in bytes.
  package let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// The state of a file from its `stat`.
  package init(_ info: stat) {
    file = FileIdentity(info)
    size = Int(info.st_size)
    let time = info.modificationTime
    (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
  }

  /// The state of the file at a path, following symbolic links; nil if there is none or on an
  /// error: `errno` says which.
  package init?(_ path: String) {
    var info = stat()
    guard path.withSystemPath({ stat($0, &info) }) == 0 else { return nil }
    self.init(info)
  }

  /// Whether it was modified after another file.
  package func isLater(than other: FileStatus) -> Bool {
    (seconds, nanoseconds) > (other.seconds, other.nanoseconds)
  }

  /// Whether a change right now could get the same modification time.
  ///
  /// File systems have a limited time resolution, of two seconds if they store no fractions.
  package var isRacy: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let age = Double(now.tv_sec) - Double(seconds) + Double(Int(now.tv_nsec) - nanoseconds) / 1e9
    return abs(age) < (nanoseconds == 0 ? 2.1 : 0.02)
  }

  /// All properties as text, for a file that another process may compare.
  package var description: String { "\(file) \(size) \(seconds).\(nanoseconds)" }
}

package import SystemLibraries

/// What tells whether a file has changed: which file it is, its size, and when it was last written
/// to.
///
/// Not when it was last changed otherwise: SQLite gives the files beside a store to its owner each
/// time that the system's administrator opens them.
package struct FileTrace: Equatable, CustomStringConvertible {
  private let file: FileIdentity
  /// How many bytes it has.
  package let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// The file that the system has described.
  package init(_ info: stat) {
    file = FileIdentity(info)
    size = Int(info.st_size)
    let time = info.modificationTime
    (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
  }

  /// The file that a path leads to, through links; nil where there is none, or where that cannot be
  /// told: `errno` says which.
  package init?(_ path: String) {
    var info = stat()
    guard path.withSystemPath({ stat($0, &info) }) == 0 else { return nil }
    self.init(info)
  }

  /// Whether it was written to after another one.
  package func isLater(than other: FileTrace) -> Bool {
    (seconds, nanoseconds) > (other.seconds, other.nanoseconds)
  }

  /// Whether a change right now could bear the same time: clocks of file systems go in ticks, of
  /// two seconds where there are no parts of one.
  package var isOfThisMoment: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let age = Double(Int(now.tv_sec) - seconds) + Double(Int(now.tv_nsec) - nanoseconds) / 1e9
    return abs(age) < (nanoseconds == 0 ? 2.1 : 0.02)
  }

  /// All of it, for a file that another process may look at.
  package var description: String { "\(file) \(size) \(seconds).\(nanoseconds)" }
}

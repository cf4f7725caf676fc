import DataFormats
import SystemLibraries

/// What tells whether a store's file, or what belongs to it, has changed.
package struct FileTraces: Equatable {
  /// A file as it was at some moment.
  private struct Trace: Equatable, CustomStringConvertible {
    let file: FileIdentity?
    let size: Int
    /// When it was last written to.
    ///
    /// Not when it was last changed otherwise: SQLite gives the files beside a store to its owner each
    /// time that the system's administrator opens them.
    let seconds: Int
    let nanoseconds: Int

    init?(_ path: String) {
      var info = stat()
      guard stat(path, &info) == 0 else { return nil }
      file = FileIdentity(info)
      size = Int(info.st_size)
      let time = info.modificationTime
      (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
    }

    /// All of it, for a file of another process.
    var description: String {
      "\(file.map { "\($0)" } ?? "") \(size) \(seconds).\(nanoseconds)"
    }

    /// Whether a change right now could bear the same time: clocks of file systems go in ticks, of two
    /// seconds where there are no parts of one.
    var isOfThisMoment: Bool {
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      let age = Double(Int(now.tv_sec) - seconds) + Double(Int(now.tv_nsec) - nanoseconds) / 1e9
      return abs(age) < (nanoseconds == 0 ? 2.1 : 0.02)
    }
  }

  private let file: Trace?
  private let log: Trace?
  private let journal: Trace?
  private let isIndexed: Bool

  /// Looks at a file, which is no link, and at what lies beside it.
  package init(of path: String) {
    file = Trace(path)
    log = Trace(path + "-wal")
    journal = Trace(path + "-journal")
    isIndexed = access(path + "-shm", F_OK) == 0
  }

  /// What is there that others may have written, for whoever looks at another time; a log in which nothing
  /// is counts as none.
  var description: String {
    [file, writtenLog, journal].map { $0?.description ?? "none" }.joined(separator: ", ")
  }
  /// Whether a change that comes right now could go unseen in that.
  var areWrittenThisMoment: Bool {
    [file, writtenLog, journal].contains { $0?.isOfThisMoment ?? false }
  }
  private var writtenLog: Trace? { log.flatMap { $0.size > 32 ? $0 : nil } }

  /// Whether nobody has written since others were looked at.
  ///
  /// The index of the log comes and goes with those who only read.
  package func showNoWriting(since earlier: FileTraces) -> Bool {
    (file, log, journal) == (earlier.file, earlier.log, earlier.journal)
  }
  /// Whether there is a log, or the index of one.
  var haveCompany: Bool { log != nil || isIndexed }
  /// Whether a program has, or had, the store open with a log.
  var hasIndexedLog: Bool { log != nil && isIndexed }
  /// Whether a change that comes right now could go unseen.
  var areOfThisMoment: Bool {
    [file, log, journal].contains { $0?.isOfThisMoment ?? false }
  }

  /// Whether there is more in the log beside a file than its header.
  static func logHasFrames(_ path: String) -> Bool {
    var info = stat()
    return stat(path + "-wal", &info) == 0 && info.st_size > 32
  }
}

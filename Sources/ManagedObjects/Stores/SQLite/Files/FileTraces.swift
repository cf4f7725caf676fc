import DataFormats
import SystemLibraries

/// What tells whether a store's file, or what belongs to it, has changed.
package struct FileTraces: Equatable {
  private let file: FileTrace?
  private let log: FileTrace?
  private let journal: FileTrace?
  private let isIndexed: Bool

  /// Looks at a file, which is no link, and at what lies beside it.
  package init(of path: String) {
    file = FileTrace(path)
    log = FileTrace(path + "-wal")
    journal = FileTrace(path + "-journal")
    isIndexed = access(path + "-shm", F_OK) == 0
  }

  /// What is there that others may have written, for whoever looks at another time; a log in which
  /// nothing is counts as none.
  var description: String {
    [file, writtenLog, journal].map { $0?.description ?? "none" }.joined(separator: ", ")
  }
  /// Whether a change that comes right now could go unseen in that.
  var areWrittenThisMoment: Bool {
    [file, writtenLog, journal].contains { $0?.isOfThisMoment ?? false }
  }
  private var writtenLog: FileTrace? { log.flatMap { $0.size > 32 ? $0 : nil } }

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

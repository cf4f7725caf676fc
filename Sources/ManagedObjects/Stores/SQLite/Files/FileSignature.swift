import DataFormats
import SystemLibraries

/// The state of a store's files, to detect whether they have changed.
package struct FileSignature: Equatable {
  private let file: FileStatus?
  private let log: FileStatus?
  private let journal: FileStatus?
  private let isIndexed: Bool

  /// Reads the state of a file, which is not a symbolic link, and of the files that belong to it.
  package init(of path: String) {
    file = FileStatus(path)
    log = FileStatus(path + "-wal")
    journal = FileStatus(path + "-journal")
    isIndexed = access(path + "-shm", F_OK) == 0
  }

  /// A text for comparison at a later time; a log without contents counts as none.
  var description: String {
    [file, writtenLog, journal].map { $0?.description ?? "none" }.joined(separator: ", ")
  }
  /// Whether a change right now could go unnoticed in `description`.
  var isRacyIgnoringEmptyLog: Bool {
    [file, writtenLog, journal].contains { $0?.isRacy ?? false }
  }
  private var writtenLog: FileStatus? { log.flatMap { $0.size > 32 ? $0 : nil } }

  /// Whether nothing was written between two states.
  ///
  /// Ignores the index of the log, which readers create and remove too.
  package func isUnwritten(since earlier: FileSignature) -> Bool {
    (file, log, journal) == (earlier.file, earlier.log, earlier.journal)
  }
  /// Whether there is a log or the index of one.
  var hasLogOrIndex: Bool { log != nil || isIndexed }
  /// Whether a program has, or had, the store open in WAL mode.
  var hasIndexedLog: Bool { log != nil && isIndexed }
  /// Whether a change right now could go unnoticed.
  var isRacy: Bool {
    [file, log, journal].contains { $0?.isRacy ?? false }
  }

  /// Whether the log next to a file contains more than its header.
  static func logHasFrames(_ path: String) -> Bool {
    var info = stat()
    return stat(path + "-wal", &info) == 0 && info.st_size > 32
  }
}

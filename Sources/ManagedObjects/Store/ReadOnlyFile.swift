#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A store's file that is only looked at: no file is made beside it, not even the index of its log.
///
/// SQLite itself would make that index for anyone who reads. So it is told that the file does not
/// change where there is no log; and where there is a log without an index, a copy of both is read, in
/// the folder for temporary files. Where the index is there, a program may have the store open right
/// now, and SQLite's way of sharing it is the only right one.
struct ReadOnlyFile {
  let path: String
  let busyTimeout: Double

  /// What tells whether a file or its log has changed.
  struct Traces: Equatable {
    private struct Trace: Equatable {
      let size: Int
      let seconds: Int
      let nanoseconds: Int

      init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        size = Int(info.st_size)
        #if canImport(Darwin)
          let time = info.st_mtimespec
        #else
          let time = info.st_mtim
        #endif
        (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
      }
    }

    private let file: Trace?
    private let log: Trace?
    private let journal: Trace?
    private let isIndexed: Bool

    init(of path: String) {
      file = Trace(path)
      log = Trace(path + "-wal")
      journal = Trace(path + "-journal")
      isIndexed = access(path + "-shm", F_OK) == 0
    }

    var hasLog: Bool { log.map { $0.size > 0 } ?? false }
    /// Whether a program has, or had, the store open with a log.
    var hasIndexedLog: Bool { log != nil && isIndexed }
    var hasJournal: Bool { journal.map { $0.size > 0 } ?? false }
  }

  /// A connection, and what it is good for.
  struct Opened {
    let connection: Connection
    /// How the files were when they were opened, where a change would go unseen; else nil.
    let traces: Traces?
  }

  /// Opens the file as it is now.
  ///
  /// - Throws: `SQLiteError`, or `PersistentStoreError` where it cannot be copied, or others write all
  ///   the time.
  func open() throws -> Opened {
    var attempts = 0
    while true {
      attempts += 1
      let isLast = attempts == 20
      let traces = Traces(of: path)
      do {
        let opened = try open(traces)
        // Another program may have begun to write in this very moment.
        if opened.traces == nil || isLast || Traces(of: path) == traces { return opened }
      } catch let error as SQLiteError where error.isCorrupt {
        // What it has half written looks damaged.
        guard Traces(of: path) != traces else { throw error }
        if isLast { throw PersistentStoreError.busy(URL(filePath: path)) }
      }
      usleep(UInt32.random(in: 1_000...5_000))
    }
  }

  private func open(_ traces: Traces) throws -> Opened {
    if !traces.hasLog, !traces.hasJournal, !traces.hasIndexedLog {
      let connection = try connect(path, .unchanging)
      // With a journal SQLite writes nothing to read, and its locks keep writers away.
      if connection.expectsLog { return Opened(connection: connection, traces: traces) }
    }
    if !traces.hasLog || traces.hasIndexedLog {
      do {
        return Opened(connection: try connect(path, .readOnly), traces: nil)
      } catch let error as SQLiteError where error.isReadOnly || error.cannotOpen {
        // A journal that has to be rolled back, or an index that may not be read: see below.
      }
    }
    let copy = try TemporaryCopy(of: path, suffixes: ["", "-wal", "-journal"])
    // SQLite keeps its files open; the names are not needed any more.
    defer { copy.remove() }
    return Opened(connection: try connect(copy.path, .readWrite), traces: traces)
  }

  private func connect(_ path: String, _ access: Connection.Access) throws -> Connection {
    let connection = try Connection(path: path, access: access, waiting: busyTimeout)
    // Only the first look opens the log, and finds out whether that can be done.
    _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
    return connection
  }
}

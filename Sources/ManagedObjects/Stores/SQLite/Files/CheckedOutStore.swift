import DataFormats
package import SystemLibraries

/// A store's file that is copied, changed in the copy, and put back whole: for files on sticks and
/// in shared folders, where SQLite's log does not work across machines.
///
///     let other = try CheckedOutStore(url)
///     // … open a container on other.copy, change it, remove the store from its coordinator
///     try other.putBack()
///
/// Until then nothing of the file changes, and nothing lies beside it. Where the system can, the
/// file is locked meanwhile as SQLite locks it, so that no program of this machine has it open; in
/// any case it is only replaced where it is as it was copied. Whoever opens the file has the old
/// one or the new one.
package final class CheckedOutStore {
  /// Where the copy is, in a ``CopyFolder``; it goes with this object.
  package let copy: URL
  /// Whether there is a file already.
  package let isThere: Bool

  private let url: URL
  private let path: String
  private let folder: CopyFolder
  private var descriptor: Int32 = -1
  private let info: stat?
  private let traces: FileTraces

  /// Copies a file; where there is none, the copy is one that is to be made.
  ///
  /// - Throws: `PersistentStoreError`: `busy` where a program has it open, `fileNotFound` where its
  ///   folder is not there, `noTemporaryCopy`.
  package init(_ url: URL) throws {
    self.url = url
    path = url.filePath.behindLinks
    var locked = try Self.lock(path, for: url)
    if locked.hasLeftLog {
      if locked.descriptor >= 0 { close(locked.descriptor) }
      try Self.takeUpLog(path, for: url)
      locked = try Self.lock(path, for: url)
      guard !locked.hasLeftLog else {
        close(locked.descriptor)
        throw PersistentStoreError.busy(url)
      }
    }
    (descriptor, info, _) = locked
    traces = FileTraces(of: path)
    isThere = info != nil
    do {
      folder = try CopyFolder(forCopyOf: url)
    } catch {
      if descriptor >= 0 { close(descriptor) }
      throw error
    }
    copy = folder.url.appending(path: url.lastPathComponent)
    guard isThere else { return }
    do {
      try Self.copy(descriptor, to: copy.filePath) { PersistentStoreError(errno: $0, at: url) }
    } catch PersistentStoreError.full {
      remove()
      throw noRoomForCopy
    } catch {
      remove()
      throw error
    }
    // What was copied while another machine wrote is no store.
    guard FileTraces(of: path).showNoWriting(since: traces) else {
      remove()
      throw PersistentStoreError.busy(url)
    }
  }

  deinit { remove() }

  /// What is said of a copy that the folder for temporary files has no room for.
  package var noRoomForCopy: PersistentStoreError {
    .noTemporaryCopy(url, folder: CopyFolder.parent, reason: String(cString: strerror(ENOSPC)))
  }

  /// Removes the copy, and lets others have the file.
  package func remove() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
    folder.remove()
  }

  // MARK: Locking

  /// Copies what a program that was killed has saved from its log into the file.
  private static func takeUpLog(_ path: String, for url: URL) throws {
    try SQLiteStore.refuseForeignLog(at: path, of: url)
    try PersistentStoreError.mapping(at: url) {
      let connection = try Connection(path: path, access: .readWrite, waiting: 1)
      _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
      if case .failed(let error) = connection.emptyLog(waiting: 1) { throw error }
    }
  }

  /// Opens a file and locks it; nothing where there is none.
  ///
  /// - Returns: what it is, and whether a log or a journal lies beside it that nobody has open.
  private static func lock(
    _ path: String, for url: URL
  ) throws -> (descriptor: Int32, info: stat?, hasLeftLog: Bool) {
    var descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    if descriptor < 0, [EACCES, EROFS, EPERM].contains(errno) {
      descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      lock.l_type = Int16(F_RDLCK)
    }
    guard descriptor >= 0 else {
      let code = errno
      var folder = stat()
      let isFolder = stat(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", &folder) == 0
      guard code == ENOENT, isFolder else {
        throw code == EISDIR
          ? PersistentStoreError.notAFile(url) : PersistentStoreError(errno: code, at: url)
      }
      return (-1, nil, false)
    }
    do {
      var info = stat()
      guard fstat(descriptor, &info) == 0 else { throw PersistentStoreError(errno: errno, at: url) }
      guard info.st_mode & S_IFMT == S_IFREG else { throw PersistentStoreError.notAFile(url) }
      // The bytes that SQLite locks: the pending one, the reserved one, the shared ones.
      lock.l_whence = Int16(SEEK_SET)
      lock.l_start = 0x4000_0000
      lock.l_len = 512
      if fcntl(descriptor, F_SETLK, &lock) != 0, [EACCES, EAGAIN].contains(errno) {
        throw PersistentStoreError.busy(url)
      }
      // Whoever replaced it had it locked until then.
      var present = stat()
      guard stat(path, &present) == 0, present.st_ino == info.st_ino,
        present.st_dev == info.st_dev
      else { throw PersistentStoreError.busy(url) }
      // Where locks do not reach, what lies beside the file tells of somebody who has it open;
      // elsewhere of one who was killed.
      let isWatched = NetworkFolder.isOnNetwork(descriptor)
      var log = stat()
      let hasLog = stat(path + "-wal", &log) == 0
      if isWatched, hasLog || access(path + "-shm", F_OK) == 0 {
        throw PersistentStoreError.busy(url)
      }
      let hasLeftLog = hasLog && log.st_size > 32 || access(path + "-journal", F_OK) == 0
      return (descriptor, info, hasLeftLog)
    } catch {
      close(descriptor)
      throw error
    }
  }

  // MARK: Putting back

  /// Puts the copy in the file's place; nobody has it open any more.
  ///
  /// - Throws: `PersistentStoreError`, and the file is as it was: `moved` where it has changed
  ///   meanwhile, `full`, `noPermission`; `uncertain` where it is in its place, and a power loss
  ///   may take it back.
  package func putBack() throws {
    // The folder would let a file be replaced that its owner has protected.
    guard info == nil || access(path, W_OK) == 0 else { throw PersistentStoreError.readOnly(url) }
    guard !FileTraces.logHasFrames(copy.filePath) else { throw PersistentStoreError.busy(copy) }
    let file = try NewFile(at: path, for: url, isMarked: true)
    let source = open(copy.filePath, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw PersistentStoreError(errno: errno, at: copy) }
    defer { close(source) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(source, &bytes, bytes.count)
      guard count >= 0 else { throw PersistentStoreError(errno: errno, at: copy) }
      if count == 0 { break }
      try file.write(count == bytes.count ? bytes : Array(bytes[..<count]))
    }
    guard let info else {
      guard case .inPlace = try file.finish(mayReserve: true) else {
        throw PersistentStoreError.moved(url)
      }
      return
    }
    guard FileTraces(of: path).showNoWriting(since: traces) else {
      throw PersistentStoreError.moved(url)
    }
    _ = try file.replace(info)
    do {
      try NewFile.syncFolder(of: path, for: url)
    } catch PersistentStoreError.failed(_, let error) {
      throw PersistentStoreError.uncertain(url, error)
    }
  }

  /// Keeps a copy of the file as it was, under a name beside it that is free.
  ///
  /// - Throws: `PersistentStoreError`.
  package func keepOriginal(at backup: URL) throws {
    guard descriptor >= 0 else { return }
    let file = try NewFile(at: backup.filePath, for: backup, isMarked: true)
    lseek(descriptor, 0, SEEK_SET)
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      guard count >= 0 else { throw PersistentStoreError(errno: errno, at: url) }
      if count == 0 { break }
      try file.write(Array(bytes[..<count]))
    }
    guard case .inPlace = try file.finish(mayReserve: true) else {
      throw PersistentStoreError.moved(backup)
    }
  }

  private static func copy(
    _ source: Int32, to path: String, _ failure: (Int32) -> PersistentStoreError
  ) throws {
    let target = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw failure(errno) }
    defer { close(target) }
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      while true {
        let count = read(source, buffer.baseAddress, buffer.count)
        guard count >= 0 else { throw failure(errno) }
        if count == 0 { return }
        var written = 0
        while written < count {
          let more = write(target, buffer.baseAddress! + written, count - written)
          guard more >= 0 else { throw failure(errno) }
          written += more
        }
      }
    }
  }
}

@available(*, unavailable) extension CheckedOutStore: Sendable {}

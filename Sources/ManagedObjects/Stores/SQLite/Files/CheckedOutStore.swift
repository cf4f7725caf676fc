import DataFormats
package import SystemLibraries

/// A store's file that is copied, modified in the copy, and replaced as a whole.
///
/// This suits files on removable drives and network shares, where SQLite's log does not work across
/// machines.
///
///     let other = try CheckedOutStore(url)
///     // … open a container on other.copy, change it, remove the store from its coordinator
///     try other.replaceOriginal()
///
/// Until then the file does not change, and nothing is created next to it. If the system supports
/// it, the file is locked in the meantime with SQLite's locks, so that no program on this machine
/// can open it; in any case it is replaced only if it is unchanged since it was copied. A process
/// that opens it gets either the old file or the new one.
package final class CheckedOutStore {
  /// The URL of the copy, in a ``CopyFolder``; it is removed with this object.
  package let copy: URL
  /// Whether the file existed.
  package let exists: Bool

  private let url: URL
  private let path: String
  private let folder: CopyFolder
  private var descriptor: Int32 = -1
  private let info: stat?
  private let signature: FileSignature

  /// Copies a file; if there is none, the copy is to be created.
  ///
  /// - Throws: `PersistentStoreError`: `busy` if a program has it open, `fileNotFound` if its
  ///   folder does not exist, `noTemporaryCopy`.
  package init(_ url: URL) throws {
    self.url = url
    path = url.filePath.resolvingFinalSymlink
    var locked = try Self.lock(path, for: url)
    if locked.hasLeftLog {
      if locked.descriptor >= 0 { close(locked.descriptor) }
      try Self.checkpointAbandonedLog(path, for: url)
      locked = try Self.lock(path, for: url)
      guard !locked.hasLeftLog else {
        close(locked.descriptor)
        throw PersistentStoreError.busy(url)
      }
    }
    (descriptor, info, _) = locked
    signature = FileSignature(of: path)
    exists = info != nil
    do {
      folder = try CopyFolder(forCopyOf: url)
    } catch {
      if descriptor >= 0 { close(descriptor) }
      throw error
    }
    copy = folder.url.appending(path: url.lastPathComponent)
    guard exists else { return }
    do {
      try Self.copy(descriptor, to: copy.filePath) { PersistentStoreError(errno: $0, at: url) }
    } catch PersistentStoreError.full {
      remove()
      throw noRoomForCopy
    } catch {
      remove()
      throw error
    }
    // A copy made while another machine was writing is not a valid store.
    guard FileSignature(of: path).isUnwritten(since: signature) else {
      remove()
      throw PersistentStoreError.busy(url)
    }
  }

  deinit { remove() }

  /// The error for a copy that does not fit in the folder for temporary files.
  package var noRoomForCopy: PersistentStoreError {
    .noTemporaryCopy(url, folder: CopyFolder.parent, reason: String(cString: strerror(ENOSPC)))
  }

  /// Removes the copy and unlocks the file.
  package func remove() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
    folder.remove()
  }

  // MARK: Locking

  /// Checkpoints the log of a program that was killed, so that the file contains what it saved.
  private static func checkpointAbandonedLog(_ path: String, for url: URL) throws {
    try SQLiteStore.refuseForeignLog(at: path, of: url)
    try PersistentStoreError.mapping(at: url) {
      let connection = try Connection(path: path, access: .readWrite, waiting: 1)
      _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
      if case .failed(let error) = connection.emptyLog(waiting: 1) { throw error }
    }
  }

  /// Opens and locks a file; returns no descriptor if it does not exist.
  ///
  /// - Returns: the descriptor, the file's `stat`, and whether there is a log or journal that no
  ///   process has open.
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
      // The bytes that SQLite locks: the pending, the reserved and the shared ones.
      lock.l_whence = Int16(SEEK_SET)
      lock.l_start = 0x4000_0000
      lock.l_len = 512
      if fcntl(descriptor, F_SETLK, &lock) != 0, [EACCES, EAGAIN].contains(errno) {
        throw PersistentStoreError.busy(url)
      }
      // A process that replaced the file held the lock until then.
      var present = stat()
      guard stat(path, &present) == 0, present.st_ino == info.st_ino,
        present.st_dev == info.st_dev
      else { throw PersistentStoreError.busy(url) }
      // Where locks do not reach other machines, a log or its index means that another program has
      // the store open; elsewhere, that one was killed.
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

  // MARK: Replacing the file

  /// Replaces the file with the copy, which must not be open any more.
  ///
  /// - Throws: `PersistentStoreError`, and the file is unchanged: `moved` if it has changed since
  ///   it was copied, `full`, `noPermission`; `uncertain` if it was replaced but a power failure
  ///   may undo that.
  package func replaceOriginal() throws {
    // The folder's permissions would allow replacing a write-protected file.
    guard info == nil || access(path, W_OK) == 0 else { throw PersistentStoreError.readOnly(url) }
    guard !FileSignature.logHasFrames(copy.filePath) else { throw PersistentStoreError.busy(copy) }
    let file = try NewFile(at: path, for: url, isMarked: true)
    let source = open(copy.filePath, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw PersistentStoreError(errno: errno, at: copy) }
    defer { close(source) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = bytes.withUnsafeMutableBytes { readSome(from: source, into: $0) }
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
    guard FileSignature(of: path).isUnwritten(since: signature) else {
      throw PersistentStoreError.moved(url)
    }
    _ = try file.replace(info)
    try NewFile.syncFolder(of: path, for: url)
  }

  /// Writes a copy of the original file to a backup, whose name must be free.
  ///
  /// - Throws: `PersistentStoreError`.
  package func keepOriginal(at backup: URL) throws {
    guard descriptor >= 0 else { return }
    let file = try NewFile(at: backup.filePath, for: backup, isMarked: true)
    lseek(descriptor, 0, SEEK_SET)
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = bytes.withUnsafeMutableBytes { readSome(from: descriptor, into: $0) }
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
        let count = readSome(from: source, into: buffer)
        guard count >= 0 else { throw failure(errno) }
        if count == 0 { return }
        let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        if let code = writeAll(piece, to: target) { throw failure(code) }
      }
    }
  }
}

@available(*, unavailable) extension CheckedOutStore: Sendable {}

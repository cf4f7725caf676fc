import DataFormats
import SystemLibraries

// In the type's own scope these names are other functions'.
private func openFile(_ path: String, _ flags: Int32) -> Int32 {
  // A pipe must not be waited for.
  open(path, flags | O_CLOEXEC | O_NONBLOCK)
}
private let lockFile = flock

/// A file that is read whole and written whole, by several processes.
///
/// It is replaced, never written into: whoever reads it has the old one or the new one. One who
/// replaces it holds a lock on the file that is there. What was read last is kept open, so that no
/// other file can pass for it by its number.
final class DocumentFile {
  /// What errors are about.
  let url: URL
  let path: String
  private let busyTimeout: Double
  /// The file that was read or written last, and what the system said of it.
  private var opened: (descriptor: Int32, trace: FileTrace)?
  /// The file that is locked.
  private var locked: (descriptor: Int32, info: stat)?

  init(_ url: URL, busyTimeout: Double) {
    self.url = url
    path = url.filePath.behindLinks
    self.busyTimeout = busyTimeout
  }

  deinit {
    unlock()
    if let opened { close(opened.descriptor) }
  }

  // MARK: Looking

  /// What stands in the file's place; nil where nothing does.
  ///
  /// - Throws: `PersistentStoreError` where that cannot be told.
  private func look() throws -> stat? {
    var info = stat()
    if stat(path, &info) == 0 { return info }
    guard [ENOENT, ENOTDIR].contains(errno) else {
      throw PersistentStoreError(errno: errno, at: url)
    }
    return nil
  }

  /// Whether there is a file with something in it.
  func isThere() throws -> Bool { try look().map { $0.st_size > 0 } ?? false }

  /// Whether an empty file is there, to be filled.
  func isEmpty() throws -> Bool { try look().map { $0.st_size == 0 } ?? false }

  /// Whether the file is another one than was read or written last, or was changed in its place.
  ///
  /// - Throws: `PersistentStoreError.moved` where there is none.
  func hasChanged() throws -> Bool {
    guard let info = try look() else { throw PersistentStoreError.moved(url) }
    return opened?.trace != FileTrace(info)
  }

  /// Whether there is no file any more.
  var isMoved: Bool { FileIdentity(path) == nil && [ENOENT, ENOTDIR].contains(errno) }

  // MARK: Reading

  /// All bytes of the file, as it was at one moment.
  ///
  /// - Throws: `PersistentStoreError`; `busy` where it is written into in its place all the time.
  func read() throws -> [UInt8] {
    let start = RetryBackoff.now
    while true {
      let descriptor = openFile(path, O_RDONLY)
      guard descriptor >= 0 else {
        throw errno == ENOENT
          ? PersistentStoreError.fileNotFound(url) : PersistentStoreError(errno: errno, at: url)
      }
      do {
        let before = try info(descriptor)
        guard before.st_mode & S_IFMT == S_IFREG else { throw PersistentStoreError.notAFile(url) }
        let bytes = try readAll(descriptor, sizeHint: Int(before.st_size))
        let after = try info(descriptor)
        if FileTrace(before) == FileTrace(after), bytes.count == Int(after.st_size) {
          keep(descriptor, after)
          return bytes
        }
      } catch {
        close(descriptor)
        throw error
      }
      close(descriptor)
      guard RetryBackoff.now < start + busyTimeout else { throw PersistentStoreError.busy(url) }
      RetryBackoff.nap()
    }
  }

  /// Has the file count as changed: what was read of it is of no use.
  func forget() {
    if let opened { close(opened.descriptor) }
    opened = nil
  }

  private func readAll(_ descriptor: Int32, sizeHint: Int) throws -> [UInt8] {
    guard sizeHint <= maximumDocumentByteCount else {
      throw PersistentStoreError.malformedDocument(
        url, line: nil, column: nil, "the document is too large")
    }
    var bytes: [UInt8] = []
    // All at once: a large document is not there twice while it is read.
    bytes.reserveCapacity(sizeHint)
    do {
      while try InputFile.readPiece(of: descriptor, into: &bytes) > 0 {}
      return bytes
    } catch InputFile.Failure.system(let code) {
      throw PersistentStoreError(errno: code, at: url)
    }
  }

  private func info(_ descriptor: Int32) throws -> stat {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { throw PersistentStoreError(errno: errno, at: url) }
    return info
  }

  private func keep(_ descriptor: Int32, _ info: stat) {
    if let opened { close(opened.descriptor) }
    opened = (descriptor, FileTrace(info))
  }

  // MARK: Writing

  var isLocked: Bool { locked != nil }

  /// Waits until nobody else writes, and keeps others from it.
  ///
  /// - Throws: `PersistentStoreError`: `busy` where others write for too long, `noPermission` where
  ///   the file may not be written, `moved` where there is none.
  func lock() throws {
    let start = RetryBackoff.now
    while true {
      let descriptor = openFile(path, O_RDWR)
      guard descriptor >= 0 else {
        throw errno == ENOENT
          ? PersistentStoreError.moved(url) : PersistentStoreError(errno: errno, at: url)
      }
      if lockFile(descriptor, LOCK_EX | LOCK_NB) == 0 {
        // Whoever had it may have put another file in its place.
        let info = Result { try self.info(descriptor) }
        if case .success(let info) = info, FileIdentity(path) == FileIdentity(info) {
          locked = (descriptor, info)
          return
        }
        close(descriptor)
        _ = try info.get()
      } else {
        let code = errno
        close(descriptor)
        guard [EWOULDBLOCK, EINTR].contains(code) else {
          throw PersistentStoreError(errno: code, at: url)
        }
      }
      guard RetryBackoff.now < start + busyTimeout else { throw PersistentStoreError.busy(url) }
      RetryBackoff.nap()
    }
  }

  func unlock() {
    if let locked { close(locked.descriptor) }
    locked = nil
  }

  /// Writes a new file beside the one that is locked, or in a folder of the same disk; it is on the
  /// disk afterwards, but for its name.
  ///
  /// - Throws: `PersistentStoreError`; then nothing has changed, and nothing stays.
  func draft(_ bytes: [UInt8], in folder: URL? = nil) throws -> NewFile {
    guard bytes.count <= maximumDocumentByteCount else { throw PersistentStoreError.full(url) }
    let draft = try NewFile(at: path, for: url, draftIn: folder)
    try draft.write(bytes)
    return draft
  }

  /// Puts a new file in the place of the one that is locked.
  ///
  /// - Throws: `PersistentStoreError`; then the old one is still there.
  func replace(with draft: NewFile) throws {
    guard let locked else { fatalError("A document is replaced without a lock.") }
    let info = try draft.replace(locked.info)
    // Kept open, so that it can be told from any other; the one before is let go of with the lock.
    let descriptor = openFile(path, O_RDONLY)
    if descriptor >= 0 { keep(descriptor, info) }
  }

  /// Puts the file's name on the disk.
  ///
  /// - Throws: `PersistentStoreError.uncertain`: the file is there, but a power loss may bring the
  ///   old one back.
  func syncName() throws {
    do {
      try NewFile.syncFolder(of: path, for: url)
    } catch PersistentStoreError.failed(_, let error) {
      throw PersistentStoreError.uncertain(url, error)
    }
  }
}

@available(*, unavailable) extension DocumentFile: Sendable {}

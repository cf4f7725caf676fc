import DataFormats
import SystemLibraries

// In the type's own scope these names refer to other functions.
private func openFile(_ path: String, _ flags: Int32) -> Int32 {
  // O_NONBLOCK, so that opening a pipe does not wait.
  open(path, flags | O_CLOEXEC | O_NONBLOCK)
}
private let lockFile = flock

/// A file that several processes read and write as a whole.
///
/// It is replaced, never written in place: a reader gets either the old file or the new one. A
/// process that replaces it holds a lock on the existing file. The file that was last read is kept
/// open, so that no new file can get the same inode number and be mistaken for it.
final class DocumentFile {
  /// The URL that errors refer to.
  let url: URL
  let path: String
  private let busyTimeout: Double
  /// The file that was last read or written, and its metadata from the file system.
  private var opened: (descriptor: Int32, trace: FileStatus)?
  /// The locked file.
  private var locked: (descriptor: Int32, info: stat)?

  init(_ url: URL, busyTimeout: Double) {
    self.url = url
    path = url.filePath.resolvingFinalSymlink
    self.busyTimeout = busyTimeout
  }

  deinit {
    unlock()
    if let opened { close(opened.descriptor) }
  }

  // MARK: Checking

  /// The `stat` of whatever is at the path; nil if there is nothing.
  ///
  /// - Throws: `PersistentStoreError` if that cannot be determined.
  private func look() throws -> stat? {
    var info = stat()
    if stat(path, &info) == 0 { return info }
    guard [ENOENT, ENOTDIR].contains(errno) else {
      throw PersistentStoreError(errno: errno, at: url)
    }
    return nil
  }

  /// Whether there is a file that is not empty.
  func exists() throws -> Bool { try look().map { $0.st_size > 0 } ?? false }

  /// Whether there is an empty file, ready to be filled.
  func isEmpty() throws -> Bool { try look().map { $0.st_size == 0 } ?? false }

  /// Whether the file was replaced or modified in place since it was last read or written.
  ///
  /// - Throws: `PersistentStoreError.moved` if there is no file.
  func hasChanged() throws -> Bool {
    guard let info = try look() else { throw PersistentStoreError.moved(url) }
    return opened?.trace != FileStatus(info)
  }

  /// Whether the file no longer exists.
  var isMoved: Bool { FileIdentity(path) == nil && [ENOENT, ENOTDIR].contains(errno) }

  // MARK: Reading

  /// All bytes of the file, as a consistent snapshot.
  ///
  /// - Throws: `PersistentStoreError`; `busy` if the file keeps being modified in place.
  func read() throws -> [UInt8] {
    let start = monotonicSeconds()
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
        if FileStatus(before) == FileStatus(after), bytes.count == Int(after.st_size) {
          keep(descriptor, after)
          return bytes
        }
      } catch {
        close(descriptor)
        throw error
      }
      close(descriptor)
      guard monotonicSeconds() < start + busyTimeout else { throw PersistentStoreError.busy(url) }
      RetryBackoff.pauseBriefly()
    }
  }

  /// Makes the file count as changed: what was read of it cannot be used.
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
    // Reserved at once, so that reading a large document does not need twice the memory.
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
    opened = (descriptor, FileStatus(info))
  }

  // MARK: Writing

  var isLocked: Bool { locked != nil }

  /// Acquires the lock, waiting until no other process holds it.
  ///
  /// - Throws: `PersistentStoreError`: `busy` after waiting too long, `noPermission` if the file
  ///   is not writable, `moved` if there is none.
  func lock() throws {
    let start = monotonicSeconds()
    while true {
      let descriptor = openFile(path, O_RDWR)
      guard descriptor >= 0 else {
        throw errno == ENOENT
          ? PersistentStoreError.moved(url) : PersistentStoreError(errno: errno, at: url)
      }
      if lockFile(descriptor, LOCK_EX | LOCK_NB) == 0 {
        // The previous holder of the lock may have replaced the file.
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
      guard monotonicSeconds() < start + busyTimeout else { throw PersistentStoreError.busy(url) }
      RetryBackoff.pauseBriefly()
    }
  }

  func unlock() {
    if let locked { close(locked.descriptor) }
    locked = nil
  }

  /// Writes a new file next to the locked one, or in a folder on the same disk.
  ///
  /// - Throws: `PersistentStoreError`; then nothing has changed and nothing is left behind.
  func draft(_ bytes: [UInt8], in folder: URL? = nil) throws -> NewFile {
    guard bytes.count <= maximumDocumentByteCount else { throw PersistentStoreError.full(url) }
    let draft = try NewFile(at: path, for: url, draftIn: folder)
    try draft.write(bytes)
    return draft
  }

  /// Syncs a new file, so that replacing the locked one with it only changes a name.
  ///
  /// - Throws: `PersistentStoreError`; then nothing has changed.
  func prepare(_ draft: NewFile) throws {
    guard let locked else { fatalError("A document is replaced without a lock.") }
    try draft.prepare(toReplace: locked.info)
  }

  /// Replaces the locked file with a new one.
  ///
  /// - Throws: `PersistentStoreError`; then the old file is still there.
  func replace(with draft: NewFile) throws {
    guard let locked else { fatalError("A document is replaced without a lock.") }
    let info = try draft.replace(locked.info)
    // Kept open to recognise it; the previous file is closed when the lock is released.
    let descriptor = openFile(path, O_RDONLY)
    if descriptor >= 0 { keep(descriptor, info) }
  }

  /// Syncs the file's name to the disk.
  ///
  /// - Throws: `PersistentStoreError.uncertain`: the file is in place, but a power failure may
  ///   restore the old one.
  func syncName() throws {
    try NewFile.syncFolder(of: path, for: url)
  }
}

@available(*, unavailable) extension DocumentFile: Sendable {}

import SystemLibraries

/// A copy of a store's file, its log and its journal, in a temporary folder of its own.
struct TemporaryCopy {
  private let folder: CopyFolder
  /// The path of the copied file.
  var path: String { folder.url.path + "/copy" }
  private static let suffixes = ["-wal", "-journal"]

  /// Copies the files that exist; other processes may be writing to them.
  ///
  /// - Throws: `PersistentStoreError`, `SQLiteError`; then nothing is left behind.
  init(of path: String) throws {
    folder = try CopyFolder(forCopyOf: URL(filePath: path))
    do {
      let source = try Connection(path: path, access: .unchanging, waiting: 0)
      let store = URL(filePath: path)
      try Self.write(to: self.path, of: store) { try source.readFile($0) }
      for suffix in Self.suffixes {
        try Self.copy(path + suffix, to: self.path + suffix, of: store)
      }
    } catch PersistentStoreError.full {
      remove()
      throw PersistentStoreError.noTemporaryCopy(
        URL(filePath: path), folder: CopyFolder.parent,
        reason: String(cString: strerror(ENOSPC)))
    } catch {
      remove()
      throw error
    }
  }

  /// Removes the copy; a connection that has it open can continue to read.
  func remove() { folder.remove() }

  /// Copies a file on which this process holds no locks, if it exists.
  ///
  /// - Parameter store: the URL that errors refer to.
  private static func copy(
    _ source: String, to destination: String, of store: URL
  ) throws {
    let from = open(source, O_RDONLY | O_CLOEXEC)
    guard from >= 0 else {
      if errno == ENOENT { return }
      throw PersistentStoreError(errno: errno, at: store)
    }
    defer { close(from) }
    try write(to: destination, of: store) { write in
      try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
        while true {
          let count = readSome(from: from, into: buffer)
          guard count >= 0 else {
            throw PersistentStoreError(errno: errno, at: store)
          }
          if count == 0 { return }
          try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
      }
    }
  }

  /// Creates a file and writes the buffers that a body produces.
  private static func write(
    to destination: String, of store: URL,
    _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    let to = open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard to >= 0 else { throw PersistentStoreError(errno: errno, at: store) }
    defer { close(to) }
    try body { bytes in
      if let code = writeAll(bytes, to: to) {
        throw PersistentStoreError(errno: code, at: store)
      }
    }
  }
}

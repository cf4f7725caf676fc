import SystemLibraries

// In the type's own scope these names are other functions'.
private let readFile = read
private let writeFile = write

/// The files beside a store that hold large binary values, as Core Data keeps them.
///
/// A value of an attribute that allows it has a prefix in its column: 1, and the bytes follow; or
/// 2, and the UUID that is the file's name follows, with a NUL. The files are in
/// `.<store>_SUPPORT/_EXTERNAL_DATA`.
struct ExternalDataFiles: Sendable {
  /// From how many bytes on a value gets a file of its own; Core Data's bound is about the same.
  static let threshold = 100 * 1024

  /// The store's file.
  let store: URL

  init(of store: URL) { self.store = store }

  /// The folder, which is made with the first file.
  ///
  /// Worked out when it is needed: taking a URL apart costs 70 µs at first touch.
  var folder: URL {
    store.deletingLastPathComponent()
      .appending(path: ".\(store.deletingPathExtension().lastPathComponent)_SUPPORT")
      .appending(path: "_EXTERNAL_DATA")
  }

  // MARK: The column

  /// The name of the file that a column's bytes lead to; nil where they are the value themselves.
  ///
  /// Anything but a UUID is no name: a damaged store must not lead to other files.
  static func fileName(in stored: UnsafeRawBufferPointer) -> String? {
    guard stored.count == 38, stored[0] == 2, stored[37] == 0 else { return nil }
    let name = String(decoding: stored[1..<37], as: UTF8.self)
    return UUID(uuidString: name) == nil ? nil : name
  }

  /// The value in a column whose bytes lead to no file.
  static func inlineValue(in stored: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard stored.first == 1 else { return stored }
    return UnsafeRawBufferPointer(rebasing: stored.dropFirst())
  }

  // MARK: The files

  /// Reads a value.
  ///
  /// - Throws: `PersistentStoreError.missingExternalData` where there is no such file.
  func read(_ name: String) throws -> [UInt8] {
    let url = folder.appending(path: name)
    let file = open(url.path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw errno == ENOENT
        ? PersistentStoreError.missingExternalData(url)
        : PersistentStoreError(errno: errno, at: url)
    }
    defer { close(file) }
    var info = stat()
    guard fstat(file, &info) == 0 else { throw PersistentStoreError(errno: errno, at: url) }
    // More than a row could hold.
    guard info.st_size <= off_t(Int32.max) else {
      throw PersistentStoreError(errno: EFBIG, at: url)
    }
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(info.st_size)) { buffer, count in
      // A buffer without an address has no room, and is not read into.
      while count < buffer.count {
        let more = readFile(file, buffer.baseAddress! + count, buffer.count - count)
        if more < 0 { failure = errno }
        guard more > 0 else { break }
        count += more
      }
    }
    guard failure == 0 else { throw PersistentStoreError(errno: failure, at: url) }
    return bytes
  }

  /// The names of the files that the columns of a store lead to, whatever its model.
  ///
  /// The folder may have files of others: a store beside it may be called alike but for its
  /// extension.
  ///
  /// - Parameter ofAnyType: whether columns count, too, that are not declared to hold bytes.
  static func names(
    in connection: Connection, ofAnyType: Bool = false
  ) throws(SQLiteError) -> Set<String> {
    var names: Set<String> = []
    let columns = try connection.statement(
      """
      SELECT s.name, c.name FROM sqlite_schema s, pragma_table_info(s.name) c
      WHERE s.type = 'table'\(ofAnyType ? "" : " AND c.type = 'BLOB'")
      """)
    defer { columns.reset() }
    while try columns.step() {
      let table = (columns.string(at: 0) ?? "").quoted
      let column = (columns.string(at: 1) ?? "").quoted
      let values = try connection.statement(
        "SELECT \(column) FROM \(table) WHERE typeof(\(column)) = 'blob' AND length(\(column)) = 38"
      )
      defer { values.reset() }
      while try values.step() {
        if let stored = values.blob(at: 0), let name = fileName(in: stored) { names.insert(name) }
      }
    }
    return names
  }

  /// Removes files, but for those that another store may lead to, and the folders where nothing
  /// else is in them.
  func remove(_ names: Set<String>) {
    if !names.isEmpty, let others = try? namesOfNeighbours() {
      for name in names.subtracting(others) { remove(name) }
    }
    rmdir(folder.path)
    rmdir(folder.deletingLastPathComponent().path)
  }

  /// Whether there is a file of that name.
  func has(_ name: String) -> Bool { access(folder.appending(path: name).path, F_OK) == 0 }

  /// Writes a value into a new file; when this returns it is on the disk.
  ///
  /// - Throws: `PersistentStoreError`; no file is left then.
  func write(_ bytes: UnsafeRawBufferPointer) throws -> String {
    let name = UUID().uuidString
    try write(bytes, as: name)
    return name
  }

  /// Copies a value's file to those of another store; when this returns it is on the disk.
  ///
  /// - Throws: `PersistentStoreError`, `missingExternalData` where there is no such file.
  func copy(_ name: String, to other: ExternalDataFiles) throws {
    try read(name).withUnsafeBytes { try other.write($0, as: name) }
  }

  private func write(_ bytes: UnsafeRawBufferPointer, as name: String) throws {
    try makeFolder()
    let url = folder.appending(path: name)
    let file = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw PersistentStoreError(errno: errno, at: url) }
    defer { close(file) }
    var written = 0
    while written < bytes.count {
      let more = writeFile(file, bytes.baseAddress! + written, bytes.count - written)
      guard more >= 0 else { throw abandon(url, errno) }
      written += more
    }
    guard fsync(file) == 0 else { throw abandon(url, errno) }
    sync(folder)
  }

  /// Removes a value's file; one that is not there is none too many.
  func remove(_ name: String) { unlink(folder.appending(path: name).path) }

  private func abandon(_ url: URL, _ code: Int32) -> PersistentStoreError {
    unlink(url.path)
    return PersistentStoreError(errno: code, at: url)
  }

  private func makeFolder() throws {
    for path in [folder.deletingLastPathComponent(), folder] {
      guard mkdir(path.path, 0o700) != 0 else {
        sync(path.deletingLastPathComponent())
        continue
      }
      guard errno == EEXIST else { throw PersistentStoreError(errno: errno, at: path) }
    }
  }

  /// Puts the names in a folder on the disk, where the system can.
  private func sync(_ folder: URL) {
    let file = open(folder.path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    fsync(file)
    close(file)
  }
}

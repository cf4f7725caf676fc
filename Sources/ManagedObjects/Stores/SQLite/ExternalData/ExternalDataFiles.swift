import SystemLibraries

/// The external files of a store's large binary values, in Core Data's layout.
///
/// The column of an attribute that allows external storage starts with a byte: 1 is followed by the
/// value itself; 2 is followed by a UUID, the name of the file, and a NUL. The files are in
/// `.<store>_SUPPORT/_EXTERNAL_DATA`.
struct ExternalDataFiles: Sendable {
  /// The size from which a value gets an external file; Core Data's limit is about the same.
  static let threshold = 100 * 1024

  /// The URL of the store's file.
  let store: URL

  init(of store: URL) { self.store = store }

  /// The folder, which is created with the first file.
  ///
  /// Computed on demand: splitting a URL costs 70 µs on first use.
  var folder: URL {
    store.deletingLastPathComponent()
      .appending(path: ".\(store.deletingPathExtension().lastPathComponent)_SUPPORT")
      .appending(path: "_EXTERNAL_DATA")
  }

  // MARK: The column

  /// The name of the file that a column's bytes refer to; nil if they contain the value.
  ///
  /// Only a UUID is accepted: a damaged store must not lead to other files.
  static func fileName(in stored: UnsafeRawBufferPointer) -> String? {
    guard stored.count == 38, stored[0] == 2, stored[37] == 0 else { return nil }
    let name = String(decoding: stored[1..<37], as: UTF8.self)
    return UUID(uuidString: name) == nil ? nil : name
  }

  /// The value in a column whose bytes do not refer to a file.
  static func inlineValue(in stored: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard stored.first == 1 else { return stored }
    return UnsafeRawBufferPointer(rebasing: stored.dropFirst())
  }

  // MARK: The files

  /// Reads the value in a file.
  ///
  /// - Throws: `PersistentStoreError.missingExternalData` if the file does not exist.
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
    // Larger than a row can hold.
    guard info.st_size <= off_t(Int32.max) else {
      throw PersistentStoreError(errno: EFBIG, at: url)
    }
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(info.st_size)) { buffer, count in
      // An empty buffer may have no address, but is not read into.
      while count < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
        let more = readSome(from: file, into: rest)
        if more < 0 { failure = errno }
        guard more > 0 else { break }
        count += more
      }
    }
    guard failure == 0 else { throw PersistentStoreError(errno: failure, at: url) }
    return bytes
  }

  /// The names of the files that the columns of a store refer to, whatever its model.
  ///
  /// The folder may contain files of other stores: those next to it that differ only in the
  /// extension.
  ///
  /// - Parameter ofAnyType: whether to include columns that are not declared to hold bytes.
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
      // Those of other programs may be keywords.
      let table = (columns.string(at: 0) ?? "").quotedAlways
      let column = (columns.string(at: 1) ?? "").quotedAlways
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

  /// Removes files unless another store may refer to them, and the folders if they are empty.
  func remove(_ names: Set<String>) {
    if !names.isEmpty, let others = try? namesOfNeighbours() {
      for name in names.subtracting(others) { remove(name) }
    }
    rmdir(folder.path)
    rmdir(folder.deletingLastPathComponent().path)
  }

  /// Whether there is a file with a name.
  func has(_ name: String) -> Bool { access(folder.appending(path: name).path, F_OK) == 0 }

  /// Writes a value to a new file, which is on the disk when this returns.
  ///
  /// - Throws: `PersistentStoreError`; then no file is left.
  func write(_ bytes: UnsafeRawBufferPointer) throws -> String {
    let name = UUID().uuidString
    try write(bytes, as: name)
    return name
  }

  /// Copies a value's file to another store; the copy is on the disk when this returns.
  ///
  /// - Throws: `PersistentStoreError`, `missingExternalData` if the file does not exist.
  func copy(_ name: String, to other: ExternalDataFiles) throws {
    try read(name).withUnsafeBytes { try other.write($0, as: name) }
  }

  private func write(_ bytes: UnsafeRawBufferPointer, as name: String) throws {
    try makeFolder()
    let url = folder.appending(path: name)
    let file = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw PersistentStoreError(errno: errno, at: url) }
    defer { close(file) }
    shareWithGroup(file, at: url.path)
    if let code = writeAll(bytes, to: file) { throw abandon(url, code) }
    guard fsync(file) == 0 else { throw abandon(url, errno) }
    do {
      try sync(folder)
    } catch {
      unlink(url.path)
      throw error
    }
  }

  /// Removes a value's file, if it exists.
  func remove(_ name: String) { unlink(folder.appending(path: name).path) }

  private func abandon(_ url: URL, _ code: Int32) -> PersistentStoreError {
    unlink(url.path)
    return PersistentStoreError(errno: code, at: url)
  }

  /// Makes the folder, and syncs its name to the disk.
  ///
  /// A folder with a file in it was synced before that file was made; an empty one may be that of a
  /// process that was killed.
  private func makeFolder() throws {
    let support = folder.deletingLastPathComponent()
    for path in [support, folder] {
      if mkdir(path.path, 0o700) == 0 {
        shareFolderWithGroup(at: path.path)
      } else {
        guard errno == EEXIST else { throw PersistentStoreError(errno: errno, at: path) }
      }
    }
    guard isEmpty else { return }
    try sync(support.deletingLastPathComponent())
    try sync(support)
  }

  /// Whether there is no file in the folder.
  private var isEmpty: Bool {
    guard let entries = opendir(folder.path) else { return true }
    defer { closedir(entries) }
    // Two of them are the folder and its parent.
    var count = 0
    while count < 3, readdir(entries) != nil { count += 1 }
    return count < 3
  }

  /// Syncs the names in a folder to the disk, if the system supports that.
  private func sync(_ folder: URL) throws {
    if let code = syncFolder(at: folder.path) {
      throw PersistentStoreError(errno: code, at: folder)
    }
  }
}

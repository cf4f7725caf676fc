import SystemLibraries

/// Copying, replacing and destroying documents that are not open here.
extension DocumentStore {
  /// Copies a consistent snapshot of the document to a new file.
  ///
  /// - Throws: `PersistentStoreError`: `failed` with `EEXIST` if the file exists.
  func copy(to target: URL) throws {
    guard let url else { return }
    let bytes = try DocumentFile(url, busyTimeout: busyTimeout).read()
    try Self.check(bytes, of: url, as: kind)
    try Self.write(bytes, to: target)
  }

  /// Writes a new file.
  ///
  /// - Throws: `PersistentStoreError`: `failed` with `EEXIST` if the file exists.
  static func write(_ bytes: [UInt8], to url: URL) throws {
    let draft = try NewFile(at: url.filePath.resolvingFinalSymlink, for: url)
    try draft.write(bytes)
    guard case .inPlace = try draft.finish(mayReserve: true) else {
      throw PersistentStoreError(errno: EEXIST, at: url)
    }
  }

  /// Replaces a document with a copy of another one, or creates the copy.
  ///
  /// - Throws: `PersistentStoreError`; then the destination is unchanged.
  static func replace(
    at url: URL, _ options: PersistentStoreOptions, withStoreAt source: URL,
    _ sourceOptions: PersistentStoreOptions, as kind: any DocumentFormat.Type
  ) throws {
    let bytes = try DocumentFile(source, busyTimeout: sourceOptions.busyTimeout).read()
    try check(bytes, of: source, as: kind)
    let file = DocumentFile(url, busyTimeout: options.busyTimeout)
    guard try file.exists() || file.isEmpty() else {
      // Another process may have created a store there in the meantime.
      guard case .inPlace = try file.draft(bytes).finish(mayReserve: true) else {
        throw PersistentStoreError.busy(url)
      }
      return
    }
    try change(file, options, as: kind, to: bytes)
  }

  /// Empties a document's file, in which a new store can be created.
  ///
  /// - Throws: `PersistentStoreError`; then the document is unchanged.
  static func destroy(
    at url: URL, options: PersistentStoreOptions, as kind: any DocumentFormat.Type
  ) throws {
    let file = DocumentFile(url, busyTimeout: options.busyTimeout)
    if options.forcesDestroy {
      guard file.path.withSystemPath({ unlink($0) }) == 0 || errno == ENOENT else {
        throw PersistentStoreError(errno: errno, at: url)
      }
      return try file.syncName()
    }
    if try file.exists() { try change(file, options, as: kind, to: []) }
  }

  /// Replaces the bytes of a document's file while holding the lock.
  private static func change(
    _ file: DocumentFile, _ options: PersistentStoreOptions, as kind: any DocumentFormat.Type,
    to bytes: [UInt8]
  ) throws {
    try file.lock()
    defer { file.unlock() }
    // A file that is not such a document must not be changed.
    if try !options.forcesDestroy && file.exists() {
      try check(file.read(), of: file.url, as: kind)
    }
    try file.replace(with: file.draft(bytes))
    try file.syncName()
  }

  /// Checks that bytes are a document of a store type.
  private static func check(
    _ bytes: [UInt8], of url: URL, as kind: any DocumentFormat.Type
  ) throws {
    try mapping(at: url) { () throws in _ = try kind.init(headOf: bytes) }
  }
}

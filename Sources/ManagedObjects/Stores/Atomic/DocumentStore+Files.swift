import SystemLibraries

/// Documents that are not open here, replaced and taken away.
extension DocumentStore {
  /// Copies the document into a new file, as it is at one moment, whatever others have saved.
  ///
  /// - Throws: `PersistentStoreError`: `failed` with `EEXIST` where there is a file already.
  func copy(to target: URL) throws {
    guard let url else { return }
    let bytes = try DocumentFile(url, busyTimeout: busyTimeout).read()
    try Self.check(bytes, of: url, as: kind)
    try Self.write(bytes, to: target)
  }

  /// Writes a new file.
  ///
  /// - Throws: `PersistentStoreError`: `failed` with `EEXIST` where there is one already.
  static func write(_ bytes: [UInt8], to url: URL) throws {
    let draft = try NewFile(at: url.filePath.behindLinks, for: url)
    try draft.write(bytes)
    guard case .inPlace = try draft.finish(mayReserve: true) else {
      throw PersistentStoreError(errno: EEXIST, at: url)
    }
  }

  /// Puts a copy of one document in the place of another one, or where there is none.
  ///
  /// - Throws: `PersistentStoreError`; what was there is still there then.
  static func replace(
    at url: URL, _ options: PersistentStoreOptions, withStoreAt source: URL,
    _ sourceOptions: PersistentStoreOptions, as kind: any StoreDocument.Type
  ) throws {
    let bytes = try DocumentFile(source, busyTimeout: sourceOptions.busyTimeout).read()
    try check(bytes, of: source, as: kind)
    let file = DocumentFile(url, busyTimeout: options.busyTimeout)
    guard try file.isThere() || file.isEmpty() else {
      // Who was faster has a store there by now.
      guard case .inPlace = try file.draft(bytes).finish(mayReserve: true) else {
        throw PersistentStoreError.busy(url)
      }
      return
    }
    try change(file, options, as: kind, to: bytes)
  }

  /// Empties a document's file, in which one can be made anew.
  ///
  /// - Throws: `PersistentStoreError`; the document is as it was then.
  static func destroy(
    at url: URL, options: PersistentStoreOptions, as kind: any StoreDocument.Type
  ) throws {
    let file = DocumentFile(url, busyTimeout: options.busyTimeout)
    if options.forcesDestroy {
      guard file.path.withSystemPath({ unlink($0) }) == 0 || errno == ENOENT else {
        throw PersistentStoreError(errno: errno, at: url)
      }
      return try file.syncName()
    }
    if try file.isThere() { try change(file, options, as: kind, to: []) }
  }

  /// Gives a document's file other bytes, while nobody else writes.
  private static func change(
    _ file: DocumentFile, _ options: PersistentStoreOptions, as kind: any StoreDocument.Type,
    to bytes: [UInt8]
  ) throws {
    try file.lock()
    defer { file.unlock() }
    // Another program's file is none of ours to change.
    if try !options.forcesDestroy && file.isThere() {
      try check(file.read(), of: file.url, as: kind)
    }
    try file.replace(with: file.draft(bytes))
    try file.syncName()
  }

  /// Makes sure that bytes are a document of a kind.
  private static func check(
    _ bytes: [UInt8], of url: URL, as kind: any StoreDocument.Type
  ) throws {
    try mapping(at: url) { () throws in _ = try kind.init(headOf: bytes) }
  }
}

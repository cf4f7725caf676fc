import DataFormats
import ManagedObjects
import SystemLibraries

extension CSVFiles {
  /// Whether a file was changed since it was last read or written.
  var haveChanged: Bool { seen.contains { name, found in trace(name) != found } }

  /// Runs a body that reads files, and repeats it if a save came in between, so that all files are
  /// from the same state.
  func reading<Result>(_ body: () throws -> Result) throws -> Result {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(busyTimeout)
    let before = seen
    while true {
      seen = [:]
      let result = Swift.Result { try body() }
      if !haveChanged {
        // Files that could not be read do not count as read.
        if case .failure = result { seen = before }
        return try result.get()
      }
      guard clock.now < end else { throw PersistentStoreError.busy(folder) }
      usleep(.random(in: 500..<5_000))
    }
  }

  /// The manifest; nil if there is none.
  func readManifest() throws -> CSVManifest? {
    guard let bytes = try bytes(Self.manifestName) else { return nil }
    do throws(DataError) {
      return try CSVManifest(bytes)
    } catch {
      throw PersistentStoreError.malformedDocument(
        url(Self.manifestName), line: error.line, column: error.column, error.reason)
    }
  }

  /// The bytes of an entity's file and its location; nil if it is not part of the store.
  ///
  /// - Throws: `PersistentStoreError.fileNotFound` if a file in the manifest is missing.
  func read(_ name: String, in manifest: CSVManifest) throws -> (file: URL, bytes: [UInt8])? {
    guard manifest.files.contains(name) else { return nil }
    if manifest.pending.contains(name) {
      try refuseIfEdited(name)
      // If the draft is missing, it was already renamed over the old file.
      if let bytes = try bytes(draft(of: name)) { return (url(draft(of: name)), bytes) }
    }
    guard let bytes = try bytes(name) else { throw PersistentStoreError.fileNotFound(url(name)) }
    return (url(name), bytes)
  }

  /// Refuses a file that was edited after a save which was interrupted before replacing it.
  func refuseIfEdited(_ name: String) throws {
    guard let draft = trace(draft(of: name)), let found = trace(name), found.isLater(than: draft)
    else { return }
    throw PersistentStoreError.malformedDocument(
      url(name), line: nil, column: nil,
      "it was edited while a save had written a new version to \(self.draft(of: name)): remove one of them"
    )
  }

  private func bytes(_ name: String) throws -> [UInt8]? {
    // Checked before reading: a change in the meantime is found by the next check.
    let info = look(name)
    seen[name] = info.map { FileStatus($0) }
    guard let info else {
      guard errno != ENOTDIR else { throw PersistentStoreError(errno: ENOTDIR, at: folder) }
      guard errno == ENOENT else { throw error(errno, name) }
      return nil
    }
    // A pipe would block.
    guard info.st_mode & S_IFMT == S_IFREG else { throw PersistentStoreError.notAFile(url(name)) }
    do {
      return try InputFile.bytes(of: folder.path + "/" + name, atMost: 1 << 31 - 1)
    } catch InputFile.Failure.system(let code) {
      throw error(code, name)
    } catch {
      throw PersistentStoreError.malformedDocument(
        url(name), line: nil, column: nil, "the file is too large")
    }
  }
}

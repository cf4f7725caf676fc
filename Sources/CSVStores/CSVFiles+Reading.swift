import DataFormats
import ManagedObjects
import SystemLibraries

extension CSVFiles {
  /// Whether a file is another one than was read or written last.
  var haveChanged: Bool { seen.contains { name, found in trace(name) != found } }

  /// Runs a body that reads, again where a save has come between: the files are those of one
  /// moment.
  func reading<Result>(_ body: () throws -> Result) throws -> Result {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(busyTimeout)
    let before = seen
    while true {
      seen = [:]
      let result = Swift.Result { try body() }
      if !haveChanged {
        // What could not be read is not what was read last.
        if case .failure = result { seen = before }
        return try result.get()
      }
      guard clock.now < end else { throw PersistentStoreError.busy(folder) }
      usleep(.random(in: 500..<5_000))
    }
  }

  /// The manifest; nil where there is none.
  func readManifest() throws -> CSVManifest? {
    guard let bytes = try bytes(Self.manifestName) else { return nil }
    do throws(DataError) {
      return try CSVManifest(bytes)
    } catch {
      throw PersistentStoreError.malformedDocument(
        url(Self.manifestName), line: error.line, column: error.column, error.reason)
    }
  }

  /// The bytes of an entity's file, and where they are; nil where it is no part of the store.
  ///
  /// - Throws: `PersistentStoreError.fileNotFound` where the manifest names a file that is gone.
  func read(_ name: String, in manifest: CSVManifest) throws -> (file: URL, bytes: [UInt8])? {
    guard manifest.files.contains(name) else { return nil }
    if manifest.pending.contains(name) {
      try refuseIfEdited(name)
      // One that is not there any more has been renamed over the old one.
      if let bytes = try bytes(draft(of: name)) { return (url(draft(of: name)), bytes) }
    }
    guard let bytes = try bytes(name) else { throw PersistentStoreError.fileNotFound(url(name)) }
    return (url(name), bytes)
  }

  /// Refuses a file that somebody has edited after a save that was cut before it replaced the file.
  func refuseIfEdited(_ name: String) throws {
    guard let draft = trace(draft(of: name)), let found = trace(name), found.isLater(than: draft)
    else { return }
    throw PersistentStoreError.malformedDocument(
      url(name), line: nil, column: nil,
      "it was edited while a save had its new version in \(self.draft(of: name)): remove one of them"
    )
  }

  private func bytes(_ name: String) throws -> [UInt8]? {
    // Looked at before it is read: what changes meanwhile is found by the next look.
    let info = look(name)
    seen[name] = info.map { FileTrace($0) }
    guard let info else {
      guard errno != ENOTDIR else { throw PersistentStoreError(errno: ENOTDIR, at: folder) }
      guard errno == ENOENT else { throw error(errno, name) }
      return nil
    }
    // A pipe must not be waited for.
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

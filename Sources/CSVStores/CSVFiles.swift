import DataFormats
import ManagedObjects
import SystemLibraries

// In the type's own scope these names are other functions'.
private let lockFile = flock
private let writeFile = write

/// The files of a CSV store: read as they are at one moment, and replaced in one step.
///
/// A save writes each file that changes beside the old one, `.Dog.csv.new`, then a manifest that
/// says so and takes the place of the old manifest: from then on the new ones count. Then they take
/// the places of the old ones, and a last manifest says that nothing is left to do. Whoever is
/// killed in between leaves a store that anybody can read, and whoever comes next brings to its
/// end.
final class CSVFiles {
  let folder: URL
  private let busyTimeout: Double
  static let manifestName = "manifest.json"
  /// The folder, which is locked.
  private var locked: Int32?
  /// What was there when the store was read or written last; nil for what was not there.
  private var seen: [String: Traces?] = [:]

  /// What tells whether a file has changed.
  private struct Traces: Equatable {
    let file: FileIdentity
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    init(_ info: stat) {
      file = FileIdentity(info)
      size = Int(info.st_size)
      let time = info.modificationTime
      (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
    }

    func isLater(than other: Traces) -> Bool {
      (seconds, nanoseconds) > (other.seconds, other.nanoseconds)
    }
  }

  init(folder: URL, busyTimeout: Double) {
    self.folder = folder
    self.busyTimeout = busyTimeout
  }

  deinit { unlock() }

  private func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

  /// Calls a function of the system with the path of a file.
  private func with<Result>(_ name: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (folder.path + "/" + name).withSystemPath(body)
  }

  private func look(_ name: String) -> stat? {
    var info = stat()
    return with(name) { stat($0, &info) } == 0 ? info : nil
  }

  private func traces(_ name: String) -> Traces? { look(name).map { Traces($0) } }

  /// Where the new version of a file is written.
  private func draft(of name: String) -> String { ".\(name).new" }

  private func error(_ code: Int32, _ name: String) -> PersistentStoreError {
    PersistentStoreError(errno: code, at: url(name))
  }

  // MARK: Locking

  var isLocked: Bool { locked != nil }

  /// Waits until nobody else saves.
  ///
  /// - Parameter makesFolder: whether there may be no folder yet.
  func lock(makesFolder: Bool) throws {
    guard locked == nil else { return }
    let path = folder.path
    if makesFolder, path.withSystemPath({ mkdir($0, 0o700) }) != 0, errno != EEXIST {
      throw PersistentStoreError(errno: errno, at: folder)
    }
    let clock = ContinuousClock()
    let end = clock.now + .seconds(busyTimeout)
    while true {
      let descriptor = path.withSystemPath { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
      guard descriptor >= 0 else {
        throw errno == ENOENT
          ? PersistentStoreError.moved(folder) : PersistentStoreError(errno: errno, at: folder)
      }
      var info = stat()
      if lockFile(descriptor, LOCK_EX | LOCK_NB) == 0 {
        // Another folder may have come in its place.
        if fstat(descriptor, &info) == 0, FileIdentity(path) == FileIdentity(info) {
          locked = descriptor
          return
        }
      } else if ![EWOULDBLOCK, EINTR].contains(errno) {
        let code = errno
        close(descriptor)
        throw PersistentStoreError(errno: code, at: folder)
      }
      close(descriptor)
      guard clock.now < end else { throw PersistentStoreError.busy(folder) }
      usleep(.random(in: 500..<5_000))
    }
  }

  func unlock() {
    if let locked { close(locked) }
    locked = nil
  }

  // MARK: Reading

  /// Whether a file is another one than was read or written last.
  var haveChanged: Bool { seen.contains { name, found in traces(name) != found } }

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
      // One that is not there any more has taken the old one's place.
      if let bytes = try bytes(draft(of: name)) { return (url(draft(of: name)), bytes) }
    }
    guard let bytes = try bytes(name) else { throw PersistentStoreError.fileNotFound(url(name)) }
    return (url(name), bytes)
  }

  /// Refuses a file that somebody has edited after a save that did not come to put its new version
  /// there.
  private func refuseIfEdited(_ name: String) throws {
    guard let draft = traces(draft(of: name)), let found = traces(name), found.isLater(than: draft)
    else { return }
    throw PersistentStoreError.malformedDocument(
      url(name), line: nil, column: nil,
      "it was edited while a save had its new version in \(self.draft(of: name)): remove one of them"
    )
  }

  private func bytes(_ name: String) throws -> [UInt8]? {
    // Looked at before it is read: what changes meanwhile is found by the next look.
    let info = look(name)
    seen[name] = info.map { Traces($0) }
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

  // MARK: Writing

  /// Puts the new versions of files, if any are left, in the places of the old ones, and removes
  /// what saves left behind that never counted.
  func settle(_ manifest: inout CSVManifest) throws {
    for name in [Self.manifestName] + manifest.files where !manifest.pending.contains(name) {
      _ = with(draft(of: name)) { unlink($0) }
    }
    guard !manifest.pending.isEmpty else { return }
    for name in manifest.pending { try refuseIfEdited(name) }
    try putInPlace(&manifest)
  }

  private func putInPlace(_ manifest: inout CSVManifest) throws {
    for name in manifest.pending {
      let draft = draft(of: name)
      guard with(draft, { from in with(name) { rename(from, $0) } }) == 0 || errno == ENOENT else {
        throw error(errno, name)
      }
      if let traces = seen.removeValue(forKey: draft), let traces { seen[name] = traces }
    }
    try syncFolder()
    var settled = manifest
    settled.pending = []
    try writeManifest(settled)
    manifest = settled
  }

  /// Saves files and a manifest in one step.
  ///
  /// - Throws: `PersistentStoreError`; what was stored is still there then, unless it is `uncertain`.
  func write(
    _ changed: [(name: String, bytes: [UInt8])], _ manifest: inout CSVManifest, known: Set<String>
  ) throws {
    // Another program's file is none of ours to replace.
    for (name, _) in changed where !known.contains(name) && look(name) != nil {
      throw error(EEXIST, name)
    }
    manifest.pending = changed.map(\.name)
    var drafts: [String: Traces?] = [:]
    do {
      for (name, bytes) in changed {
        drafts[draft(of: name)] = try write(bytes, for: name)
      }
      try syncFolder()
      // An editor may write into it whatever the lock says.
      guard !haveChanged else { throw PersistentStoreError.busy(folder) }
      try writeManifest(manifest)
    } catch {
      if case .uncertain? = error as? PersistentStoreError { throw error }
      for (name, _) in changed { _ = with(draft(of: name)) { unlink($0) } }
      throw error
    }
    seen.merge(drafts) { $1 }
    // It is saved: whatever fails from here on is left to who comes next.
    try? putInPlace(&manifest)
  }

  /// Replaces the manifest.
  ///
  /// - Throws: `PersistentStoreError`: `uncertain` where it was replaced, but a power loss may bring the
  ///   old one back; else it was not.
  private func writeManifest(_ manifest: CSVManifest) throws {
    let name = Self.manifestName
    let draft = draft(of: name)
    let traces = try write(manifest.bytes, for: name)
    guard with(draft, { from in with(name) { rename(from, $0) } }) == 0 else {
      let code = errno
      _ = with(draft) { unlink($0) }
      throw error(code, name)
    }
    try syncFolder(isUncertain: true)
    seen[name] = traces
  }

  /// Writes the new version of a file, with the old one's permissions; it is on the disk
  /// afterwards, but for its name.
  private func write(_ bytes: [UInt8], for name: String) throws -> Traces {
    let draft = draft(of: name)
    _ = with(draft) { unlink($0) }
    let descriptor = with(draft) { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
    guard descriptor >= 0 else { throw error(errno, name) }
    defer { close(descriptor) }
    var rest = bytes[...]
    var code: Int32 = 0
    while !rest.isEmpty, code == 0 {
      let count = rest.withUnsafeBytes { writeFile(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { code = errno }
      rest = rest.dropFirst(max(0, count))
    }
    if let old = look(name) { share(descriptor, like: old) }
    var info = stat()
    if code == 0, fsync(descriptor) != 0 || fstat(descriptor, &info) != 0 { code = errno }
    guard code == 0 else {
      _ = with(draft) { unlink($0) }
      throw error(code, name)
    }
    return Traces(info)
  }

  /// Gives a file the owner and the permissions of another one.
  private func share(_ descriptor: Int32, like old: stat) {
    // In this order: giving a file away takes some permissions from it. Who may not has a file of
    // his own.
    if old.st_uid != getuid() || old.st_gid != getgid(),
      fchown(descriptor, old.st_uid, old.st_gid) != 0
    {
      _ = fchown(descriptor, .max, old.st_gid)
    }
    _ = fchmod(descriptor, old.st_mode & 0o7777)
  }

  private func syncFolder(isUncertain: Bool = false) throws {
    guard let locked else { fatalError("A CSV store is written without a lock.") }
    guard fsync(locked) == 0 || [EINVAL, EBADF, ENOTSUP, EROFS].contains(errno) else {
      throw PersistentStoreError(errno: errno, at: folder, isUncertain: isUncertain)
    }
  }

  /// Takes files away, and what saves have left beside them.
  func remove(_ names: [String]) throws {
    for name in names {
      for path in [draft(of: name), name] {
        guard with(path, { unlink($0) }) == 0 || errno == ENOENT else { throw error(errno, name) }
      }
    }
    if !names.isEmpty { try syncFolder() }
  }

  /// Takes a file away that is in the folder's place.
  func removeFile() throws {
    var info = stat()
    guard folder.path.withSystemPath({ stat($0, &info) }) == 0, info.st_mode & S_IFMT != S_IFDIR,
      folder.path.withSystemPath({ unlink($0) }) != 0
    else { return }
    throw PersistentStoreError(errno: errno, at: folder)
  }
}

@available(*, unavailable) extension CSVFiles: Sendable {}

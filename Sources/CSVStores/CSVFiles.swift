import DataFormats
import ManagedObjects
import SystemLibraries

// In the type's own scope the name refers to another function.
private let lockFile = flock

/// The files of a CSV store, read as a consistent state and replaced atomically.
///
/// A save writes each changed file next to the old one, as `.Dog.csv.new`, and then replaces the
/// manifest with one that lists them as pending: from then on the new files are valid. Then it
/// renames each over the old one, removes the files that the manifest lists as removed, and
/// replaces the manifest again, with nothing pending. If the program is killed in between, the
/// store is valid for every reader, and the next save completes the interrupted one.
final class CSVFiles {
  let folder: URL
  let busyTimeout: Double
  static let manifestName = "manifest.json"
  /// The descriptor of the locked folder; nil while it is not locked.
  var locked: Int32?
  /// The state of each file when the store was last read or written; nil for a missing file.
  var seen: [String: FileStatus?] = [:]

  init(folder: URL, busyTimeout: Double) {
    self.folder = folder
    self.busyTimeout = busyTimeout
  }

  deinit { unlock() }

  func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

  /// Calls a system function with the path of a file.
  func with<Result>(_ name: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (folder.path + "/" + name).withSystemPath(body)
  }

  func look(_ name: String) -> stat? {
    var info = stat()
    return with(name) { stat($0, &info) } == 0 ? info : nil
  }

  func trace(_ name: String) -> FileStatus? { look(name).map { FileStatus($0) } }

  /// The name under which the new version of a file is written.
  func draft(of name: String) -> String { ".\(name).new" }

  func error(_ code: Int32, _ name: String) -> PersistentStoreError {
    PersistentStoreError(errno: code, at: url(name))
  }

  // MARK: Locking

  var isLocked: Bool { locked != nil }

  /// Acquires the lock, waiting until no other process saves.
  ///
  /// - Parameter makesFolder: whether to create a missing folder.
  func lock(makesFolder: Bool) throws {
    guard locked == nil else { return }
    let path = folder.path
    if makesFolder {
      if path.withSystemPath({ mkdir($0, 0o700) }) == 0 {
        shareFolderWithGroup(at: path)
      } else if errno != EEXIST {
        throw PersistentStoreError(errno: errno, at: folder)
      }
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
        // The folder may have been replaced.
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
}

@available(*, unavailable) extension CSVFiles: Sendable {}

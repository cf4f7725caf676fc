import DataFormats
import ManagedObjects
import SystemLibraries

// In the type's own scope the name is another function's.
private let lockFile = flock

/// The files of a CSV store: read as they are at one moment, and replaced in one step.
///
/// A save writes each file that changes beside the old one, `.Dog.csv.new`, then replaces the
/// manifest by one that names them as pending: from then on the new files count. Then it renames
/// each over the old one, removes those that the manifest names as no part of it any more, and
/// replaces the manifest once more, with nothing pending. A program that
/// is killed in between leaves a store that every reader understands, and the next one that saves
/// completes the save.
final class CSVFiles {
  let folder: URL
  let busyTimeout: Double
  static let manifestName = "manifest.json"
  /// The folder, which is locked.
  var locked: Int32?
  /// What was there when the store was read or written last; nil for what was not there.
  var seen: [String: FileTrace?] = [:]

  init(folder: URL, busyTimeout: Double) {
    self.folder = folder
    self.busyTimeout = busyTimeout
  }

  deinit { unlock() }

  func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

  /// Calls a function of the system with the path of a file.
  func with<Result>(_ name: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (folder.path + "/" + name).withSystemPath(body)
  }

  func look(_ name: String) -> stat? {
    var info = stat()
    return with(name) { stat($0, &info) } == 0 ? info : nil
  }

  func trace(_ name: String) -> FileTrace? { look(name).map { FileTrace($0) } }

  /// Where the new version of a file is written.
  func draft(of name: String) -> String { ".\(name).new" }

  func error(_ code: Int32, _ name: String) -> PersistentStoreError {
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
        // The folder may have been replaced by another one.
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

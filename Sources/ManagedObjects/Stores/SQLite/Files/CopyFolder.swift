package import SystemLibraries

/// A folder for one process's copy of a store.
///
/// It is removed with the object or, if the process was killed, when a program of the same user
/// creates the next one.
///
///     let folder = try CopyFolder(forCopyOf: url)
///     // … fill folder.url
///     folder.remove()
///
/// The process holds a lock on its folder, which the system releases however the process ends. A
/// folder that is not locked is a leftover.
package final class CopyFolder {
  /// The URL of the folder, which only its owner can access.
  package let url: URL
  private var descriptor: Int32

  /// The prefix of the names of all such folders.
  static let prefix = "managed-objects-copy-"
  /// The maximum number of attempts, if another process removes new folders as leftovers.
  private static let mostAttempts = 20

  /// The folder that contains them: `TMPDIR`, or `/tmp`.
  static var parent: URL {
    URL(filePath: getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
  }

  /// Creates a folder and removes leftover ones.
  ///
  /// - Parameter url: the store to be copied, which errors refer to.
  /// - Throws: `PersistentStoreError.noTemporaryCopy`.
  package init(forCopyOf url: URL) throws {
    Self.removeLeftFolders()
    let parent = Self.parent
    for _ in 0..<Self.mostAttempts {
      var template = Array("\(parent.path)/\(Self.prefix)XXXXXX".utf8CString)
      guard let made = mkdtemp(&template) else { break }
      let path = String(cString: made)
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      // If the system cannot lock folders, no process can take this one for a leftover.
      if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
        close(descriptor)
        continue
      }
      guard access(path, F_OK) == 0 else {
        if descriptor >= 0 { close(descriptor) }
        continue
      }
      self.url = URL(filePath: path)
      self.descriptor = descriptor
      return
    }
    throw PersistentStoreError.noTemporaryCopy(
      url, folder: parent, reason: String(cString: strerror(errno)))
  }

  deinit { remove() }

  /// Removes the folder with its contents; a process that has a file in it open can continue to
  /// read.
  package func remove() {
    guard descriptor != Self.removed else { return }
    try? FileManager.default.removeItem(at: url)
    if descriptor >= 0 { close(descriptor) }
    descriptor = Self.removed
  }

  private static let removed: Int32 = -2

  /// Removes the folders of this user whose processes were killed.
  private static func removeLeftFolders() {
    let parent = parent.path
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: parent) else { return }
    for name in names where name.hasPrefix(prefix) {
      let path = "\(parent)/\(name)"
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var info = stat()
      guard fstat(descriptor, &info) == 0, info.st_uid == geteuid(),
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}

@available(*, unavailable) extension CopyFolder: Sendable {}

package import SystemLibraries

/// A folder for the copy of a store that one process works on: it goes with the object, and where the process was killed,
/// with the next folder that anybody of the same user makes.
///
///     let folder = try CopyFolder(forCopyOf: url)
///     // … fill folder.url
///     folder.remove()
///
/// The process holds a lock on its folder, which the system takes from it however it ends. What nobody
/// holds was left behind.
package final class CopyFolder {
  /// Where it is; nobody but its owner may look into it.
  package let url: URL
  private var descriptor: Int32

  /// What the names of all of them begin with.
  static let prefix = "managed-objects-copy-"
  /// How often another one is made where a process that clears up is faster.
  private static let mostAttempts = 20

  /// Where they are made: in `TMPDIR`, or `/tmp`.
  static var parent: URL {
    URL(filePath: getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
  }

  /// Makes a new folder, and removes those that were left behind.
  ///
  /// - Parameter url: the store that is to be copied, which errors are about.
  /// - Throws: `PersistentStoreError.noTemporaryCopy`.
  package init(forCopyOf url: URL) throws {
    Self.removeLeftFolders()
    let parent = Self.parent
    for _ in 0..<Self.mostAttempts {
      var template = Array("\(parent.path)/\(Self.prefix)XXXXXX".utf8CString)
      guard let made = mkdtemp(&template) else { break }
      let path = String(cString: made)
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      // Where the system locks no folders, nobody can take it for one that was left.
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

  /// Removes it with all that is in it; whoever has a file of it open keeps what it is reading.
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

import SystemLibraries

/// Temporary files and folders that were left behind by processes which were killed or interrupted.
///
/// The name of a draft contains a number for the machine, and the process that fills it holds a
/// lock (`flock`), which the system releases however the process ends. So the next process that
/// writes the file, or the folder, recognises abandoned drafts, and removes them. Those of other
/// machines are kept, since their locks may not be visible here.
package enum AbandonedDrafts {
  /// The part between a file's name and the random suffix of its draft: a number for the machine.
  package static var mark: String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    var number = FNV1a()
    for byte in name.prefix(while: { $0 != 0 }) { number.add(UInt8(bitPattern: byte)) }
    return ".draft-\(String(UInt32(truncatingIfNeeded: number.value), radix: 36))"
  }

  /// Locks a new draft; returns false if another process has locked or removed it.
  package static func hold(_ descriptor: Int32) -> Bool {
    // If the system cannot lock such files, no process can take it for a leftover.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return false }
    var info = stat()
    return fstat(descriptor, &info) == 0 && info.st_nlink > 0
  }

  /// Creates a folder as a draft of another one, locked until its descriptor is closed.
  ///
  ///     let draft = AbandonedDrafts.makeFolder(of: "/walks/Kennel.kennel")
  ///
  /// - Parameter isPrivate: whether it is for its owner alone, whatever the umask.
  /// - Returns: its path and descriptor; nil if it cannot be created, with the reason in `errno`.
  package static func makeFolder(
    of path: String, isPrivate: Bool = false
  ) -> (path: String, descriptor: Int32)? {
    // Another process may take a new folder for a leftover before it is locked; then retry.
    for _ in 0..<100 {
      let draft = path + mark + "." + String(UInt32.random(in: .min ... .max), radix: 36)
      guard mkdir(draft, isPrivate ? 0o700 : 0o777) == 0 else {
        if errno == EEXIST { continue }
        return nil
      }
      let descriptor = open(draft, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      if descriptor >= 0, hold(descriptor) { return (draft, descriptor) }
      if descriptor >= 0 { close(descriptor) }
    }
    errno = EBUSY
    return nil
  }

  /// The suffixes of SQLite's files next to a draft.
  package static let companions = ["-wal", "-journal"]

  /// Removes the drafts of a file or folder whose processes on this machine have ended.
  package static func remove(of path: String) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let start = name + mark + "."
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
    for name in names where name.hasPrefix(start) && !companions.contains(where: name.hasSuffix) {
      let draft = slash == nil ? name : folder + name
      var descriptor = open(draft, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      if descriptor < 0, errno == EISDIR {
        descriptor = open(draft, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      }
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var info = stat()
      guard fstat(descriptor, &info) == 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        continue
      }
      // One that was renamed in the meantime is no longer a draft.
      switch info.st_mode & S_IFMT {
      case S_IFREG: for end in companions + [""] { unlink(draft + end) }
      case S_IFDIR: try? FileManager.default.removeItem(atPath: draft)
      default: continue
      }
    }
  }
}

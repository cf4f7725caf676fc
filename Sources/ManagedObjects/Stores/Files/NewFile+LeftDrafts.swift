import DataFormats
import SystemLibraries

/// Drafts that processes leave behind which are killed.
///
/// A marked draft has the machine in its name, and whoever fills it holds a lock on it, which the
/// system takes away however the process ends. Those of other machines stay, as locks may not reach
/// there.
extension NewFile {
  /// What stands between a file's name and the random end of a draft's: a number for the machine.
  static var mark: String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    var number = FNV1a()
    for byte in name.prefix(while: { $0 != 0 }) { number.add(UInt8(bitPattern: byte)) }
    return ".draft-\(String(UInt32(truncatingIfNeeded: number.value), radix: 36))"
  }

  /// Locks a new draft; false where somebody else has locked it, or removed it.
  static func hold(_ descriptor: Int32) -> Bool {
    // Where the system locks no such file, nobody can take it for one that was left.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return false }
    var info = stat()
    return fstat(descriptor, &info) == 0 && info.st_nlink > 0
  }

  /// Removes the marked drafts of a file whose processes were killed on this machine.
  static func removeLeftDrafts(of path: String) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let start = name + mark + "."
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
    for name in names where name.hasPrefix(start) {
      let draft = slash == nil ? name : folder + name
      let descriptor = open(draft, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var info = stat()
      guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG,
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      // One that has its name by now is no draft any more.
      unlink(draft)
    }
  }
}

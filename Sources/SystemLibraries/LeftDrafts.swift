/// Drafts of files that processes leave behind which are killed, or interrupted.
///
/// A draft has the machine in its name, and whoever fills it holds a lock on it, which the system
/// takes away however the process ends. So the next one that writes the file knows those that were
/// left. Those of other machines stay, as locks may not reach there.
package enum LeftDrafts {
  /// What stands between a file's name and the random end of a draft's: a number for the machine.
  package static var mark: String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    // FNV-1a.
    var number: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.prefix(while: { $0 != 0 }) {
      number = (number ^ UInt64(UInt8(bitPattern: byte))) &* 0x100_0000_01B3
    }
    return ".draft-\(String(UInt32(truncatingIfNeeded: number), radix: 36))"
  }

  /// Locks a new draft; false where somebody else has locked it, or removed it.
  package static func hold(_ descriptor: Int32) -> Bool {
    // Where the system locks no such file, nobody can take it for one that was left.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return false }
    var info = stat()
    return fstat(descriptor, &info) == 0 && info.st_nlink > 0
  }

  /// What SQLite has beside a draft that it fills.
  package static let companions = ["-wal", "-journal"]

  /// Removes the drafts of a file whose processes have ended on this machine.
  package static func remove(of path: String) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let start = name + mark + "."
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
    for name in names where name.hasPrefix(start) && !companions.contains(where: name.hasSuffix) {
      let draft = slash == nil ? name : folder + name
      let descriptor = open(draft, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var info = stat()
      guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG,
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      // One that has its name by now is no draft any more.
      for end in companions + [""] { unlink(draft + end) }
    }
  }
}

import DataFormats
import ManagedObjects
import SystemLibraries

// In the type's own scope the name is another function's.
private let writeFile = write

extension CSVFiles {
  /// Completes a save that was cut after it counted, and removes what saves left behind that never
  /// counted.
  func completeSave(_ manifest: inout CSVManifest) throws {
    for name in [Self.manifestName] + manifest.files where !manifest.pending.contains(name) {
      _ = with(draft(of: name)) { unlink($0) }
    }
    guard manifest.isIncomplete else { return }
    for name in manifest.pending { try refuseIfEdited(name) }
    try replacePending(&manifest)
  }

  /// Renames the new versions of files over the old ones, and takes away those that are to go.
  private func replacePending(_ manifest: inout CSVManifest) throws {
    for name in manifest.pending {
      let draft = draft(of: name)
      guard with(draft, { from in with(name) { rename(from, $0) } }) == 0 || errno == ENOENT else {
        throw error(errno, name)
      }
      if let trace = seen.removeValue(forKey: draft), let trace { seen[name] = trace }
    }
    // Where a disk does not tell capitals apart, the name may be that of a file which stays.
    let kept = manifest.files.compactMap { identity(of: $0) }
    try remove(manifest.removed.filter { identity(of: $0).map(kept.contains) != true })
    for name in manifest.removed { seen[name] = nil }
    try syncFolder()
    var complete = manifest
    complete.pending = []
    complete.removed = []
    try writeManifest(complete)
    manifest = complete
  }

  /// Saves files and a manifest in one step.
  ///
  /// - Throws: `PersistentStoreError`; what was stored is still there then, unless it is
  ///   `uncertain`.
  func write(
    _ changed: [(name: String, bytes: [UInt8])], _ manifest: inout CSVManifest, known: Set<String>
  ) throws {
    // Another program's file is none of ours to replace. Where a disk does not tell capitals apart,
    // one of ours may have another name.
    for (name, _) in changed where !known.contains(name) {
      guard let there = identity(of: name) else { continue }
      if !known.contains(where: { identity(of: $0) == there }) { throw error(EEXIST, name) }
    }
    manifest.pending = changed.map(\.name)
    var drafts: [String: FileTrace?] = [:]
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
    try? replacePending(&manifest)
  }

  /// Replaces the manifest.
  ///
  /// - Throws: `PersistentStoreError`: `uncertain` where it was replaced, but a power loss may
  ///   bring the old one back; else it was not.
  private func writeManifest(_ manifest: CSVManifest) throws {
    let name = Self.manifestName
    let draft = draft(of: name)
    let trace = try write(manifest.bytes, for: name)
    guard with(draft, { from in with(name) { rename(from, $0) } }) == 0 else {
      let code = errno
      _ = with(draft) { unlink($0) }
      throw error(code, name)
    }
    try syncFolder(isUncertain: true)
    seen[name] = trace
  }

  /// Writes the new version of a file, with the old one's permissions; it is on the disk
  /// afterwards, but for its name.
  private func write(_ bytes: [UInt8], for name: String) throws -> FileTrace {
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
    return FileTrace(info)
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

  private func identity(of name: String) -> FileIdentity? { look(name).map { FileIdentity($0) } }

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

  /// Takes away a file of the folder's name.
  func removeFile() throws {
    var info = stat()
    guard folder.path.withSystemPath({ stat($0, &info) }) == 0, info.st_mode & S_IFMT != S_IFDIR,
      folder.path.withSystemPath({ unlink($0) }) != 0
    else { return }
    throw PersistentStoreError(errno: errno, at: folder)
  }
}

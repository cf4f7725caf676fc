import DataFormats
import ManagedObjects
import SystemLibraries

extension CSVFiles {
  /// Completes an interrupted save whose manifest was written, and removes drafts of saves whose
  /// manifest was not.
  func completeSave(_ manifest: inout CSVManifest) throws {
    for name in [Self.manifestName] + manifest.files where !manifest.pending.contains(name) {
      _ = with(draft(of: name)) { unlink($0) }
    }
    guard manifest.isIncomplete else { return }
    for name in manifest.pending { try refuseIfEdited(name) }
    try replacePending(&manifest)
  }

  /// Renames the new versions of files over the old ones, and removes the files that were dropped.
  private func replacePending(_ manifest: inout CSVManifest) throws {
    for name in manifest.pending {
      let draft = draft(of: name)
      guard with(draft, { from in with(name) { rename(from, $0) } }) == 0 || errno == ENOENT else {
        throw error(errno, name)
      }
      if let trace = seen.removeValue(forKey: draft), let trace { seen[name] = trace }
    }
    // On a file system that ignores case, the name may be that of a file which is kept.
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

  /// Saves files and a manifest atomically.
  ///
  /// - Throws: `PersistentStoreError`; then the stored data are unchanged, unless it is
  ///   `uncertain`.
  func write(
    _ changed: [(name: String, bytes: [UInt8])], _ manifest: inout CSVManifest, known: Set<String>
  ) throws {
    // Another program's file must not be replaced. On a file system that ignores case, a file of
    // this store may have the name in another spelling.
    for (name, _) in changed where !known.contains(name) {
      guard let there = identity(of: name) else { continue }
      if !known.contains(where: { identity(of: $0) == there }) { throw error(EEXIST, name) }
    }
    manifest.pending = changed.map(\.name)
    var drafts: [String: FileStatus?] = [:]
    do {
      for (name, bytes) in changed {
        drafts[draft(of: name)] = try write(bytes, for: name)
      }
      try syncFolder()
      // An editor may write to a file despite the lock.
      guard !haveChanged else { throw PersistentStoreError.busy(folder) }
      try writeManifest(manifest)
    } catch {
      if case .uncertain? = error as? PersistentStoreError {
        // A power failure may restore the old manifest, so the old files stay for now.
        seen.merge(drafts) { $1 }
        throw error
      }
      for (name, _) in changed { _ = with(draft(of: name)) { unlink($0) } }
      throw error
    }
    seen.merge(drafts) { $1 }
    // The save is committed: whatever fails from here on is completed by the next save.
    try? replacePending(&manifest)
  }

  /// Replaces the manifest.
  ///
  /// - Throws: `PersistentStoreError`: `uncertain` if it was replaced but a power failure may
  ///   restore the old one; for any other, it was not replaced.
  private func writeManifest(_ manifest: CSVManifest) throws {
    let name = Self.manifestName
    let draft = draft(of: name)
    let trace = try write(manifest.bytes, for: name)
    guard with(draft, { from in with(name) { rename(from, $0) } }) == 0 else {
      let code = errno
      _ = with(draft) { unlink($0) }
      throw error(code, name)
    }
    seen[name] = trace
    try syncFolder(isUncertain: true)
  }

  /// Writes the new version of a file with the old one's permissions; its contents, but not its
  /// name, are then synced to the disk.
  private func write(_ bytes: [UInt8], for name: String) throws -> FileStatus {
    let draft = draft(of: name)
    _ = with(draft) { unlink($0) }
    let descriptor = with(draft) { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
    guard descriptor >= 0 else { throw error(errno, name) }
    defer { close(descriptor) }
    var code = bytes.withUnsafeBytes { writeAll($0, to: descriptor) } ?? 0
    if let old = look(name) {
      copyOwnership(of: old, to: descriptor)
    } else {
      shareWithGroup(descriptor, at: "\(folder.path)/\(name)")
    }
    var info = stat()
    if code == 0, fsync(descriptor) != 0 || fstat(descriptor, &info) != 0 { code = errno }
    guard code == 0 else {
      _ = with(draft) { unlink($0) }
      throw error(code, name)
    }
    return FileStatus(info)
  }

  private func identity(of name: String) -> FileIdentity? { look(name).map { FileIdentity($0) } }

  private func syncFolder(isUncertain: Bool = false) throws {
    guard let locked else { fatalError("A CSV store is written without a lock.") }
    if let code = SystemLibraries.syncFolder(locked) {
      throw PersistentStoreError(errno: code, at: folder, isUncertain: isUncertain)
    }
  }

  /// Removes files and the drafts that saves left next to them.
  func remove(_ names: [String]) throws {
    for name in names {
      for path in [draft(of: name), name] {
        guard with(path, { unlink($0) }) == 0 || errno == ENOENT else { throw error(errno, name) }
      }
    }
    if !names.isEmpty { try syncFolder() }
  }

  /// Removes a file with the folder's name.
  func removeFile() throws {
    var info = stat()
    guard folder.path.withSystemPath({ stat($0, &info) }) == 0, info.st_mode & S_IFMT != S_IFDIR,
      folder.path.withSystemPath({ unlink($0) }) != 0
    else { return }
    throw PersistentStoreError(errno: errno, at: folder)
  }
}

import DataFormats
import SystemLibraries

/// A new file that appears under its name only once all of it is on the disk.
///
///     let file = try NewFile(at: path, for: url)
///     // fill file.draft
///     guard case .inPlace = try file.finish() else { throw PersistentStoreError.busy(url) }
///
/// Only its owner may read it; in a folder with the set-group-ID bit, its group may too. An
/// unfinished file is deleted when this object is released.
final class NewFile {
  /// The path of the draft to fill, under a temporary name.
  let draft: String
  /// The URL that errors refer to.
  let url: URL
  private let path: String
  private var descriptor: Int32
  /// Whether the draft is locked and has a recognisable name.
  private let isMarked: Bool
  /// Whether the file is on the disk with its permissions.
  private var isPrepared = false

  /// Creates an empty draft of a file at a path that is not a symbolic link.
  ///
  /// - Parameters:
  ///   - url: the URL that errors refer to.
  ///   - folder: the folder of the draft; nil for the folder of the file.
  ///   - isMarked: whether the draft gets a recognisable name next to the file: if the process
  ///     is killed, the next one on this machine that creates such a draft of the same file
  ///     removes it.
  init(
    at path: String, for url: URL, draftIn folder: URL? = nil, isMarked: Bool = false
  ) throws {
    self.path = path
    self.url = url
    self.isMarked = isMarked
    let mark = isMarked ? AbandonedDrafts.mark : ""
    if isMarked { AbandonedDrafts.remove(of: path) }
    let stem = folder.map { "\($0.filePath)/new" } ?? path + mark
    var name = ""
    repeat {
      name = "\(stem).\(String(UInt32.random(in: .min ... .max), radix: 36))"
      descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      // Another process that cleans up may take the new draft for a leftover and delete it; then
      // retry.
      if descriptor >= 0, isMarked, !AbandonedDrafts.hold(descriptor) {
        close(descriptor)
        (descriptor, errno) = (-1, EEXIST)
      }
    } while descriptor < 0 && errno == EEXIST
    draft = name
    guard descriptor >= 0 else { throw PersistentStoreError(errno: errno, at: url) }
    shareWithGroup(descriptor, at: path)
  }

  /// Appends bytes to the draft.
  ///
  /// - Throws: `PersistentStoreError`: `full` if the disk is full.
  func write(_ bytes: [UInt8]) throws {
    if let code = bytes.withUnsafeBytes({ writeAll($0, to: descriptor) }) {
      throw PersistentStoreError(errno: code, at: url)
    }
  }

  /// Takes over another file's permissions and syncs the file, so that only its name is left to
  /// change.
  func prepare(toReplace old: stat) throws {
    copyOwnership(of: old, to: descriptor)
    try check(fsync(descriptor))
    isPrepared = true
  }

  /// Syncs the file and renames it over another one, whose permissions it takes over.
  ///
  /// - Parameter old: the `stat` of the other file.
  /// - Returns: the `stat` of the file in its place.
  /// - Throws: `PersistentStoreError`; then the other file is still there.
  func replace(_ old: stat) throws -> stat {
    if !isPrepared { try prepare(toReplace: old) }
    try check(rename(draft, path))
    var info = stat()
    try check(fstat(descriptor, &info))
    close(descriptor)
    descriptor = -1
    return info
  }

  /// The outcome of finishing a file.
  enum Outcome {
    /// The file has its name and is on the disk.
    case inPlace
    /// Another file has the name; it was left unchanged.
    case takenByOthers
    /// The file system can rename a file only over an existing one.
    case impossible
  }

  /// Syncs the file, gives it its name and syncs the folder.
  ///
  /// - Parameter mayReserve: whether an empty file may be visible under the name for a moment if
  ///   the file system can only replace files.
  /// - Throws: `PersistentStoreError`: `uncertain` if the file has its name all the same.
  func finish(mayReserve: Bool = false) throws -> Outcome {
    try check(fsync(descriptor))
    // Closed before the file has its name: closing it later would release locks that this process
    // holds on it. A marked draft stays locked until it has its name, so that it does not pass for
    // a leftover.
    if !isMarked {
      close(descriptor)
      descriptor = -1
    }
    switch rename(draft, toNew: path) {
    case 0: break
    case EEXIST: return .takenByOthers
    case EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP:
      // Network file systems support only links, others neither.
      guard link(draft, path) == 0 else {
        if errno == EEXIST { return .takenByOthers }
        guard [EPERM, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(errno) else {
          throw PersistentStoreError(errno: errno, at: url)
        }
        return mayReserve ? try replaceReservedFile() : .impossible
      }
      unlink(draft)
    case let code: throw PersistentStoreError(errno: code, at: url)
    }
    try Self.syncFolder(of: path, for: url)
    return .inPlace
  }

  /// Creates an empty file and renames the finished one over it.
  private func replaceReservedFile() throws -> Outcome {
    guard try Self.makeEmpty(at: path, for: url) else { return .takenByOthers }
    guard rename(draft, path) == 0 else {
      let code = errno
      unlink(path)
      throw PersistentStoreError(errno: code, at: url)
    }
    try Self.syncFolder(of: path, for: url)
    return .inPlace
  }

  /// Creates an empty file; returns false if the file exists.
  @discardableResult
  static func makeEmpty(at path: String, for url: URL) throws -> Bool {
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      if errno == EEXIST { return false }
      throw PersistentStoreError(errno: errno, at: url)
    }
    close(file)
    try syncFolder(of: path, for: url)
    return true
  }

  /// Syncs the names in a file's folder to the disk, if the system supports that.
  ///
  /// - Throws: `PersistentStoreError.uncertain`: the names are as wanted, but a power failure may
  ///   restore the old ones.
  static func syncFolder(of path: String, for url: URL) throws {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
    if let code = SystemLibraries.syncFolder(at: String(folder)) {
      throw PersistentStoreError(errno: code, at: url, isUncertain: true)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    for end in AbandonedDrafts.companions + [""] { unlink(draft + end) }
  }

  private func check(_ result: Int32) throws {
    guard result == 0 else { throw PersistentStoreError(errno: errno, at: url) }
  }
}

@available(*, unavailable) extension NewFile: Sendable {}

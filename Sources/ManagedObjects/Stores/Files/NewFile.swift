import DataFormats
import SystemLibraries

/// A new file, which appears under its name when all of it is on the disk, or never.
///
///     let file = try NewFile(at: path, for: url)
///     // fill file.draft
///     guard case .inPlace = try file.finish() else { throw PersistentStoreError.busy(url) }
///
/// Nobody but its owner may read it; in a folder that its group shares, the group may. What is not
/// finished goes with the value.
final class NewFile {
  /// Where it is to be filled, under a name that nobody knows.
  let draft: String
  /// What errors are about.
  let url: URL
  private let path: String
  private var descriptor: Int32
  /// Whether it is locked under a name that tells what it is.
  private let isMarked: Bool

  /// Makes an empty draft of a file at a path, which is no link.
  ///
  /// - Parameters:
  ///   - url: what errors are about.
  ///   - folder: where the draft is; beside the file where nil.
  ///   - isMarked: whether a draft is to be known, beside the file: where the process is killed,
  ///     the next one on this machine that makes such a draft of the same file removes it.
  init(
    at path: String, for url: URL, draftIn folder: URL? = nil, isMarked: Bool = false
  ) throws {
    self.path = path
    self.url = url
    self.isMarked = isMarked
    let mark = isMarked ? LeftDrafts.mark : ""
    if isMarked { LeftDrafts.remove(of: path) }
    let stem = folder.map { "\($0.filePath)/new" } ?? path + mark
    var name = ""
    repeat {
      name = "\(stem).\(String(UInt32.random(in: .min ... .max), radix: 36))"
      descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      // One that somebody who clears up takes for left goes.
      if descriptor >= 0, isMarked, !LeftDrafts.hold(descriptor) {
        close(descriptor)
        (descriptor, errno) = (-1, EEXIST)
      }
    } while descriptor < 0 && errno == EEXIST
    draft = name
    guard descriptor >= 0 else { throw PersistentStoreError(errno: errno, at: url) }
    Self.share(descriptor, at: path)
  }

  /// Lets the group read and write a file in a folder that it writes to, and whose files are its
  /// own (the set-group-ID bit): what is made there is meant for all of them.
  private static func share(_ descriptor: Int32, at path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    var info = stat()
    let shared = S_ISGID | S_IWGRP
    guard stat(folder, &info) == 0, info.st_mode & shared == shared else { return }
    // Where it cannot, the file is as any other.
    _ = fchmod(descriptor, 0o660)
  }

  /// Appends bytes to the draft.
  ///
  /// - Throws: `PersistentStoreError`: `full` where there is no room for them.
  func write(_ bytes: [UInt8]) throws {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        writeFile(descriptor, $0.baseAddress! + written, $0.count - written)
      }
      guard count >= 0 || errno == EINTR else { throw PersistentStoreError(errno: errno, at: url) }
      written += max(0, count)
    }
  }

  /// Syncs the file and puts it in the place of another one, whose permissions it takes over.
  ///
  /// - Parameter old: what the system says of the other file.
  /// - Returns: what the system says of the file in its place.
  /// - Throws: `PersistentStoreError`; then the other file is still there.
  func replace(_ old: stat) throws -> stat {
    // In this order: giving a file away takes some permissions from it. Who may not has a file of
    // his own.
    if old.st_uid != getuid() || old.st_gid != getgid() {
      if fchown(descriptor, old.st_uid, old.st_gid) != 0 {
        _ = fchown(descriptor, .max, old.st_gid)
      }
    }
    _ = fchmod(descriptor, old.st_mode & 0o7777)
    try check(fsync(descriptor))
    try check(rename(draft, path))
    var info = stat()
    try check(fstat(descriptor, &info))
    close(descriptor)
    descriptor = -1
    return info
  }

  /// What became of a file that was finished.
  enum Outcome {
    /// It is in its place, and on the disk.
    case inPlace
    /// There is a file of that name, which was left.
    case takenByOthers
    /// The disk cannot put a file in its place but over another one.
    case impossible
  }

  /// Syncs the file, puts it in its place and syncs the folder.
  ///
  /// - Parameter mayReserve: whether an empty file may be seen in its place for a moment, where the
  ///   disk can only replace files.
  /// - Throws: `PersistentStoreError`.
  func finish(mayReserve: Bool = false) throws -> Outcome {
    try check(fsync(descriptor))
    // Before the file has a name: closing it takes away locks that this process holds on it. One
    // that is locked is not to be taken for left before it has its name.
    if !isMarked {
      close(descriptor)
      descriptor = -1
    }
    switch rename(draft, toNew: path) {
    case 0: break
    case EEXIST: return .takenByOthers
    case EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP:
      // Network file systems have links only, others neither.
      guard link(draft, path) == 0 else {
        if errno == EEXIST { return .takenByOthers }
        guard [EPERM, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(errno) else {
          throw PersistentStoreError(errno: errno, at: url)
        }
        return mayReserve ? try finishInReservedPlace() : .impossible
      }
      unlink(draft)
    case let code: throw PersistentStoreError(errno: code, at: url)
    }
    try Self.syncFolder(of: path, for: url)
    return .inPlace
  }

  /// Makes an empty file, and puts the finished one over it.
  private func finishInReservedPlace() throws -> Outcome {
    guard try Self.makeEmpty(at: path, for: url) else { return .takenByOthers }
    guard rename(draft, path) == 0 else {
      let code = errno
      unlink(path)
      throw PersistentStoreError(errno: code, at: url)
    }
    try Self.syncFolder(of: path, for: url)
    return .inPlace
  }

  /// Makes an empty file; false where there is one.
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

  /// Puts the names in a file's folder on the disk, where the system can.
  static func syncFolder(of path: String, for url: URL) throws {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
    let file = open(String(folder), O_RDONLY | O_CLOEXEC)
    // One that may not be read cannot be synced.
    guard file >= 0 else { return }
    defer { close(file) }
    guard fsync(file) == 0 || [EINVAL, EBADF, ENOTSUP, EROFS].contains(errno) else {
      throw PersistentStoreError(errno: errno, at: url)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    for end in LeftDrafts.companions + [""] { unlink(draft + end) }
  }

  private func check(_ result: Int32) throws {
    guard result == 0 else { throw PersistentStoreError(errno: errno, at: url) }
  }
}

@available(*, unavailable) extension NewFile: Sendable {}

// In the type's own scope this name is another function's.
private let writeFile = write

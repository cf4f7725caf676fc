import DataFormats
import SystemLibraries

/// A file to write: at the end it is complete, or the previous one is unchanged.
///
///     let file = try OutputFile(path)
///     try file.sink.write("…")
///     try file.finish()
///
/// The text is written to a temporary file next to it, which replaces the file once everything is
/// on the disk, and keeps its owner and permissions. The next process that writes the file removes
/// temporary files of killed processes. Devices and pipes are written to directly, and so are open
/// streams: `/dev/stdout`, `/dev/fd/3`.
package final class OutputFile {
  /// The reason why a file could not be created or written.
  package struct Failure: Error, Hashable {
    /// The C library's error number.
    package let errno: Int32
    /// Whether the file has the new contents all the same: the disk has not confirmed its name.
    package var isInPlace = false
  }

  /// The sink to write to.
  package let sink: OutputSink
  private let path: String
  private let draft: String?
  private let descriptor: Int32

  /// Begins to write a file.
  ///
  /// - Parameter isPrivate: Whether a new one is for its owner alone; else it has the permissions
  ///   that the umask leaves it.
  package init(_ path: String, isPrivate: Bool = false) throws(Failure) {
    var info = stat()
    let exists = path.withSystemPath { stat($0, &info) } == 0
    if exists, info.st_mode & S_IFMT == S_IFDIR { throw Failure(errno: EISDIR) }
    if let stream = Self.openStream(path) {
      // Existing contents of an open stream are kept, and new output is appended.
      draft = nil
      self.path = path
      descriptor = fcntl(stream, F_DUPFD_CLOEXEC, 0)
    } else if exists, info.st_mode & S_IFMT != S_IFREG {
      draft = nil
      self.path = path
      descriptor = path.withSystemPath { open($0, O_WRONLY | O_CLOEXEC) }
    } else {
      // A symbolic link is kept, even if its target does not exist yet.
      let target = Self.target(of: path)
      let mode: mode_t = exists || isPrivate ? 0o600 : 0o666
      self.path = target
      AbandonedDrafts.remove(of: target)
      let stem = target + AbandonedDrafts.mark
      var name = ""
      var opened: Int32 = -1
      repeat {
        name = "\(stem).\(String(UInt32.random(in: .min ... .max), radix: 36))"
        opened = name.withSystemPath {
          open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        }
        // Another process may have removed it as a leftover; then retry.
        if opened >= 0, !AbandonedDrafts.hold(opened) {
          close(opened)
          (opened, errno) = (-1, EEXIST)
        }
      } while opened < 0 && errno == EEXIST
      if exists, opened >= 0 { copyOwnership(of: info, to: opened) }
      (draft, descriptor) = (name, opened)
    }
    guard descriptor >= 0 else { throw Failure(errno: errno) }
    sink = OutputSink(descriptor: descriptor)
  }

  /// Whether a path stands for standard output: `-`, or `/dev/stdout`.
  package static func isStandardOutput(_ path: String) -> Bool {
    path == "-" || openStream(path) == 1
  }

  /// The descriptor of the stream that a path names; nil for the path of a file.
  private static func openStream(_ path: String) -> Int32? {
    switch path {
    case "/dev/stdout": return 1
    case "/dev/stderr": return 2
    default:
      let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
      let number = folder.map { path.dropFirst($0.count) } ?? ""
      return Int32(number).flatMap { String($0) == number ? $0 : nil }
    }
  }

  /// The path at the end of symbolic links, whether or not a file exists there.
  private static func target(of path: String) -> String {
    var path = path
    // Linux follows at most 40.
    for _ in 0..<40 {
      var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = path.withSystemPath { readlink($0, &bytes, bytes.count - 1) }
      guard count >= 0 else { break }
      let link = String(systemBytes: bytes)
      let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
      path = link.hasPrefix("/") ? link : folder + link
    }
    return path
  }

  /// Syncs everything to the disk and gives the file its name.
  ///
  /// - Throws: `Failure`; then the previous file is unchanged, unless the error says otherwise.
  package func finish() throws {
    try sink.flush()
    guard let draft else { return }
    let path = path
    let isMoved = {
      draft.withSystemPath { draft in path.withSystemPath { rename(draft, $0) } } == 0
    }
    guard fsync(descriptor) == 0, isMoved() else {
      let code = errno
      draft.withSystemPath { _ = unlink($0) }
      throw Failure(errno: code)
    }
    isFinished = true
    try syncFolder()
  }

  /// Syncs the file's name to the disk, if the system supports that.
  private func syncFolder() throws(Failure) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let opened = folder.withSystemPath { open($0, O_RDONLY | O_CLOEXEC) }
    defer { if opened >= 0 { close(opened) } }
    if let code = SystemLibraries.syncFolder(opened) { throw Failure(errno: code, isInPlace: true) }
  }

  private var isFinished = false

  deinit {
    if let draft, !isFinished { draft.withSystemPath { _ = unlink($0) } }
    close(descriptor)
  }
}

@available(*, unavailable)
extension OutputFile: Sendable {}

extension Complaint {
  /// The complaint about a file that cannot be written.
  package init(writing path: String, _ failure: OutputFile.Failure) {
    self.init(writing: path, errno: failure.errno)
    guard failure.isInPlace else { return }
    self.init(
      exitCode, reason ?? "",
      hint: "The new contents are there, but may be lost if the machine loses its power now.")
  }

  /// The complaint about a file that cannot be written.
  package init(writing path: String, errno code: Int32) {
    let exitCode: ExitCode =
      switch code {
      case EACCES, EPERM, EROFS: .noPermission
      case ENOENT, ENOTDIR, EISDIR: .cannotCreate
      default: .inputOutput
      }
    let reason = strerror(code).map { String(cString: $0) } ?? "the system failed"
    self.init(
      exitCode, "cannot write \(path.escapingControls): \(reason)",
      hint: "What was there before is unchanged.")
  }
}

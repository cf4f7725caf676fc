#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file to write: either all of it is there in the end, or what was there before.
///
///     let file = try OutputFile(path)
///     try file.sink.write("…")
///     try file.finish()
///
/// The text goes into a file beside it, which takes its place when everything is on the disk.
/// Devices and pipes are written to directly.
package final class OutputFile {
  /// Why a file could not be made or written.
  package struct Failure: Error, Hashable {
    /// The number of the C library.
    package let errno: Int32
  }

  /// Where the text goes.
  package let sink: OutputSink
  private let path: String
  private let draft: String?
  private let descriptor: Int32

  /// Begins to write a file, for nobody but its owner where it is new.
  package init(_ path: String) throws(Failure) {
    var info = stat()
    let isThere = stat(path, &info) == 0
    if isThere, info.st_mode & S_IFMT == S_IFDIR { throw Failure(errno: EISDIR) }
    if isThere, info.st_mode & S_IFMT != S_IFREG {
      draft = nil
      self.path = path
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
    } else {
      // A link stays a link.
      let target = isThere ? Self.target(of: path) : path
      let draft = "\(target).\(getpid()).part"
      self.draft = draft
      self.path = target
      let mode = isThere ? info.st_mode & 0o777 : 0o600
      descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    }
    guard descriptor >= 0 else { throw Failure(errno: errno) }
    sink = OutputSink(descriptor: descriptor)
  }

  private static func target(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Puts everything on the disk, and the file in its place.
  ///
  /// - Throws: `Failure`; what was there before is there still.
  package func finish() throws {
    try sink.flush()
    guard let draft else { return }
    guard fsync(descriptor) == 0, rename(draft, path) == 0 else {
      let code = errno
      unlink(draft)
      throw Failure(errno: code)
    }
    isFinished = true
  }

  private var isFinished = false

  deinit {
    if let draft, !isFinished { unlink(draft) }
    close(descriptor)
  }
}

@available(*, unavailable)
extension OutputFile: Sendable {}

extension Complaint {
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

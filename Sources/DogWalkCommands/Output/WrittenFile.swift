import CommandLineKit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file that a command writes: whole, or not at all.
///
///     try WrittenFile("walks.svg").write { output in try picture.write(to: output) }
///
/// What was there before stays until everything is written.
struct WrittenFile {
  private let path: String

  /// A file at a path, which may be there.
  init(_ path: String) {
    self.path = path
  }

  /// Lets a closure write the contents.
  ///
  /// - Throws: `Complaint` where the file cannot be made or written, and what the closure throws.
  func write(_ contents: (OutputSink) throws -> Void) throws {
    // Beside the file, so that it can take its place at once.
    let draft = "\(path).\(getpid()).new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw complaint(errno) }
    do {
      let sink = OutputSink(descriptor: descriptor)
      try contents(sink)
      try sink.flush()
      guard close(descriptor) == 0, rename(draft, path) == 0 else { throw complaint(errno) }
    } catch {
      // A second close of the number is no harm: nothing was opened meanwhile.
      close(descriptor)
      unlink(draft)
      guard case OutputError.failed(let code) = error else { throw error }
      throw complaint(code)
    }
  }

  private func complaint(_ code: Int32) -> Complaint {
    let exitCode: ExitCode =
      switch code {
      case EACCES, EPERM, EROFS: .noPermission
      case ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG: .cannotCreate
      default: .inputOutput
      }
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    return Complaint(
      exitCode, "cannot write \(path.escapingControls): \(reason)", hint: "Name another file.")
  }
}

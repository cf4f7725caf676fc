#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file to read, or standard input.
package enum InputFile {
  /// Why a file could not be read, by the number of the C library.
  package struct Failure: Error, Hashable {
    /// The number, as `ENOENT`.
    package let errno: Int32
  }

  /// All bytes of a file; `-` is standard input.
  ///
  /// - Throws: `Failure`.
  package static func bytes(of path: String) throws(Failure) -> [UInt8] {
    guard path != "-" else { return try bytes(from: STDIN_FILENO) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(errno: errno) }
    defer { close(descriptor) }
    return try bytes(from: descriptor)
  }

  private static func bytes(from descriptor: Int32) throws(Failure) -> [UInt8] {
    var info = stat()
    let isSized = fstat(descriptor, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
    var bytes: [UInt8] = []
    // One more than there are, so that the end is seen without growing.
    bytes.reserveCapacity(isSized ? Int(info.st_size) + 1 : 1 << 16)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
    defer { piece.deallocate() }
    while true {
      let count = read(descriptor, piece.baseAddress, piece.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece[..<count]))
      } else if errno != EINTR {
        throw Failure(errno: errno)
      }
    }
  }
}

extension Complaint {
  /// The complaint about a file that cannot be read.
  package init(reading path: String, _ failure: InputFile.Failure) {
    let code: ExitCode =
      switch failure.errno {
      case ENOENT, ENOTDIR: .noInput
      case EACCES, EPERM: .noPermission
      case EISDIR: .badData
      default: .inputOutput
      }
    let reason = strerror(failure.errno).map { String(cString: $0) } ?? "the system failed"
    let name = path == "-" ? "standard input" : path.escapingControls
    self.init(code, "cannot read \(name): \(reason)", hint: "Nothing was changed.")
  }
}

import SystemLibraries

/// A file to read, or standard input, up to a maximum number of bytes.
///
///     let file = try InputFile("walks.csv", atMost: 1 << 28)
///     var csv = CSVReader(InputBytes(file))
///     while let record = try csv.next() { print(record.fields) }
///     if let failure = file.failure { throw failure }   // the records were not all
///
/// If reading fails, or there are more bytes, the bytes end there and `failure` is set.
package final class InputFile {
  /// The reason why a file could not be read to its end.
  package enum Failure: Error, Hashable {
    /// An error number of the C library, such as `ENOENT`.
    case system(errno: Int32)
    /// The file exceeds the limit.
    case tooLarge(limit: Int)
  }

  /// The reason why not all bytes were read.
  package private(set) var failure: Failure?
  private let descriptor: Int32
  private let limit: Int
  /// The length of the file when it was opened; 0 if it has no length.
  private let size: Int
  private var rest: Int
  /// Whether the end was read: a terminal would wait for more.
  private var isAtEnd = false
  private static let pieceSize = 1 << 16

  /// Opens a file; `-` is standard input.
  ///
  /// - Throws: `Failure`.
  package init(_ path: String, atMost limit: Int) throws(Failure) {
    self.limit = limit
    rest = limit
    descriptor =
      path == "-" ? STDIN_FILENO : path.withSystemPath { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .system(errno: errno) }
    var info = stat()
    // If `fstat` fails, reading the first piece reports the error.
    let isKnown = fstat(descriptor, &info) == 0
    size = isKnown ? Int(info.st_size) : 0
    if isKnown, info.st_mode & S_IFMT == S_IFDIR { throw .system(errno: EISDIR) }
  }

  deinit { if descriptor > STDERR_FILENO { close(descriptor) } }

  /// All bytes of a file.
  ///
  /// - Throws: `Failure`.
  package static func bytes(of path: String, atMost limit: Int) throws(Failure) -> [UInt8] {
    let file = try InputFile(path, atMost: limit)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(file.size, limit))
    while file.read(into: &bytes) {}
    if let failure = file.failure { throw failure }
    return bytes
  }

  /// Appends the next piece; returns false at the end or after a `failure`.
  package func read(into bytes: inout [UInt8]) -> Bool {
    guard failure == nil, !isAtEnd else { return false }
    do throws(Failure) {
      let count = try Self.readPiece(of: descriptor, into: &bytes)
      isAtEnd = count == 0
      rest -= count
      if rest < 0 { failure = .tooLarge(limit: limit) }
      return count > 0 && failure == nil
    } catch {
      failure = error
      return false
    }
  }

  /// Appends the next bytes of an open file, at most 64 KiB.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  /// - Throws: `Failure.system`.
  package static func readPiece(
    of descriptor: Int32, into bytes: inout [UInt8]
  ) throws(Failure) -> Int {
    var (count, code) = (0, Int32(0))
    withUnsafeTemporaryAllocation(byteCount: pieceSize, alignment: 1) { piece in
      repeat {
        count = readFile(descriptor, piece.baseAddress, piece.count)
        code = errno
      } while count < 0 && code == EINTR
      if count > 0 { bytes.append(contentsOf: piece[..<count]) }
    }
    guard count >= 0 else { throw .system(errno: code) }
    return count
  }
}

@available(*, unavailable)
extension InputFile: Sendable {}

// In the type's own scope this name refers to another function.
private let readFile = read

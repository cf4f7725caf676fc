import SystemLibraries

/// Where text and bytes go: standard output, standard error, or memory in tests.
///
///     let output = OutputSink.memory()
///     try output.writeLine("Deleted walk 3.")
///     output.text   // "Deleted walk 3.\n"
///
/// Bytes gather here and leave in large pieces; call `flush()` before the program ends, because
/// only then is it known that everything was written. The sink is meant for one thread.
package final class OutputSink {
  private enum Destination {
    case descriptor(Int32)
    case memory
  }

  private let destination: Destination
  private var bytes: [UInt8] = []
  /// Half of what a pipe holds, so that its reader is busy while the next piece is made.
  private static let pieceSize = 1 << 15

  private init(to destination: Destination) {
    self.destination = destination
  }

  /// Writes to an open file descriptor, which stays open.
  ///
  /// Call `ignoreBrokenPipeSignals()` first, or the process dies before it can see that the reader
  /// has gone.
  package convenience init(descriptor: Int32) {
    self.init(to: .descriptor(descriptor))
  }

  /// Makes a write to a closed pipe an error instead of the end of the process.
  package static func ignoreBrokenPipeSignals() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Keeps everything; `text` and `contents` give it back.
  package static func memory() -> OutputSink { OutputSink(to: .memory) }

  /// Whether it leads to one of some files.
  package func leads(to files: FileSet) -> Bool {
    guard case .descriptor(let descriptor) = destination else { return false }
    return files.contains(descriptor: descriptor)
  }

  /// What has been written and not left yet; for a sink in memory, everything.
  package var contents: [UInt8] { bytes }

  /// The contents as text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Writes text as UTF-8.
  ///
  /// - Throws: `OutputError`, also for bytes that were written here earlier.
  package func write(_ text: String) throws(OutputError) {
    bytes.append(contentsOf: text.utf8)
    try flushIfLarge()
  }

  /// Writes text and a line feed.
  package func writeLine(_ text: String = "") throws(OutputError) {
    bytes.append(contentsOf: text.utf8)
    bytes.append(0x0A)
    try flushIfLarge()
  }

  /// Writes what a closure appends to the bytes that are about to leave.
  ///
  ///     try output.write { text in text.append(decimal: 7, digits: 2) }   // "07"
  ///
  /// For long lists. The closure must not write to this sink.
  package func write(_ compose: (inout [UInt8]) -> Void) throws(OutputError) {
    compose(&bytes)
    try flushIfLarge()
  }

  /// Writes a sentence for people and a line feed; in several lines where a terminal is too narrow.
  ///
  /// Whatever names and texts it was made of, no control character leaves here but ends of lines.
  ///
  /// - Parameter columns: The width of the terminal; `nil` where there is none.
  package func writeSentence(_ text: String, columns: Int?) throws(OutputError) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count < 2 else {
      for line in lines { try writeLine(String(line).escapingControls) }
      return
    }
    let text = text.escapingControls
    guard let columns, text.displayWidth > columns else { return try writeLine(text) }
    for line in text.wrapped(to: columns) { try writeLine(line) }
  }

  /// Writes bytes.
  package func write(contentsOf newBytes: some Sequence<UInt8>) throws(OutputError) {
    bytes.append(contentsOf: newBytes)
    try flushIfLarge()
  }

  /// Hands everything gathered so far to the system.
  ///
  /// - Throws: `OutputError`; what could not be written is dropped.
  package func flush() throws(OutputError) {
    guard case .descriptor(let descriptor) = destination, !bytes.isEmpty else { return }
    defer { bytes.removeAll(keepingCapacity: true) }
    let failure = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
    switch failure {
    case nil: return
    case EPIPE: throw .closedPipe
    case .some(let errno): throw .failed(errno: errno)
    }
  }

  private func flushIfLarge() throws(OutputError) {
    if bytes.count >= Self.pieceSize { try flush() }
  }
}

@available(*, unavailable)
extension OutputSink: Sendable {}

/// Writes all bytes with `write(2)`, or gives the error number.
private func writeAll(_ buffer: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
  var rest = buffer
  while !rest.isEmpty {
    let written = write(descriptor, rest.baseAddress, rest.count)
    if written >= 0 {
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    } else if errno == EAGAIN {
      // Someone made the terminal or pipe non-blocking: wait until it takes bytes again.
      var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&state, 1, -1)
    } else if errno != EINTR {
      return errno
    }
  }
  return nil
}

import SystemLibraries

/// A destination for text and bytes: standard output, standard error, or memory in tests.
///
///     let output = OutputSink.memory()
///     try output.writeLine("Deleted walk 3.")
///     output.text   // "Deleted walk 3.\n"
///
/// Output is buffered and written in large pieces; call `flush()` before the program exits, since
/// only then is it certain that everything was written. For use by a single thread.
package final class OutputSink {
  private enum Destination {
    case descriptor(Int32)
    case memory
  }

  private let destination: Destination
  private var bytes: [UInt8] = []
  /// Half of a pipe's capacity, so that the reader is busy while the next piece is produced.
  private static let pieceSize = 1 << 15

  private init(to destination: Destination) {
    self.destination = destination
  }

  /// Creates a sink that writes to an open file descriptor, which it does not close.
  ///
  /// Call `ignoreWriteSignals()` first; otherwise the process is killed when the reader closes
  /// the pipe.
  package convenience init(descriptor: Int32) {
    self.init(to: .descriptor(descriptor))
  }

  /// Makes a write to a closed pipe, or beyond the limit of a file's size, an error instead of a
  /// fatal signal.
  package static func ignoreWriteSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Creates a sink that keeps everything; `text` and `contents` return it.
  package static func memory() -> OutputSink { OutputSink(to: .memory) }

  /// Whether it writes to one of some files.
  package func leads(to files: FileSet) -> Bool {
    guard case .descriptor(let descriptor) = destination else { return false }
    return files.contains(descriptor: descriptor)
  }

  /// The bytes that were not flushed yet; for a sink in memory, everything.
  package var contents: [UInt8] { bytes }

  /// The contents as text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Writes text as UTF-8.
  ///
  /// - Throws: `OutputError`, possibly for bytes that were written earlier.
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

  /// Writes what a closure appends to the buffer.
  ///
  ///     try output.write { text in text.append(decimal: 7, digits: 2) }   // "07"
  ///
  /// For long lists. The closure must not write to this sink.
  package func write(_ compose: (inout [UInt8]) -> Void) throws(OutputError) {
    compose(&bytes)
    try flushIfLarge()
  }

  /// Writes a message and a line feed, wrapped to the width of the terminal.
  ///
  /// Control characters in names and texts are escaped; only line breaks are written.
  ///
  /// - Parameter columns: The width of the terminal; `nil` if there is none.
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

  /// Writes all buffered output.
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

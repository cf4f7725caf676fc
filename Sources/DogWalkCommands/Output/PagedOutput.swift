import CommandLineKit

/// Lines for a person: written directly if they fit the terminal, else through a pager.
///
///     let page = PagedOutput(to: output, on: terminal, pager: Pager(environment: .process))
///     for line in lines { try page.writeLine(line) }
///     try page.end()
///
/// At most as many lines as the terminal has are buffered.
final class PagedOutput {
  private let output: OutputSink
  private let pager: Pager?
  private let height: Int
  private var kept: [String] = []
  private var isPaging = false

  /// Creates output that is written immediately without a pager or a terminal.
  init(to output: OutputSink, on terminal: Terminal, pager: Pager?) {
    self.output = output
    self.pager = terminal.isTerminal && terminal.rows != nil ? pager : nil
    // The prompt needs a line below.
    height = (terminal.rows ?? 0) - 1
  }

  /// Writes a line.
  ///
  /// - Throws: `OutputError`; `closedPipe` if the person has quit the pager.
  func writeLine(_ line: String) throws(OutputError) {
    guard let pager else { return try output.writeLine(line) }
    if isPaging { return try pager.writeLine(line) }
    kept.append(line)
    guard kept.count > height else { return }
    try output.flush()
    isPaging = pager.start()
    try writeKept(to: pager)
  }

  /// Writes the buffered lines, and waits until the person has quit the pager.
  func end() throws(OutputError) {
    guard let pager, isPaging else { return try writeKept(to: nil) }
    try pager.end()
  }

  private func writeKept(to pager: Pager?) throws(OutputError) {
    for line in kept {
      if let pager, isPaging { try pager.writeLine(line) } else { try output.writeLine(line) }
    }
    kept.removeAll()
  }
}

@available(*, unavailable)
extension PagedOutput: Sendable {}

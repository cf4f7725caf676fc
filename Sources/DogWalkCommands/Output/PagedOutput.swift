import CommandLineKit

/// Lines for a person: straight to the terminal where they fit it, else through a pager.
///
///     let page = PagedOutput(to: output, on: terminal, pager: Pager(environment: .process))
///     for line in lines { try page.writeLine(line) }
///     try page.end()
///
/// Only as many lines as the terminal is high are kept.
final class PagedOutput {
  private let output: OutputSink
  private let pager: Pager?
  private let height: Int
  private var kept: [String] = []
  private var isPaging = false

  /// Lines to an output; without a pager, or on something that is no terminal, all at once.
  init(to output: OutputSink, on terminal: Terminal, pager: Pager?) {
    self.output = output
    self.pager = terminal.isTerminal && terminal.rows != nil ? pager : nil
    // The prompt comes below.
    height = (terminal.rows ?? 0) - 1
  }

  /// Writes a line.
  ///
  /// - Throws: `OutputError`; `closedPipe` where the person has left the pager.
  func writeLine(_ line: String) throws(OutputError) {
    guard let pager else { return try output.writeLine(line) }
    if isPaging { return try pager.writeLine(line) }
    kept.append(line)
    guard kept.count > height else { return }
    try output.flush()
    isPaging = pager.start()
    try writeKept(to: pager)
  }

  /// Writes what is left, and waits until the person has left the pager.
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

import CommandLineKit

/// One run of a command: the words it was given, and the means to answer them.
struct ToolRun {
  /// What was typed.
  let values: ArgumentValues
  /// Where data goes: standard output.
  let output: OutputSink
  /// Where everything else goes: standard error.
  let errors: OutputSink
  /// What standard output leads to.
  let terminal: Terminal

  /// The first operand; the command does not run without it.
  var operand: String { values.operands[0] }

  /// Writes a line of columns parted by tabs, for programs.
  func writeFields(_ fields: [String]) throws(OutputError) {
    try output.writeLine(fields.map(\.tabSeparatedField).joined(separator: "\t"))
  }
}

@available(*, unavailable) extension ToolRun: Sendable {}

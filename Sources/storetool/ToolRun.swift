import CommandLineKit

/// One run of a command: its words and its outputs.
struct ToolRun {
  /// The words that were typed.
  let values: ArgumentValues
  /// The output for data: standard output.
  let output: OutputSink
  /// The output for everything else: standard error.
  let errors: OutputSink
  /// The capabilities of standard output.
  let terminal: Terminal

  /// The first operand; the command requires it.
  var operand: String { values.operands[0] }

  /// Writes tab-separated columns, for programs.
  func writeFields(_ fields: [String]) throws(OutputError) {
    try output.writeLine(fields.map(\.tabSeparatedField).joined(separator: "\t"))
  }
}

@available(*, unavailable) extension ToolRun: Sendable {}

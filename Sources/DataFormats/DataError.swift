/// What is wrong with a file's text, and in which line.
///
///     DataError(line: 7, "unknown entity &nbsp;")
package struct DataError: Error, Hashable {
  /// The line, from 1 on.
  package let line: Int
  /// The reason, as a phrase without a full stop.
  package let reason: String

  /// An error in a line.
  package init(line: Int, _ reason: String) {
    self.line = line
    self.reason = reason
  }
}

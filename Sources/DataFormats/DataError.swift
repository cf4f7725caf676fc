/// What is wrong with a file's text, and where.
///
///     DataError(line: 7, column: 12, "unknown entity &nbsp;")
package struct DataError: Error, Hashable {
  /// The line, from 1 on; 0 in what has no lines.
  package let line: Int
  /// The character in the line, from 1 on; nil where that is not known.
  package let column: Int?
  /// The reason, as a phrase without a full stop.
  package let reason: String

  /// An error in a line.
  package init(line: Int, column: Int? = nil, _ reason: String) {
    self.line = line
    self.column = column
    self.reason = reason
  }
}

/// An error in the text of a file, with its position.
///
///     DataError(line: 7, column: 12, "unknown entity &nbsp;")
package struct DataError: Error, Hashable {
  /// The line, from 1; 0 for data without lines.
  package let line: Int
  /// The last line that cannot be read because of the error: the same for a single line.
  package let lastLine: Int
  /// The character in the line, from 1; nil if unknown.
  package let column: Int?
  /// The encoding that the text seems to have; nil if the encoding is not the problem.
  package let encoding: ForeignEncoding?
  /// The reason, as a phrase without a full stop.
  package let reason: String

  /// Creates an error in one line or a range of lines.
  package init(
    line: Int, to lastLine: Int? = nil, column: Int? = nil, encoding: ForeignEncoding? = nil,
    _ reason: String
  ) {
    self.line = line
    self.lastLine = lastLine ?? line
    self.column = column
    self.encoding = encoding
    self.reason = reason
  }
}

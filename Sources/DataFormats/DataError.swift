/// What is wrong with a file's text, and where.
///
///     DataError(line: 7, column: 12, "unknown entity &nbsp;")
package struct DataError: Error, Hashable {
  /// The line, from 1 on; 0 in what has no lines.
  package let line: Int
  /// The last line of what cannot be read because of it: the same where that is one line.
  package let lastLine: Int
  /// The character in the line, from 1 on; nil where that is not known.
  package let column: Int?
  /// The encoding that the text seems to be in; nil where that is not what is wrong.
  package let encoding: ForeignEncoding?
  /// The reason, as a phrase without a full stop.
  package let reason: String

  /// An error in a line, or in what goes on to a later one.
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

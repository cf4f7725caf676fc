/// An aggregate function: called once for each row, and once more for the result.
protocol SQLAggregate: AnyObject {
  /// Processes the values of one row.
  func step(_ call: SQLFunctionCall)
  /// Returns the result through the call.
  func finish(_ call: SQLFunctionCall)
}

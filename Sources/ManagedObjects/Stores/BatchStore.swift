/// A store that changes many rows with one statement.
protocol BatchStore: RowStore {
  /// Changes values of all rows that a plan asks for; nil where it has to go row by row.
  func update(
    _ plan: FetchPlan, _ values: [(slot: Int, value: Scalar?)], by origin: TransactionOrigin
  ) throws -> [BatchedRow]?

  /// Deletes all rows that a plan asks for; nil where it has to go row by row.
  func delete(_ plan: FetchPlan, by origin: TransactionOrigin) throws -> [BatchedRow]?
}

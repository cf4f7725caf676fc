/// A store that updates or deletes many rows with one statement.
protocol BatchStore: RowStore {
  /// Updates values in all rows that a plan selects; nil if the update must be done row by row.
  func update(
    _ plan: FetchPlan, _ values: [(slot: Int, value: Scalar?)], by origin: TransactionOrigin
  ) throws -> [BatchedRow]?

  /// Deletes all rows that a plan selects; nil if the deletion must be done row by row.
  func delete(_ plan: FetchPlan, by origin: TransactionOrigin) throws -> [BatchedRow]?
}

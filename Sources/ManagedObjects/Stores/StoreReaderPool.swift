/// A pool of readers, for several threads at the same time and concurrently with a save.
protocol StoreReaderPool: AnyObject {
  /// Runs a body with a reader that no other thread uses in the meantime; a nested call gets the
  /// reader that the thread already has.
  func withReader<Result>(_ body: (any ReadableStore) throws -> Result) throws -> Result

  /// Runs a body in which this thread reads the current state of the store.
  func withPinnedReader<Result>(_ body: () throws -> Result) throws -> Result

  /// The rows that a plan selects in the current state, whatever is saved while they are read; the
  /// cursor needs no lock.
  func lastingRows(for plan: FetchPlan) throws -> any RowCursor
}

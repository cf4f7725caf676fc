/// A sequence of rows, read one after another.
protocol RowCursor: AnyObject {
  /// Advances to the next row; returns false when there is none.
  func next() throws -> Bool
  /// The primary key of the row.
  var key: Int64 { get }
  /// The index of the row's entity.
  var entity: Int { get }
  /// The key of the owner whose to-many the row belongs to, when members of several owners are
  /// read.
  var owner: Int64 { get }
  /// Creates a packed row with the values, which the caller must free.
  ///
  /// Reads the external files of large values; only that can fail.
  func makeRow() throws -> PackedRow
  /// Whether the rows come from another context and include transient values.
  var includesTransientValues: Bool { get }
  /// Whether `makeRow` needs no further access to the store.
  var hasValuesInMemory: Bool { get }
  /// Frees what the store caches of rows already passed.
  func releaseMemory()
}

extension RowCursor {
  var includesTransientValues: Bool { false }
  var hasValuesInMemory: Bool { true }
  func releaseMemory() {}
}

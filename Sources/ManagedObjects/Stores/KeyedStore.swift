/// A store that can be filled in several parts with rows that already have keys.
protocol KeyedStore: RowStore {
  /// Writes rows and links before the store is accessible to anything else.
  func fill(_ request: SaveRequest) throws
  /// The highest key ever assigned in the table of a root entity.
  func highestGivenKey(of root: EntityBinding) throws -> Int64
  /// Makes new rows get keys above a number.
  func advanceHighestKey(to key: Int64, of root: EntityBinding) throws
}

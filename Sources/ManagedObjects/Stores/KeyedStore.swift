/// A store that can be filled part by part with rows that bring their keys.
protocol KeyedStore: RowStore {
  /// Writes rows and links, before anybody else knows of the store.
  func fill(_ request: SaveRequest) throws
  /// The highest key ever given in the table of a root entity.
  func highestGivenKey(of root: EntityBinding) throws -> Int64
  /// Has new rows get keys above one.
  func giveNoKey(upTo key: Int64, of root: EntityBinding) throws
}

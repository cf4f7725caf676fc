/// Rows one after the other.
protocol RowCursor: AnyObject {
  /// Goes to the next row; false when there is none.
  func next() throws -> Bool
  /// The primary key of the row.
  var key: Int64 { get }
  /// The place of the row's entity.
  var entity: Int { get }
  /// The key of the object whose to-many the row is a member of, where a link asks for several.
  var owner: Int64 { get }
  /// A new packed row with the values, to be freed by the caller.
  ///
  /// Reads the files of values that have one; only that can fail.
  func makeRow() throws -> PackedRow
  /// Whether the rows come from another context, transient values among them.
  var rowsAreWhole: Bool { get }
  /// Whether `makeRow` need not ask anybody for values.
  var valuesAreAtHand: Bool { get }
  /// Lets go of what the store keeps of the rows gone by, in case somebody asks for them again.
  func releaseMemory()
}

extension RowCursor {
  var rowsAreWhole: Bool { false }
  var valuesAreAtHand: Bool { true }
  func releaseMemory() {}
}

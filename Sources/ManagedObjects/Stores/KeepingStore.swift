/// A store that keeps named bytes next to its objects, in a table of this library.
///
/// ```sql
/// MO_KEPT (NAME, VALUE)
/// ```
///
/// Nothing else reads the table: its size affects neither opening the store nor reading and writing
/// objects. Core Data ignores tables that are not its own.
protocol KeepingStore: RowStore {
  /// Values that the next save, undo or redo writes in its transaction; nil removes a value.
  var valuesToKeep: [String: [UInt8]?] { get set }

  /// Calls a closure with the values whose names begin with a prefix, in the order of their names.
  func forEachKeptValue(
    named prefix: String, _ body: (_ name: String, _ value: [UInt8]) throws -> Void) throws

  /// Writes values, in their own transaction or as part of an open one; nil removes a value.
  func keep(_ values: [String: [UInt8]?]) throws
}

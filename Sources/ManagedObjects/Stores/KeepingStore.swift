/// A store that keeps bytes beside its objects, by names: a table beside Core Data's.
///
/// ```sql
/// MO_KEPT (NAME, VALUE)
/// ```
///
/// Nobody else reads it: a store with much in it opens, and is read and written, as any other. Core
/// Data leaves tables alone that are not its own.
protocol KeepingStore: RowStore {
  /// What the next save sets, or the next command that is taken back or done again, in its
  /// transaction; nil takes a value out.
  var valuesToKeep: [String: [UInt8]?] { get set }

  /// Calls a closure with the values whose names begin with a text, in the order of their names.
  func forEachKeptValue(
    named prefix: String, _ body: (_ name: String, _ value: [UInt8]) throws -> Void) throws

  /// Sets values, in a transaction of their own or as a part of the one that has begun; nil takes
  /// one out.
  func keep(_ values: [String: [UInt8]?]) throws
}

/// The table of kept values.
enum KeptValues {
  static let table = "MO_KEPT"
}

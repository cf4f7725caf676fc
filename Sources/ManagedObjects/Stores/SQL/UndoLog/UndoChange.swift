/// One change in an entry of the undo log.
///
/// Entities and joins are identified by their indexes in the store.
enum UndoChange {
  /// Inserted rows with consecutive keys, and the lock count by which they are known.
  case inserted(entity: Int, first: Int64, count: Int64, known: Int64)
  /// An updated row with the lock counts before and after, and the previous values.
  case updated(entity: Int, key: Int64, before: Int64, after: Int64, values: [UndoValue])
  /// A deleted row with the lock count by which it was known, its actual one, and its values.
  case deleted(entity: Int, key: Int64, known: Int64, actual: Int64, values: [UndoValue])
  /// An added link.
  case linked(join: Int, first: Int64, second: Int64)
  /// A removed link with its order keys.
  case unlinked(join: Int, first: Int64, second: Int64, firstOrder: Int64?, secondOrder: Int64?)
  /// A reordered link with its previous order key.
  case moved(join: Int, first: Int64, second: Int64, isFirst: Bool, order: Int64?)
  /// A changed key of the metadata with the property lists before and after; empty for none.
  case metadata(key: String, old: [UInt8], new: [UInt8])
}

/// A store that others may change at any time, and that can be kept as it is for a while.
protocol TransactionalStore: RowStore {
  /// Whether a state is pinned, or a transaction begun.
  var isInTransaction: Bool { get }

  /// Keeps what is read from now on to one state of the store, until `endReading()`.
  func beginReading() throws

  /// Lets what is read be of the newest state again.
  func endReading()

  /// Begins the next transaction now: what is read until then stays true until it ends.
  ///
  /// The first save ends it; keys that are reserved and metadata that are changed are part of it.
  func beginWriting() throws

  /// Ends it where no save has; what is part of it already is written.
  func endWriting() throws
}

/// A store shared with other processes, with explicit read and write transactions.
protocol TransactionalStore: RowStore {
  /// Whether a read or write transaction is open.
  var isInTransaction: Bool { get }

  /// Whether accessing it is slow, so that expected reads are better sent ahead in one batch.
  var prefersPipelining: Bool { get }

  /// The reads that most likely follow the next save; a store with `prefersPipelining` sends them
  /// with the commit.
  var readsAfterSave: [ExpectedPlan] { get set }

  /// Pins all reads from now on to one state of the store, until `endReading()`.
  ///
  /// - Parameter reads: the most likely reads; they may concern entities of any store.
  func beginReading(expecting reads: [ExpectedPlan]) throws

  /// Lets reads see the newest state again.
  func endReading()

  /// Begins the next write transaction now: what is read in it cannot change before it ends.
  ///
  /// The first save ends it; reserving keys and changing metadata are part of it.
  ///
  /// - Parameter reads: the most likely reads; they may concern entities of any store.
  func beginWriting(expecting reads: [ExpectedPlan]) throws

  /// Ends it if no save has; what was already written in it is committed.
  func endWriting() throws
}

extension TransactionalStore {
  var prefersPipelining: Bool { false }

  // Other stores are queried when the data is needed.
  var readsAfterSave: [ExpectedPlan] {
    get { [] }
    set {}
  }
}

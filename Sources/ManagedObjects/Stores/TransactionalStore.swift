/// A store that others may change at any time, and that can be kept as it is for a while.
protocol TransactionalStore: RowStore {
  /// Whether a state is pinned, or a transaction begun.
  var isInTransaction: Bool { get }

  /// Whether it is far away, so that what is expected to be read is better asked for at once.
  var isAskedAhead: Bool { get }

  /// What is most likely read behind the next save, where it is asked ahead: the commit brings it.
  var readsBehindSave: [ExpectedPlan] { get set }

  /// Keeps what is read from now on to one state of the store, until `endReading()`.
  ///
  /// - Parameter reads: what is most likely read then; of any store's entities.
  func beginReading(expecting reads: [ExpectedPlan]) throws

  /// Lets what is read be of the newest state again.
  func endReading()

  /// Begins the next transaction now: what is read until then stays true until it ends.
  ///
  /// The first save ends it; keys that are reserved and metadata that are changed are part of it.
  ///
  /// - Parameter reads: what is most likely read then; of any store's entities.
  func beginWriting(expecting reads: [ExpectedPlan]) throws

  /// Ends it where no save has; what is part of it already is written.
  func endWriting() throws
}

extension TransactionalStore {
  var isAskedAhead: Bool { false }

  // Others are asked when it is needed.
  var readsBehindSave: [ExpectedPlan] {
    get { [] }
    set {}
  }
}

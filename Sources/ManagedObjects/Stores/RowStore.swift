import DataModel
import SystemLibraries

/// What every store does, whatever it keeps its rows in.
///
/// Only the coordinator calls it, within its lock; beside that it reads through `readerPool`. What
/// some stores alone can do is a protocol of its own, which a store answers with itself, or with
/// nil: looking a conformance up while the program runs takes longer than many a fetch.
protocol RowStore: PersistentStore, StoreReading {
  /// Its transactions ahead of a save; nil where it has none, as it is only used by one
  /// coordinator.
  var transactions: (any TransactionalStore)? { get }

  /// Its batches in one statement; nil where batches go row by row.
  var batches: (any BatchStore)? { get }

  /// What it keeps beside its objects; nil where it can keep nothing there.
  var keeping: (any KeepingStore)? { get }

  /// A number for the state in which it was last read, another one after any change by anybody; nil
  /// where it has none.
  var state: UInt32? { get }

  /// What reads beside the calls that the coordinator's lock keeps apart; nil where nothing may.
  var readerPool: (any StoreReaderPool)? { get }

  /// What the store holds now, to be read without a lock whatever is saved meanwhile; nil where
  /// that takes a connection of its own.
  ///
  /// Takes as long as a look whether somebody else has changed the store.
  func snapshot() throws -> (any StoreReading)?

  /// Dictionaries that the store makes itself; nil where it has handed over values, as `values`
  /// does.
  func dictionaries(
    _ plan: FetchPlan, _ expressions: [BoundExpression],
    _ body: (_ row: RowIdentity, _ values: [Scalar?]) throws -> Void
  ) throws -> [[String: AttributeValue]]?

  /// Whether rows have the order keys of lists.
  var givesOrderKeys: Bool { get }

  // MARK: Writing

  /// Sets primary keys aside, in one transaction; gives the first of them.
  func reserveKeys(_ count: Int, of root: EntityBinding) throws -> Int64

  /// Sets keys aside for new rows of one family, in their order.
  func reserveKeys(for inserts: [SaveRequest.Insert], of root: EntityBinding) throws -> [Int64]

  /// Writes all changes, or none.
  ///
  /// - Parameter body: what has to go well before they count.
  func save(_ request: SaveRequest, before body: () throws -> Void) throws -> SaveResult

  /// Gets ready to have another file, which holds the same store.
  ///
  /// - Returns: what has it use that from then on; it cannot fail.
  /// - Throws: `PersistentStoreError`; nothing has changed then.
  func reopening(at url: URL) throws -> () -> Void

  // MARK: Metadata

  /// The store's metadata.
  func metadata() throws -> [String: PropertyList]

  /// Changes the store's metadata in one transaction.
  func updateMetadata(_ change: (inout [String: PropertyList]) -> Void) throws
}

/// A row that was found; whoever asked frees it.
typealias FoundRow = (key: Int64, entity: EntityBinding, row: PackedRow)

extension RowStore {
  var transactions: (any TransactionalStore)? { nil }
  var batches: (any BatchStore)? { nil }
  var keeping: (any KeepingStore)? { nil }
  var readerPool: (any StoreReaderPool)? { nil }
  func snapshot() throws -> (any StoreReading)? { nil }
  var givesOrderKeys: Bool { true }

  func dictionaries(
    _ plan: FetchPlan, _ expressions: [BoundExpression],
    _ body: (_ row: RowIdentity, _ values: [Scalar?]) throws -> Void
  ) throws -> [[String: AttributeValue]]? {
    try values(plan, expressions, body)
    return nil
  }

  func row(with value: Scalar, at slot: Int, of entity: EntityBinding) throws -> FoundRow? {
    let cursor = try rows(for: FetchPlan(lookingUp: value, at: slot, of: entity))
    guard try cursor.next() else { return nil }
    return (cursor.key, binding(at: cursor.entity), try cursor.makeRow())
  }

  func reserveKeys(
    for inserts: [SaveRequest.Insert], of root: EntityBinding
  ) throws -> [Int64] {
    let first = try reserveKeys(inserts.count, of: root)
    return inserts.indices.map { first + Int64($0) }
  }

  func externalValue(at slot: Int, of entity: EntityBinding, _ key: Int64) throws -> [UInt8]? {
    nil
  }

  func reopening(at url: URL) throws -> () -> Void {
    fatalError("A store in memory is nowhere.")
  }
}

import DataModel
import SystemLibraries

/// The operations of every store, however it stores its rows.
///
/// Only the coordinator calls it, under its lock; concurrent reads go through `readerPool`. Each
/// capability that only some stores have is a separate protocol, which a store returns itself for,
/// or nil: a conformance check at run time takes longer than many fetches.
protocol RowStore: PersistentStore, ReadableStore {
  /// The store's explicit transactions; nil if it has none, as it is used by a single coordinator.
  var transactions: (any TransactionalStore)? { get }

  /// Batch requests as single statements; nil if they are done row by row.
  var batches: (any BatchStore)? { get }

  /// Values kept next to the objects; nil if the store cannot keep any.
  var keeping: (any KeepingStore)? { get }

  /// A number for the state at the last read, which changes with any change of the store; nil if
  /// there is none.
  var state: UInt32? { get }

  /// Connections for reads concurrent with calls under the coordinator's lock; nil if there are
  /// none.
  var readerPool: (any StoreReaderPool)? { get }

  /// The current contents, readable without a lock whatever is saved in the meantime; nil if that
  /// requires a separate connection.
  ///
  /// Costs no more than a check whether the store was changed.
  func snapshot() throws -> (any ReadableStore)?

  /// Result dictionaries that the store creates itself; nil if it has called the body with values,
  /// as `values` does.
  func dictionaries(
    _ plan: FetchPlan, _ expressions: [BoundExpression],
    _ body: (_ row: RowIdentity, _ values: [Scalar?]) throws -> Void
  ) throws -> [[String: AttributeValue]]?

  /// Whether its rows contain the order keys of ordered relationships.
  var givesOrderKeys: Bool { get }

  // MARK: Writing

  /// Reserves primary keys, in one transaction; returns the first.
  func reserveKeys(_ count: Int, of root: EntityBinding) throws -> Int64

  /// Reserves keys for new rows of one entity hierarchy, in the order of the rows.
  func reserveKeys(for inserts: [SaveRequest.Insert], of root: EntityBinding) throws -> [Int64]

  /// Writes all changes or none.
  ///
  /// - Parameter body: must succeed before the changes are committed.
  func save(_ request: SaveRequest, before body: () throws -> Void) throws -> SaveResult

  /// Prepares to use another file that holds the same store.
  ///
  /// - Returns: a closure that switches to the file; it cannot fail.
  /// - Throws: `PersistentStoreError`; then nothing has changed.
  func reopening(at url: URL) throws -> () -> Void

  // MARK: Metadata

  /// The store's metadata.
  func metadata() throws -> [String: PropertyList]

  /// Changes the store's metadata in one transaction.
  func updateMetadata(_ change: (inout [String: PropertyList]) -> Void) throws
}

/// A row that was found, which the caller must free.
typealias FoundRow = (key: Int64, entity: EntityBinding, row: PackedRow)

extension RowStore {
  var transactions: (any TransactionalStore)? { nil }
  var batches: (any BatchStore)? { nil }
  var keeping: (any KeepingStore)? { nil }
  var readerPool: (any StoreReaderPool)? { nil }
  func snapshot() throws -> (any ReadableStore)? { nil }
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
    fatalError("An in-memory store has no URL.")
  }
}

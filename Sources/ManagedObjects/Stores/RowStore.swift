import DataModel

/// What every store does, whatever it keeps its rows in.
///
/// Only the coordinator calls it, within its lock. What some stores alone can do is a protocol of its
/// own, which a store answers with itself, or with nil: looking a conformance up while the program runs
/// takes longer than many a fetch.
protocol RowStore: PersistentStore {
  /// Its transactions ahead of a save; nil where it has none, as it is only used by one coordinator.
  var transactions: (any TransactionalStore)? { get }

  /// Its batches in one statement; nil where batches go row by row.
  var batches: (any BatchStore)? { get }

  /// A number for the state in which it was last read, another one after any change by anybody; nil
  /// where it has none.
  var state: UInt32? { get }

  // MARK: Reading

  /// The rows that a plan asks for; they are read as the cursor moves.
  func rows(for plan: FetchPlan) throws -> any RowCursor

  /// The rows that a plan asks for as the store is now, whatever is saved while they are read; nil
  /// where `rows(for:)` has to do.
  ///
  /// To be moved without a lock.
  func lastingRows(for plan: FetchPlan) throws -> (any RowCursor)?

  /// Hands over the key and the values of some expressions for each row that a plan asks for.
  func values(
    _ plan: FetchPlan, _ expressions: [BoundExpression],
    _ body: (_ key: Int64, _ values: [Scalar?]) throws -> Void
  ) throws

  /// How many rows a plan asks for.
  func count(_ plan: FetchPlan) throws -> Int

  /// The row with a key among an entity's and its subentities'; nil where there is none.
  ///
  /// The caller frees it.
  func row(
    _ key: Int64, of entity: EntityBinding
  ) throws -> (entity: EntityBinding, row: PackedRow)?

  /// The first row that has a value among an entity's and its subentities'; nil where there is none.
  func row(with value: Scalar, at slot: Int, of entity: EntityBinding) throws -> FoundRow?

  /// Reads the value of a slot that may be in a file of its own; nil where there is none.
  ///
  /// - Throws: `PersistentStoreError.missingExternalData` where the file is missing.
  func externalValue(at slot: Int, of entity: EntityBinding, _ key: Int64) throws -> [UInt8]?

  // MARK: Writing

  /// Sets primary keys aside, in one transaction; gives the first of them.
  func reserveKeys(_ count: Int, of root: EntityBinding) throws -> Int64

  /// Writes all changes, or none.
  ///
  /// - Parameter body: what has to go well before they count.
  func save(_ request: SaveRequest, before body: () throws -> Void) throws -> SaveResult

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

  func row(with value: Scalar, at slot: Int, of entity: EntityBinding) throws -> FoundRow? {
    let cursor = try rows(for: FetchPlan(lookingUp: value, at: slot, of: entity))
    guard try cursor.next() else { return nil }
    return (cursor.key, binding(at: cursor.entity), try cursor.makeRow())
  }

  func externalValue(at slot: Int, of entity: EntityBinding, _ key: Int64) throws -> [UInt8]? {
    nil
  }
}

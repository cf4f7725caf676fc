/// What can be read of a store, over one of its connections.
protocol StoreReading {
  /// The rows that a plan asks for; they are read as the cursor moves.
  func rows(for plan: FetchPlan) throws -> any RowCursor

  /// Hands over which row it is and the values of some expressions for each that a plan asks for.
  func values(
    _ plan: FetchPlan, _ expressions: [BoundExpression],
    _ body: (_ row: RowIdentity, _ values: [Scalar?]) throws -> Void
  ) throws

  /// How many rows a plan asks for.
  func count(_ plan: FetchPlan) throws -> Int

  /// The row with a key among an entity's and its subentities'; nil where there is none.
  ///
  /// The caller frees it.
  func row(
    _ key: Int64, of entity: EntityBinding
  ) throws -> (entity: EntityBinding, row: PackedRow)?

  /// The first row that has a value among an entity's and its subentities'; nil where there is
  /// none.
  ///
  /// The caller frees it.
  func row(
    with value: Scalar, at slot: Int, of entity: EntityBinding
  ) throws -> FoundRow?

  /// Reads the value of a slot that may be in a file of its own; nil where there is none.
  ///
  /// - Throws: `PersistentStoreError.missingExternalData` where the file is missing.
  func externalValue(at slot: Int, of entity: EntityBinding, _ key: Int64) throws -> [UInt8]?
}

/// Which row of a coordinator's stores, and whose.
struct RowIdentity: Equatable {
  let key: Int64
  /// The index of the entity that the row is of, be it a subentity of the one that was asked for.
  let entity: Int
}

/// What reads a store for several threads at the same time, and beside a save.
protocol StoreReaderPool: AnyObject {
  /// Runs a body with what no other thread reads with meanwhile: that which this thread has, where
  /// it is called within another such body.
  func withReader<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result

  /// Runs a body in which this thread reads the state that the store has now.
  func withPinnedReader<Result>(_ body: () throws -> Result) throws -> Result

  /// The rows that a plan asks for as the store is now, whatever is saved while they are read; to
  /// be moved without a lock.
  func lastingRows(for plan: FetchPlan) throws -> any RowCursor
}

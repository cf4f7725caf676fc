/// What can be read of a store, over one of its connections.
protocol StoreReading {
  /// The rows that a plan asks for; they are read as the cursor moves.
  func rows(for plan: FetchPlan) throws -> any RowCursor

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
  ///
  /// The caller frees it.
  func row(
    with value: Scalar, at slot: Int, of entity: EntityBinding
  ) throws -> PersistentStore.FoundRow?

  /// Reads the value of a slot that may be in a file of its own; nil where there is none.
  ///
  /// - Throws: `PersistentStoreError.missingExternalData` where the file is missing.
  func externalValue(at slot: Int, of entity: EntityBinding, _ key: Int64) throws -> [UInt8]?
}

extension PersistentStore: StoreReading {}
extension SQLiteReader: StoreReading {}

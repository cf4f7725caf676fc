/// Reading from a store, over one of its connections.
protocol ReadableStore {
  /// The rows that a plan selects; they are read as the cursor advances.
  func rows(for plan: FetchPlan) throws -> any RowCursor

  /// Calls a body with the identity and the values of expressions for each row that a plan selects.
  func values(
    _ plan: FetchPlan, _ expressions: [BoundExpression],
    _ body: (_ row: RowIdentity, _ values: [Scalar?]) throws -> Void
  ) throws

  /// The number of rows that a plan selects.
  func count(_ plan: FetchPlan) throws -> Int

  /// The row with a key among those of an entity and its subentities; nil if there is none.
  ///
  /// The caller must free it.
  func row(
    _ key: Int64, of entity: EntityBinding
  ) throws -> (entity: EntityBinding, row: PackedRow)?

  /// The first row with a value in a slot among those of an entity and its subentities; nil if
  /// there is none.
  ///
  /// The caller must free it.
  func row(
    with value: Scalar, at slot: Int, of entity: EntityBinding
  ) throws -> FoundRow?

  /// Reads the value of a slot that may be in an external file; nil if there is none.
  ///
  /// - Throws: `PersistentStoreError.missingExternalData` if the file is missing.
  func externalValue(at slot: Int, of entity: EntityBinding, _ key: Int64) throws -> [UInt8]?
}

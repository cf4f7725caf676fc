import DataModel
import SystemLibraries

/// Forwards the operations of `RowStore` to the rows.
extension AtomicStore: RowStore {
  var transactions: (any TransactionalStore)? { rows }
  var state: UInt32? { rows.state }

  func rows(for plan: FetchPlan) throws -> any RowCursor { try rows.rows(for: plan) }

  func snapshot() throws -> (any ReadableStore)? { try rows.snapshot() }

  func values(
    _ plan: FetchPlan, _ expressions: [BoundExpression],
    _ body: (_ row: RowIdentity, _ values: [Scalar?]) throws -> Void
  ) throws { try rows.values(plan, expressions, body) }

  func count(_ plan: FetchPlan) throws -> Int { try rows.count(plan) }

  func row(
    _ key: Int64, of entity: EntityBinding
  ) throws -> (entity: EntityBinding, row: PackedRow)? { try rows.row(key, of: entity) }

  func reserveKeys(_ count: Int, of root: EntityBinding) throws -> Int64 {
    fatalError("An atomic store gives each new object a key of its own.")
  }

  func reserveKeys(
    for inserts: [SaveRequest.Insert], of root: EntityBinding
  ) throws -> [Int64] { try rows.reserveKeys(for: inserts) }

  func save(_ request: SaveRequest, before body: () throws -> Void) throws -> SaveResult {
    try rows.save(request, before: body)
  }

  func reopening(at url: URL) throws -> () -> Void {
    let found = try Swift.type(of: self).metadataForPersistentStore(at: url, type: type)
    guard found[StoredMetadata.uuidKey] == .string(identifier) else {
      throw PersistentStoreError.otherStore(url)
    }
    let goOn = try moving(to: url)
    return {
      goOn()
      self.noteURL(url)
    }
  }

  func metadata() throws -> [String: PropertyList] { try rows.metadata() }

  func updateMetadata(_ change: (inout [String: PropertyList]) -> Void) throws {
    try rows.updateMetadata(change)
  }
}

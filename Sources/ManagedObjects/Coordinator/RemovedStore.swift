import DataModel

/// A placeholder for a removed store; all its operations throw.
///
/// Contexts may still hold objects of it.
final class RemovedStore: PersistentStore, RowStore, @unchecked Sendable {
  init(_ identity: PersistentStoreIdentity) {
    super.init(type: .inMemory, url: nil, identity: identity, bindings: [], offset: 0)
  }

  private var error: PersistentStoreError { .removed(identifier: identifier) }

  var state: UInt32? { nil }

  func rows(for plan: FetchPlan) throws -> any RowCursor { throw error }
  func count(_ plan: FetchPlan) throws -> Int { throw error }
  func reserveKeys(_ count: Int, of root: EntityBinding) throws -> Int64 { throw error }
  func metadata() throws -> [String: PropertyList] { throw error }
  func updateMetadata(_ change: (inout [String: PropertyList]) -> Void) throws { throw error }

  func values(
    _ plan: FetchPlan, _ expressions: [BoundExpression],
    _ body: (_ row: RowIdentity, _ values: [Scalar?]) throws -> Void
  ) throws { throw error }

  func row(
    _ key: Int64, of entity: EntityBinding
  ) throws -> (entity: EntityBinding, row: PackedRow)? { throw error }

  func row(with value: Scalar, at slot: Int, of entity: EntityBinding) throws -> FoundRow? {
    throw error
  }

  func externalValue(at slot: Int, of entity: EntityBinding, _ key: Int64) throws -> [UInt8]? {
    throw error
  }

  func save(_ request: SaveRequest, before body: () throws -> Void) throws -> SaveResult {
    throw error
  }
}

import DataModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A store whose rows are in memory and go with it: for tests, and for what is not there yet.
///
/// Behaves as the SQLite store does, order keys and optimistic locking included. A save costs
/// O(rows).
final class InMemoryStore: PersistentStore, @unchecked Sendable {
  /// A row and whom it belongs to; freed with the last reference.
  final class StoredRow {
    let entity: EntityBinding
    let row: PackedRow

    /// Keeps a copy of a row.
    init(_ row: PackedRow, entity: EntityBinding) {
      self.entity = entity
      self.row = row.copy(slotCount: entity.slotCount)
    }

    deinit { row.free(slotCount: entity.slotCount) }
  }

  /// Everything in the store: a value, so that a save that fails leaves the old one.
  struct Contents {
    /// By root entity and primary key.
    var rows: [Int: [Int64: StoredRow]] = [:]
    var highestKeys: [Int: Int64] = [:]
    var metadata: [String: PropertyList] = [:]
  }

  private var contents = Contents()

  init(model: ManagedObjectModel, identifier: String, offset: Int) {
    let identity = PersistentStoreIdentity(identifier: identifier)
    super.init(
      type: .inMemory, url: nil, identity: identity,
      bindings: EntityBinding.bindings(of: model, store: identity, offset: offset), offset: offset)
    contents.metadata = [
      "NSStoreType": .string(StoreType.inMemory.rawValue),
      "NSStoreModelVersionHashes": .dictionary(
        model.entityVersionHashesByName.mapValues { .data(Data($0.bytes)) }),
    ]
  }

  override func rows(for plan: FetchPlan) throws -> any RowCursor {
    let family = plan.includesSubentities ? plan.entity.family : [plan.entity.index]
    let lookup: RowLookup = { [contents] toOne, row in
      contents.rows[self.binding(at: toOne.destination).root]?[row.integer(toOne.slot)]?.row
    }
    let found = (contents.rows[plan.entity.root] ?? [:])
      .filter { key, stored in
        family.contains(stored.entity.index)
          && plan.predicate?.matches(stored.row, key: key, lookup: lookup) ?? true
      }
      .sorted {
        plan.sorts.areInOrder(($0.value.row, $0.key), ($1.value.row, $1.key), lookup: lookup)
      }
      .dropFirst(plan.offset)
    let bounded = plan.limit > 0 ? found.prefix(plan.limit) : found
    return Cursor(bounded.map { ($0.key, $0.value) })
  }

  override func save(_ request: SaveRequest) throws -> SaveResult {
    var save = InMemorySave(contents: contents, request: request)
    let result = try save.run()
    contents = save.contents
    return result
  }

  override func metadata() -> [String: PropertyList] { contents.metadata }

  override func updateMetadata(_ change: (inout [String: PropertyList]) -> Void) {
    change(&contents.metadata)
  }

  /// Rows that were found, one after the other.
  private final class Cursor: RowCursor {
    private let found: [(key: Int64, stored: StoredRow)]
    private var place = -1

    init(_ found: [(key: Int64, stored: StoredRow)]) { self.found = found }

    func next() -> Bool {
      place += 1
      return place < found.count
    }
    var key: Int64 { found[place].key }
    var entity: Int { found[place].stored.entity.index }
    func makeRow() -> PackedRow {
      let stored = found[place].stored
      return stored.row.copy(slotCount: stored.entity.slotCount)
    }
  }
}

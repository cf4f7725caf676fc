import DataModel
import SystemLibraries

/// A store whose rows are in memory and go with it: for tests, and for what is not there yet.
///
/// Behaves as the SQLite store does, order keys and optimistic locking included. A save costs
/// O(rows). Stores that are one document keep their rows here, too (`DocumentStore`).
class InMemoryStore: PersistentStore, RowStore, @unchecked Sendable {
  /// A row and whom it belongs to; freed with the last reference.
  final class StoredRow {
    let entity: EntityBinding
    let row: PackedRow

    /// Keeps a copy of a row.
    convenience init(_ row: PackedRow, entity: EntityBinding) {
      self.init(taking: row.copy(slotCount: entity.slotCount), entity: entity)
    }

    /// Keeps a row, and frees it.
    init(taking row: PackedRow, entity: EntityBinding) {
      self.entity = entity
      self.row = row
    }

    deinit { row.free(slotCount: entity.slotCount) }
  }

  /// Everything in the store: a value, so that a save that fails leaves the old one.
  struct Contents {
    /// By root entity and primary key.
    var rows: [Int: [Int64: StoredRow]] = [:]
    /// Whether no two rows have one key, whatever their entities.
    var keysAreOfAllEntities = false
    private var highestKeys: [Int: Int64] = [:]
    /// The links of each join, by its place.
    var links: [Int: [SaveRequest.Link: LinkOrder]] = [:]
    var metadata: [String: PropertyList] = [:]

    /// The highest key that was handed out among the rows of a root entity.
    func highestKey(of root: Int) -> Int64 { highestKeys[keysAreOfAllEntities ? 0 : root] ?? 0 }

    /// Hands out keys for rows of a root entity; gives the first.
    mutating func takeKeys(_ count: Int, of root: Int) -> Int64 {
      let last = highestKey(of: root)
      setHighestKey(last + Int64(count), of: root)
      return last + 1
    }

    mutating func setHighestKey(_ key: Int64, of root: Int) {
      highestKeys[keysAreOfAllEntities ? 0 : root] = key
    }
  }

  /// The order keys of a link: of its first object in the second's list, and the other way round.
  struct LinkOrder: Equatable {
    var first: Int64?
    var second: Int64?
  }

  var contents: Contents { didSet { lists = InMemoryLists() } }
  /// The lists of the contents, as far as they were asked for.
  private var lists = InMemoryLists()
  /// How often the contents were replaced.
  var replacementCount: UInt32 = 0
  let joins: [JoinBinding]

  /// A store with some contents.
  init(
    type: StoreType, url: URL?, identity: PersistentStoreIdentity, bound: ModelBinding, offset: Int,
    contents: Contents, isReadOnly: Bool
  ) {
    joins = bound.joins
    self.contents = contents
    super.init(
      type: type, url: url, identity: identity, bindings: bound.entities, offset: offset,
      isReadOnly: isReadOnly)
  }

  /// An empty store, which is gone with the coordinator.
  convenience init(model: ManagedObjectModel, identifier: String, offset: Int) {
    let identity = PersistentStoreIdentity(identifier: identifier)
    var contents = Contents()
    contents.metadata = [
      "NSStoreType": .string(StoreType.inMemory.rawValue),
      "NSStoreUUID": .string(identifier),
      "NSStoreModelVersionHashes": .dictionary(
        model.entityVersionHashesByName.mapValues { .data(Data($0.bytes)) }),
    ]
    self.init(
      type: .inMemory, url: nil, identity: identity,
      bound: ModelBinding(model, store: identity, offset: offset), offset: offset,
      contents: contents, isReadOnly: false)
  }

  /// What others have transactions for; nil where nobody else has the rows.
  var transactions: (any TransactionalStore)? { nil }

  override var traces: StoreTraces { .nowhere }

  // MARK: Reading

  /// Sees to it that the contents are what there is now; called before each reading.
  func followChanges() throws {}

  /// What it holds now.
  private func reader() throws -> InMemoryReader {
    try followChanges()
    return InMemoryReader(contents, lists, store: self)
  }

  // The contents are a value, and rows are replaced, not changed.
  func snapshot() throws -> (any StoreReading)? { try reader() }

  func rows(for plan: FetchPlan) throws -> any RowCursor { try reader().rows(for: plan) }

  func values(
    _ plan: FetchPlan, _ expressions: [BoundExpression],
    _ body: (_ row: RowIdentity, _ values: [Scalar?]) throws -> Void
  ) throws {
    try reader().values(plan, expressions, body)
  }

  func count(_ plan: FetchPlan) throws -> Int { try reader().count(plan) }

  func row(
    _ key: Int64, of entity: EntityBinding
  ) throws -> (entity: EntityBinding, row: PackedRow)? {
    try reader().row(key, of: entity)
  }

  // MARK: Writing

  func save(
    _ request: SaveRequest, before body: () throws -> Void
  ) throws -> SaveResult {
    var save = InMemorySave(contents: contents, request: request, joins: joins, store: self)
    let result = try save.run()
    try body()
    contents = save.contents
    replacementCount &+= 1
    return result
  }

  /// The key of a new row.
  func newKey(
    for insert: SaveRequest.Insert, in contents: inout Contents
  ) throws -> Int64 {
    contents.takeKeys(1, of: insert.entity.root)
  }

  var state: UInt32? { replacementCount }

  // Documents have a place.
  func reopening(at url: URL) throws -> () -> Void {
    fatalError("A store in memory is nowhere.")
  }

  func reserveKeys(_ count: Int, of root: EntityBinding) throws -> Int64 {
    contents.takeKeys(count, of: root.index)
  }

  // MARK: Metadata

  func metadata() throws -> [String: PropertyList] {
    try followChanges()
    return contents.metadata
  }

  func updateMetadata(_ change: (inout [String: PropertyList]) -> Void) throws {
    change(&contents.metadata)
  }
}

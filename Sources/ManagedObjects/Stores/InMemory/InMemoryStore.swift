import DataModel
import SystemLibraries

/// A store whose rows exist only in memory: for tests, and for stores without a file yet.
///
/// Behaves like the SQLite store, including order keys and optimistic locking. A save is O(rows).
/// Single-document stores keep their rows in one too (`DocumentStore`).
class InMemoryStore: PersistentStore, RowStore, @unchecked Sendable {
  /// A row with its entity; freed when the last reference is released.
  final class StoredRow {
    let entity: EntityBinding
    let row: PackedRow

    /// Stores a copy of a row.
    convenience init(_ row: PackedRow, entity: EntityBinding) {
      self.init(taking: row.copy(slotCount: entity.slotCount), entity: entity)
    }

    /// Stores a row and takes ownership of it.
    init(taking row: PackedRow, entity: EntityBinding) {
      self.entity = entity
      self.row = row
    }

    deinit { row.free(slotCount: entity.slotCount) }
  }

  /// The contents of the store: a value type, so that a failed save leaves the old ones unchanged.
  struct Contents {
    /// The rows by root entity and primary key.
    var rows: [Int: [Int64: StoredRow]] = [:]
    /// Whether keys are unique across all entities.
    var keysAreOfAllEntities = false
    private var highestKeys: [Int: Int64] = [:]
    /// The links of each join, by its index.
    var links: [Int: [SaveRequest.Link: LinkOrder]] = [:]
    var metadata: [String: PropertyList] = [:]

    /// The highest key assigned to rows of a root entity.
    func highestKey(of root: Int) -> Int64 { highestKeys[keysAreOfAllEntities ? 0 : root] ?? 0 }

    /// Assigns keys for rows of a root entity; returns the first, or nil if there are not as many
    /// left, as a damaged document may say.
    mutating func takeKeys(_ count: Int, of root: Int) -> Int64? {
      let last = highestKey(of: root)
      guard last <= Int64.max - Int64(count) else { return nil }
      setHighestKey(last + Int64(count), of: root)
      return last + 1
    }

    mutating func setHighestKey(_ key: Int64, of root: Int) {
      highestKeys[keysAreOfAllEntities ? 0 : root] = key
    }
  }

  /// The order keys of a link: of its first object in the second's list, and vice versa.
  struct LinkOrder: Equatable {
    var first: Int64?
    var second: Int64?
  }

  var contents: Contents { didSet { lists = InMemoryLists() } }
  /// The cache of lists that belongs to the contents.
  private var lists = InMemoryLists()
  /// How many times the contents were replaced.
  var replacementCount: UInt32 = 0
  let joins: [JoinBinding]

  /// Creates a store with contents.
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

  /// Creates an empty store, which is discarded with the coordinator.
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

  /// Explicit transactions; nil unless the rows are shared with other processes.
  var transactions: (any TransactionalStore)? { nil }

  override var traces: ChangeDetection { .nowhere }

  // MARK: Reading

  /// Updates the contents if they were changed elsewhere; called before each read.
  func followChanges() throws {}

  /// A reader of the current contents.
  private func reader() throws -> InMemoryReader {
    try followChanges()
    return InMemoryReader(contents, lists, store: self)
  }

  // Safe without a lock: the contents are a value, and rows are replaced rather than modified.
  func snapshot() throws -> (any ReadableStore)? { try reader() }

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

  /// Assigns the key of a new row.
  func newKey(
    for insert: SaveRequest.Insert, in contents: inout Contents
  ) throws -> Int64 {
    guard let key = contents.takeKeys(1, of: insert.entity.root) else { throw noKeysLeft }
    return key
  }

  var state: UInt32? { replacementCount }

  // Only documents have a URL.
  func reopening(at url: URL) throws -> () -> Void {
    fatalError("An in-memory store has no URL.")
  }

  func reserveKeys(_ count: Int, of root: EntityBinding) throws -> Int64 {
    guard let first = contents.takeKeys(count, of: root.index) else { throw noKeysLeft }
    return first
  }

  /// The error of a store in which the highest key there is was assigned.
  final var noKeysLeft: PersistentStoreError {
    PersistentStoreError(SQLiteError.noKeysLeft, at: urlForErrors)
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

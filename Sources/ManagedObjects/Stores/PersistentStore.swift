import DataModel
public import SystemLibraries

/// A store behind a coordinator: a SQLite file, or rows in memory.
///
/// Coordinators make stores (`addPersistentStore`); a program only looks at them. Every call goes
/// through the coordinator's lock, hence Sendable. Follows Core Data's `NSPersistentStore`.
public class PersistentStore: @unchecked Sendable {
  /// The kinds of stores.
  public enum StoreType: String, Sendable {
    /// Core Data's SQLite file.
    case sqlite = "SQLite"
    /// Rows in memory, gone with the coordinator; for tests and for stores not made yet.
    case inMemory = "InMemory"
  }

  /// The store's kind.
  public let type: StoreType
  /// The store's file; nil for one in memory.
  public let url: URL?
  /// Whether the store is only read: then a save that would change it is refused.
  public let isReadOnly: Bool
  /// The store's UUID, in upper case.
  public var identifier: String { identity.identifier }
  let identity: PersistentStoreIdentity
  /// The model's entities as this store numbers them.
  let bindings: [EntityBinding]
  /// All bindings of the coordinator, this store's at their places.
  let offset: Int

  init(
    type: StoreType, url: URL?, identity: PersistentStoreIdentity, bindings: [EntityBinding],
    offset: Int, isReadOnly: Bool = false
  ) {
    self.isReadOnly = isReadOnly
    self.type = type
    self.url = url
    self.identity = identity
    self.bindings = bindings
    self.offset = offset
  }

  func binding(at index: Int) -> EntityBinding { bindings[index - offset] }

  /// A number for the state in which it was last read, another one after any change by anybody; nil
  /// where it has none.
  var state: UInt32? { nil }

  // MARK: What every store does

  /// The rows that a plan asks for; they are read as the cursor moves.
  func rows(for plan: FetchPlan) throws -> any RowCursor {
    fatalError("Every store overrides this.")
  }

  /// The rows that a plan asks for as the store is now, whatever is saved while they are read; nil
  /// where `rows(for:)` has to do.
  ///
  /// To be moved without a lock.
  func lastingRows(for plan: FetchPlan) throws -> (any RowCursor)? { nil }

  /// Hands over the key and the values of some expressions for each row that a plan asks for.
  func values(
    _ plan: FetchPlan, _ expressions: [BoundExpression],
    _ body: (_ key: Int64, _ values: [Scalar?]) throws -> Void
  ) throws { fatalError("Every store overrides this.") }

  /// How many rows a plan asks for.
  func count(_ plan: FetchPlan) throws -> Int { fatalError("Every store overrides this.") }

  /// The row with a key among an entity's and its subentities'; nil where there is none.
  ///
  /// The caller frees it.
  func row(
    _ key: Int64, of entity: EntityBinding
  ) throws -> (entity: EntityBinding, row: PackedRow)? {
    fatalError("Every store overrides this.")
  }

  /// A row that was found; whoever asked frees it.
  typealias FoundRow = (key: Int64, entity: EntityBinding, row: PackedRow)

  /// The first row that has a value among an entity's and its subentities'; nil where there is none.
  func row(
    with value: Scalar, at slot: Int, of entity: EntityBinding
  ) throws -> FoundRow? {
    let cursor = try rows(for: FetchPlan(lookingUp: value, at: slot, of: entity))
    guard try cursor.next() else { return nil }
    return (cursor.key, binding(at: cursor.entity), try cursor.makeRow())
  }

  /// Reads the value of a slot that may be in a file of its own; nil where there is none.
  ///
  /// - Throws: `PersistentStoreError.missingExternalData` where the file is missing.
  func externalValue(at slot: Int, of entity: EntityBinding, _ key: Int64) throws -> [UInt8]? {
    fatalError("Only values in files cannot be read with their rows.")
  }

  /// Keeps what is read from now on to one state of the store, until `endReading()`.
  func beginReading() throws {}

  /// Lets what is read be of the newest state again.
  func endReading() {}

  /// Whether a state is pinned, or a transaction begun.
  var isInTransaction: Bool { false }

  /// Begins the next transaction now: what is read until then stays true until it ends.
  ///
  /// The first save ends it; keys that are reserved and metadata that are changed are part of it.
  func beginWriting() throws {}

  /// Ends it where no save has; what is part of it already is written.
  func endWriting() throws {}

  /// Sets primary keys aside, in one transaction; gives the first of them.
  func reserveKeys(_ count: Int, of root: EntityBinding) throws -> Int64 {
    fatalError("Every store overrides this.")
  }

  /// Writes all changes, or none.
  ///
  /// - Parameter body: what has to go well before they count.
  func save(_ request: SaveRequest, before body: () throws -> Void) throws -> SaveResult {
    fatalError("Every store overrides this.")
  }

  /// Changes values of all rows that a plan asks for, with one statement; nil where it cannot be done so.
  func update(
    _ plan: FetchPlan, _ values: [(slot: Int, value: Scalar?)]
  ) throws -> [BatchedRow]? { nil }

  /// Deletes all rows that a plan asks for, with one statement; nil where it cannot be done so.
  func delete(_ plan: FetchPlan) throws -> [BatchedRow]? { nil }

  /// The store's metadata.
  func metadata() throws -> [String: PropertyList] { fatalError("Every store overrides this.") }

  /// Changes the store's metadata in one transaction.
  func updateMetadata(_ change: (inout [String: PropertyList]) -> Void) throws {
    fatalError("Every store overrides this.")
  }
}

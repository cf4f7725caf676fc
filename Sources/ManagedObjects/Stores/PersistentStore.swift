public import SystemLibraries

/// A store behind a coordinator: a SQLite file, a document, rows in memory, or one of a program's
/// own (``AtomicStore``, ``IncrementalStore``).
///
/// Coordinators make stores (`addPersistentStore`); a program only looks at them. Every call goes
/// through the coordinator's lock, hence Sendable. What a store does is `RowStore`. Follows Core
/// Data's `NSPersistentStore`.
open class PersistentStore: @unchecked Sendable {
  /// A kind of stores, by its name.
  ///
  ///     let kind = PersistentStore.StoreType("XML")   // .xml
  public struct StoreType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name: what a store's metadata have under `NSStoreType`.
    public let rawValue: String

    /// The kind of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The kind of a name.
    public init(_ name: String) { rawValue = name }

    /// Core Data's SQLite file.
    public static let sqlite = StoreType("SQLite")
    /// Rows in memory, gone with the coordinator; for tests and for stores not made yet.
    public static let inMemory = StoreType("InMemory")
    /// Core Data's XML document: read whole when it is added, and written whole by each save.
    ///
    /// For what people read, compare and keep under version control, up to some tens of thousands
    /// of objects. Several processes may have it open. It holds no model: one of another version is
    /// migrated where `PersistentStoreOptions.sourceModels` has that.
    public static let xml = StoreType("XML")
    /// A document that people can read, edit and keep under version control: read whole when it is
    /// added, and written whole by each save.
    ///
    /// Core Data has no such. One changed value is one changed line; see <doc:TheFiles>. What holds
    /// for ``xml`` stores holds here.
    public static let json = StoreType("JSON")

    /// Core Data's binary document: read whole when it is added, and written whole by each save.
    ///
    /// As others have found its form out; no file of Apple's has been held against it. What holds
    /// for ``xml`` stores holds here.
    public static let binary = StoreType("Binary")

    /// Tables of a PostgreSQL database, for several people and machines; its URL is the server's,
    /// such as `postgres://db.example/walks`.
    ///
    /// Core Data has no such. Only where the package is built with its trait `PostgreSQL`; without
    /// it, adding one throws `PersistentStoreError.unknownStoreType`.
    public static let postgreSQL = StoreType("PostgreSQL")

    /// The name.
    public var description: String { rawValue }
  }

  /// The store's kind.
  public let type: StoreType
  /// The store's file; nil for one in memory.
  ///
  /// Another one after `PersistentStoreCoordinator.setURL(_:for:)`.
  public var url: URL? { urlLock.withLock { currentURL } }
  private let urlLock = Lock()
  private var currentURL: URL?
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
    currentURL = url
    self.identity = identity
    self.bindings = bindings
    self.offset = offset
  }

  /// The server that it is on, and its version; nil where there is none.
  var server: String? { nil }

  /// How many connections there are to its database, and how many its server takes in all; nil
  /// where nobody tells.
  func serverConnections() -> (count: Int, most: Int)? { nil }

  /// Where it is, as its server says; nil of any other store, and where nobody tells.
  func locationOnServer() -> String? { nil }

  /// A number that is another one once anybody else has changed the store; 0 where nobody
  /// can, or nobody can tell.
  func changeCount() throws -> Int64 { 0 }

  /// Where it shows that others have changed the store.
  var traces: StoreTraces { .store }

  /// What an error is about where it has to name a file.
  var urlForErrors: URL { url ?? URL(filePath: type.rawValue) }

  func noteURL(_ url: URL) { urlLock.withLock { currentURL = url } }

  func binding(at index: Int) -> EntityBinding { bindings[index - offset] }
}

public import SystemLibraries

/// A store of a coordinator: a SQLite file, a document, rows in memory, or a custom store
/// (``AtomicStore``, ``IncrementalStore``).
///
/// Coordinators create stores (`addPersistentStore`); programs only inspect them. Sendable: its
/// contents and its writing connection are used only under the coordinator's lock, concurrent reads
/// use connections of their own, and `url` has its own lock. `RowStore` declares what a store does.
/// Follows Core Data's `NSPersistentStore`.
open class PersistentStore: @unchecked Sendable {
  /// A store type, identified by its name.
  ///
  ///     let kind = PersistentStore.StoreType("XML")   // .xml
  public struct StoreType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name, as in the `NSStoreType` of a store's metadata.
    public let rawValue: String

    /// Creates a store type with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a store type with a name.
    public init(_ name: String) { rawValue = name }

    /// Core Data's SQLite file.
    public static let sqlite = StoreType("SQLite")
    /// Rows in memory, discarded with the coordinator; for tests and for stores without a file yet.
    public static let inMemory = StoreType("InMemory")
    /// Core Data's XML document: read as a whole when it is added, and rewritten by each save.
    ///
    /// For data that people read, compare and keep under version control, up to some tens of
    /// thousands of objects. Several processes may have it open. It contains no model: a store of
    /// another version is migrated if `PersistentStoreOptions.sourceModels` contains its model.
    public static let xml = StoreType("XML")
    /// A document that people can read, edit and keep under version control: read as a whole when
    /// it is added, and rewritten by each save.
    ///
    /// Core Data has no counterpart. A changed value changes a single line; see <doc:TheFiles>.
    /// Otherwise like ``xml``.
    public static let json = StoreType("JSON")

    /// Core Data's binary document: read as a whole when it is added, and rewritten by each save.
    ///
    /// The format follows published reverse engineering and was not verified with a file written by
    /// Apple. Otherwise like ``xml``.
    public static let binary = StoreType("Binary")

    /// Tables of a PostgreSQL database, for several users and machines; the URL is the server's,
    /// such as `postgres://db.example/walks`.
    ///
    /// Core Data has no counterpart. Available only if the package is built with its trait
    /// `PostgreSQL`; otherwise adding one throws `PersistentStoreError.unknownStoreType`.
    public static let postgreSQL = StoreType("PostgreSQL")

    /// The name of the store type.
    public var description: String { rawValue }
  }

  /// The store type.
  public let type: StoreType
  /// The store's file; nil for one in memory.
  ///
  /// Changes with `PersistentStoreCoordinator.setURL(_:for:)`.
  public var url: URL? { urlLock.withLock { currentURL } }
  private let urlLock = Lock()
  private var currentURL: URL?
  /// Whether the store is read-only, so that a save which would change it is refused.
  public let isReadOnly: Bool
  /// The store's UUID, in upper case.
  public var identifier: String { identity.identifier }
  let identity: PersistentStoreIdentity
  /// The model's entities as this store numbers them.
  let bindings: [EntityBinding]
  /// The index of this store's first binding among all bindings of the coordinator.
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

  /// The server of the store and its version; nil if it has none.
  var server: String? { nil }

  /// The number of connections to the store's database, and the maximum of its server; nil if
  /// unknown.
  func serverConnections() -> (count: Int, most: Int)? { nil }

  /// The location of the store as its server reports it; nil for any other store or if unknown.
  func locationOnServer() -> String? { nil }

  /// A number that changes when anything else has changed the store; 0 if that is impossible or
  /// cannot be detected.
  func changeCount() throws -> Int64 { 0 }

  /// The means of detecting changes by other connections or processes.
  var traces: ChangeDetection { .store }

  /// The URL for errors that must name a file.
  var urlForErrors: URL { url ?? URL(filePath: type.rawValue) }

  func noteURL(_ url: URL) { urlLock.withLock { currentURL = url } }

  func binding(at index: Int) -> EntityBinding { bindings[index - offset] }
}

package import DataModel
package import SystemLibraries

/// A sequential reader of a whole SQLite store, without contexts and managed objects.
///
///     let reader = try StoreReader(contentsOf: url)
///     for entity in try reader.entities(of: model) {
///       let rows = try entity.rows()
///       while try rows.next() { print(rows.reference) }
///     }
///
/// For programs that look at everything once: only the current row is kept, so memory does not grow
/// with the store. Everything is read in one transaction, begun when the reader is created; nothing
/// is written, not even next to the file. Not Sendable.
package final class StoreReader {
  /// The store's metadata, as `PersistentStoreCoordinator.metadata(for:)` gives it.
  package var metadata: [String: PropertyList] { stored.all }
  /// The store's UUID: the host of its objects' URIs.
  package var identifier: String { stored.uuid }

  private let url: URL
  private let connection: Connection
  private let stored: StoredMetadata

  /// Opens a store of any model.
  ///
  /// - Parameter busyTimeout: How many seconds to wait while another process writes.
  /// - Throws: `PersistentStoreError` if there is no store or it cannot be read.
  package init(contentsOf url: URL, busyTimeout: Double = 20) throws {
    self.url = url
    var options = PersistentStoreOptions()
    options.isReadOnly = true
    let path = url.filePath.resolvingFinalSymlink
    try SQLiteStore.prepareFile(url, path: path, model: nil, options: options)
    do {
      connection = try ReadOnlyFile(url: url, path: path, busyTimeout: busyTimeout).open()
        .connection
      try connection.execute("BEGIN")
      stored = try SQLiteStore.readMetadata(connection, at: url)
    } catch let error as SQLiteError {
      throw PersistentStoreError(error, at: url)
    }
  }

  /// Whether the store belongs to a model, by its version hashes and by the columns of derived
  /// attributes, whose names and types the hashes do not cover.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read.
  package func isStore(of model: ManagedObjectModel) throws -> Bool {
    try PersistentStoreError.mapping(at: url) {
      try SQLiteStore.isStore(connection, stored, of: model, at: url)
    }
  }

  /// The entities of a model that the store holds, in the order of their numbers.
  ///
  /// Entities that the store's version hashes do not name are left out: they belong to another
  /// configuration.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read.
  /// - Precondition: The store was created with this model; otherwise tables and columns are not
  ///   found.
  package func entities(of model: ManagedObjectModel) throws -> [StoredEntity] {
    do {
      let bound = ModelBinding(
        model, store: PersistentStoreIdentity(identifier: identifier),
        numbers: try SQLiteStore.entityNumbers(connection))
      let schema = try SQLSchema(bound, of: StoreContents(connection))
      let store = StoredEntity.Store(
        url: url, connection: connection, bindings: bound.entities, schema: schema)
      return bound.entities.filter { hashedNames?.contains($0.name) ?? true }
        .map { StoredEntity($0, in: store) }
    } catch let error as SQLiteError {
      throw PersistentStoreError(error, at: url)
    }
  }

  /// The external files of large values that no row refers to, as
  /// `PersistentStoreCoordinator.unusedExternalDataFiles(of:)` finds them.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read.
  package func unusedExternalDataFiles() throws -> [URL] {
    try PersistentStoreError.mapping(at: url) {
      let files = ExternalDataFiles(of: url)
      return try files.strayNames(in: connection).map { files.folder.appending(path: $0) }
    }
  }

  /// The model embedded in the store (Z_MODELCACHE); nil if there is none.
  ///
  /// Stores from before iOS 9 have none.
  ///
  /// - Throws: `ModelArchiveError` if it is damaged or does not fit the store's version hashes;
  ///   `PersistentStoreError` if the store cannot be read.
  package func embeddedModel() throws -> ManagedObjectModel? {
    do {
      guard try StoreContents(connection).tables.contains("Z_MODELCACHE") else { return nil }
      let statement = try connection.statement("SELECT Z_CONTENT FROM Z_MODELCACHE")
      defer { statement.reset() }
      guard try statement.step(), let content = statement.blob(at: 0), !content.isEmpty else {
        return nil
      }
      let model = try ManagedObjectModel(modelCache: content)
      let names = [nil] + model.configurations.map(Optional.some)
      let fits = names.contains {
        model.isCompatible(withStoreMetadata: metadata, configurationName: $0)
      }
      guard fits else { throw ModelArchiveError.notAModel }
      return model
    } catch let error as SQLiteError {
      throw PersistentStoreError(error, at: url)
    }
  }

  /// The store's persistent history; nil if it keeps none.
  ///
  /// - Parameter model: provides the names of properties; nil if it is unknown.
  /// - Throws: `PersistentStoreError` if the store cannot be read.
  package func history(of model: ManagedObjectModel?) throws -> StoredHistory? {
    try PersistentStoreError.mapping(at: url) {
      try StoredHistory(connection, at: url, identifier: identifier, of: model)
    }
  }

  /// The tables and columns of the store's schema.
  func contents() throws -> StoreContents {
    try PersistentStoreError.mapping(at: url) { try StoreContents(connection) }
  }

  private var hashedNames: Set<String>? {
    guard case .dictionary(let hashes)? = metadata["NSStoreModelVersionHashes"] else { return nil }
    return Set(hashes.keys)
  }
}

@available(*, unavailable) extension StoreReader: Sendable {}

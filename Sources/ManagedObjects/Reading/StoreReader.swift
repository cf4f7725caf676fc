package import DataModel
package import SystemLibraries

/// A SQLite store read from front to back, without contexts and without objects.
///
///     let reader = try StoreReader(contentsOf: url)
///     for entity in try reader.entities(of: model) {
///       let rows = try entity.rows()
///       while try rows.next() { print(rows.reference) }
///     }
///
/// For programs that look at everything once: a row is gone when the next one is read, so memory
/// does not grow with the store. All that a reader gives is from one read transaction, begun when
/// it is made; nothing is written, not even beside the file. Not Sendable.
package final class StoreReader {
  /// The store's metadata, as `PersistentStoreCoordinator.metadata(for:)` gives it.
  package var metadata: [String: PropertyList] { stored.all }
  /// The store's UUID: the host of its objects' URIs.
  package var identifier: String { stored.uuid }

  private let url: URL
  private let connection: Connection
  private let stored: StoredMetadata

  /// Opens a store, whatever its model.
  ///
  /// - Parameter busyTimeout: How many seconds to wait while another process writes.
  /// - Throws: `PersistentStoreError` where there is no store or it cannot be read.
  package init(contentsOf url: URL, busyTimeout: Double = 20) throws {
    self.url = url
    var options = PersistentStoreOptions()
    options.isReadOnly = true
    let path = url.filePath.behindLinks
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

  /// Whether the store is of a model: by its version hashes, and by the columns of derived
  /// attributes, of which the hashes say neither name nor type.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read.
  package func isStore(of model: ManagedObjectModel) throws -> Bool {
    try PersistentStoreError.mapping(at: url) {
      try SQLiteStore.isStore(connection, stored, of: model, at: url)
    }
  }

  /// The store's entities in the order of their numbers, as a model describes them.
  ///
  /// Entities that the store's version hashes do not name are left out: they belong to another
  /// configuration.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read.
  /// - Precondition: The store was made with this model; else tables and columns are not found.
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

  /// The files of large values to which nothing in the store leads, as
  /// `PersistentStoreCoordinator.strayValueFiles(of:)` finds them.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read.
  package func strayValueFiles() throws -> [URL] {
    try PersistentStoreError.mapping(at: url) {
      let files = ExternalDataFiles(of: url)
      return try files.strayNames(in: connection).map { files.folder.appending(path: $0) }
    }
  }

  /// The model that the store holds; nil where there is none.
  ///
  /// Stores from before iOS 9 have none.
  ///
  /// - Throws: `ModelArchiveError` where it is damaged or does not fit the store's version hashes;
  ///   `PersistentStoreError` where the store cannot be read.
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

  /// The store's persistent history; nil where it keeps none.
  ///
  /// - Parameter model: names the properties; nil where it is not known.
  /// - Throws: `PersistentStoreError` where the store cannot be read.
  package func history(of model: ManagedObjectModel?) throws -> StoredHistory? {
    try PersistentStoreError.mapping(at: url) {
      try StoredHistory(connection, at: url, identifier: identifier, of: model)
    }
  }

  /// What the store's schema has.
  func contents() throws -> StoreContents {
    try PersistentStoreError.mapping(at: url) { try StoreContents(connection) }
  }

  private var hashedNames: Set<String>? {
    guard case .dictionary(let hashes)? = metadata["NSStoreModelVersionHashes"] else { return nil }
    return Set(hashes.keys)
  }
}

@available(*, unavailable) extension StoreReader: Sendable {}

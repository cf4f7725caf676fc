import DataModel
import SystemLibraries

/// Migrating documents of another version of their model when they are opened.
extension DocumentStore {
  /// Opens a document; one of another version is migrated first, if the options enable that.
  ///
  /// - Throws: `PersistentStoreError` with the reason; `MigrationError`.
  static func openOrMigrate(
    _ url: URL, as kind: any DocumentFormat.Type, model: ManagedObjectModel,
    options: PersistentStoreOptions, offset: Int
  ) throws -> DocumentStore {
    do {
      return try open(url, as: kind, model: model, options: options, offset: offset)
    } catch PersistentStoreError.incompatibleModel
      where options.migratesAutomatically && !options.isReadOnly
    {
      try MigrationError.mapping(at: url) {
        try migrate(url, as: kind, to: model, options: options)
      }
      return try open(url, as: kind, model: model, options: options, offset: offset)
    }
  }

  /// Migrates a document through a temporary SQLite store, with the document's lock held.
  ///
  /// The SQLite store and the new document are in a hidden folder next to it. The new document
  /// replaces the old one in one step, so if the program is killed, either the old one or the new
  /// one remains.
  ///
  /// - Throws: `MigrationError`, `PersistentStoreError`; the document is unchanged then.
  private static func migrate(
    _ url: URL, as kind: any DocumentFormat.Type, to model: ManagedObjectModel,
    options: PersistentStoreOptions
  ) throws {
    let file = DocumentFile(url, busyTimeout: options.busyTimeout)
    try file.lock()
    defer { file.unlock() }
    let bytes = try file.read()
    let metadata = try mapping(at: url) { () throws in try kind.init(headOf: bytes).metadata }
    // Another process may have migrated it already.
    guard StoredMetadata.mismatch(of: metadata, with: model, at: url) != nil else { return }
    guard let source = StoredMetadata.model(of: metadata, among: options.sourceModels) else {
      throw MigrationError.missingSourceModel(url)
    }
    let draft = try MigrationDraft(
      in: ".\(url.lastPathComponent).migrating", beside: URL(filePath: file.path), of: model)
    do {
      let new = try migratedBytes(of: url, as: kind, from: source, to: model, options, in: draft)
      let backup = options.migrationBackupURL
      if let backup { try write(bytes, to: backup) }
      do {
        // An editor may write to it regardless of the lock.
        guard try !file.hasChanged() else { throw PersistentStoreError.busy(url) }
        // A program that is killed here leaves the folder, which the next migration empties; after
        // the replacement it is empty.
        try draft.empty()
        try file.replace(with: file.draft(new, in: draft.folder))
      } catch {
        if let backup { try? FileManager.default.removeItem(at: backup) }
        throw error
      }
      try file.syncName()
    } catch PersistentStoreError.full(let place) {
      throw PersistentStoreError.full(draft.contains(place) ? url : place)
    }
  }

  /// The bytes of the migrated document.
  private static func migratedBytes(
    of url: URL, as kind: any DocumentFormat.Type, from source: ManagedObjectModel,
    to model: ManagedObjectModel, _ options: PersistentStoreOptions, in draft: MigrationDraft
  ) throws -> [UInt8] {
    let keepsKeys = try options.keepPrimaryKeys(from: source, to: model)
    let old = PersistentStoreCoordinator(managedObjectModel: source)
    var reading = options.forMigrating
    reading.isReadOnly = true
    let document = try old.addPersistentStore(type: kind.type, at: url, options: reading)
    try old.write(document, to: draft.url, type: .sqlite)
    let new = PersistentStoreCoordinator(managedObjectModel: model)
    let migrated = try new.rowStore(
      new.addPersistentStore(type: .sqlite, at: draft.url, options: options.forMigratingDraft))
    return try bytes(
      as: kind, of: model, from: migrated, identifier: document.identifier,
      keepingKeys: keepsKeys, at: url)
  }

  /// A document with all contents of a store that another document was migrated into.
  ///
  /// - Parameter keepsKeys: whether the rows have the keys that they had in a document.
  private static func bytes<Document: DocumentFormat>(
    as kind: Document.Type, of model: ManagedObjectModel, from store: any RowStore,
    identifier: String, keepingKeys keepsKeys: Bool, at url: URL
  ) throws -> [UInt8] {
    let draft = try empty(kind, identifier: identifier, of: model, at: url)
    var document = draft.document
    try StoredMetadata.replaceOwnKeys(of: &document.metadata, with: store.metadata())
    if let problem = kind.problem(with: document.metadata) {
      throw PersistentStoreError.unwritableValue(url, problem)
    }
    let transfer = StoreTransfer(source: store)
    if keepsKeys {
      let roots = store.bindings.filter { $0.root == $0.index }
      let highest = try roots.map { try transfer.highestGivenKey(of: $0) }.max() ?? 0
      draft.rows.contents.setHighestKey(highest, of: 0)
    }
    var keys: Set<Int64> = []
    try transfer.fillRows(of: draft.rows) { _, key in
      // A document has one sequence of keys for all entities; an object that a program adds may
      // have a key that is in use.
      keepsKeys && keys.insert(key).inserted ? key : nil
    }
    return document.bytes(of: draft.rows.contents, in: draft.rows)
  }
}

extension PersistentStoreOptions {
  /// The options for migrating a draft, a store filled from another one.
  var forMigratingDraft: PersistentStoreOptions {
    var options = self
    options.migrationBackupURL = nil
    options.undoLogLimit = 0
    options.tracksPersistentHistory = false
    options.keysAreOfAllEntities = true
    return options
  }
}

extension StoredMetadata {
  /// The one of several models that a store was made with, or its part in a configuration.
  static func model(
    of metadata: [String: PropertyList], among models: [ManagedObjectModel]
  ) -> ManagedObjectModel? {
    for model in models {
      for name in [nil] + model.configurations.map(Optional.some)
      where model.isCompatible(withStoreMetadata: metadata, configurationName: name) {
        return model.restricted(toConfiguration: name)
      }
    }
    return nil
  }
}

import DataModel
import SystemLibraries

extension CustomStore {
  /// Opens a store; one of another version is migrated first, if the options enable that.
  ///
  /// - Throws: `PersistentStoreError` with the reason, `unsupportedOperation` if stores of the
  ///   class cannot be migrated; `MigrationError`; errors that the store throws.
  static func openOrMigrate(_ opening: StoreParameters) throws -> any RowStore {
    do {
      return try open(opening)
    } catch PersistentStoreError.incompatibleModel
      where opening.description.options.migratesAutomatically
      && !opening.description.options.isReadOnly
    {
      guard let storeClass = self as? AtomicStore.Type else {
        throw PersistentStoreError.unsupportedOperation(
          opening.description.type, "be migrated to another version of the model")
      }
      try storeClass.migrate(opening)
      return try open(opening)
    }
  }
}

/// Migrating atomic stores of another version of their model in place.
extension AtomicStore {
  /// Migrates a store through a temporary SQLite store, with the store's lock held.
  ///
  /// The stored contents are read with the model that the store was made with; a store with the new
  /// model replaces everything in one save, so if the program is killed, either the old store or
  /// the new one remains.
  ///
  /// - Throws: `MigrationError`, `PersistentStoreError`, errors that the store throws; it is
  ///   unchanged then.
  fileprivate static func migrate(_ opening: StoreParameters) throws {
    let options = opening.description.options
    let new = self.init(opening.alone(with: opening.managedObjectModel, options))
    let url = new.urlForErrors
    try new.refuseDerivedAttributes()
    try new.rows.lock()
    defer { new.rows.unlock() }
    try new.loadMetadata()
    // Another process may have migrated it already.
    guard new.metadata[StoredMetadata.uuidKey] != nil,
      StoredMetadata.mismatch(of: new.metadata, with: new.managedObjectModel, at: url) != nil
    else { return }
    try new.willMigrate()
    guard let source = StoredMetadata.model(of: new.metadata, among: options.sourceModels) else {
      throw MigrationError.missingSourceModel(url)
    }
    var reading = options.forMigrating
    reading.isReadOnly = true
    let old = self.init(opening.alone(with: source, reading))
    try old.prepare()
    let keepsReferences = try options.keepPrimaryKeys(from: source, to: new.managedObjectModel)
    let draft = try MigrationDraft(forCopyOf: url, of: source)
    try draft.mappingErrors(at: url) {
      let migrated = try old.migrated(to: new.managedObjectModel, options, in: draft)
      let backup = try old.backUp(options)
      do {
        // A process that does not use the lock may have saved.
        guard try !old.isOutdated() else { throw PersistentStoreError.busy(url) }
        try new.take(migrated, from: old, keepingReferences: keepsReferences)
      } catch {
        // If the store may have been replaced nevertheless, the backup may be needed.
        if case PersistentStoreError.uncertain = error { throw error }
        if let backup { try? FileManager.default.removeItem(at: backup) }
        throw error
      }
    }
  }

  /// A SQLite store of another model with all contents of this one.
  private func migrated(
    to model: ManagedObjectModel, _ options: PersistentStoreOptions, in draft: MigrationDraft
  ) throws -> any RowStore {
    try draft.fill(from: self)
    try draft.withStore { _, store in
      // Objects that a program adds during the migration need keys that no object here has.
      for root in store.bindings where root.root == root.index {
        try store.advanceHighestKey(to: references.allKeys.upperBound - 1, of: root)
      }
    }
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    return try coordinator.rowStore(
      coordinator.addPersistentStore(
        type: .sqlite, at: draft.url, options: options.forMigratingDraft))
  }

  /// Makes a backup if the options specify one; returns its URL.
  private func backUp(_ options: PersistentStoreOptions) throws -> URL? {
    guard let backup = options.migrationBackupURL else { return nil }
    guard let url else { throw PersistentStoreError.unsupportedOperation(type, "be copied") }
    var info = stat()
    if lstat(backup.filePath, &info) == 0 { throw PersistentStoreError(errno: EEXIST, at: backup) }
    do {
      try Self.replacePersistentStore(
        at: backup, destinationOptions: PersistentStoreOptions(), withPersistentStoreFrom: url,
        sourceOptions: options, type: type)
    } catch {
      // There was no file before.
      try? FileManager.default.removeItem(at: backup)
      throw error
    }
    return backup
  }

  /// Replaces the stored contents by those of a SQLite store, in one save.
  ///
  /// - Parameters:
  ///   - old: the store that the SQLite store was made from.
  ///   - keepsReferences: whether the rows have the keys that they had there.
  private func take(
    _ migrated: any RowStore, from old: AtomicStore, keepingReferences keepsReferences: Bool
  ) throws {
    metadata = StoredMetadata.modelMetadata(managedObjectModel)
    StoredMetadata.replaceOwnKeys(of: &metadata, with: try migrated.metadata())
    metadata[StoredMetadata.uuidKey] = old.metadata[StoredMetadata.uuidKey]
    try adoptMetadata()
    rows.contents.metadata = metadata
    try StoreTransfer(source: migrated).fillRows(of: self, savingNothing: true) { entity, key in
      guard keepsReferences, let known = old.references[key] else { return nil }
      return rows.keep(known.reference, of: entity)
    }
  }
}

extension StoreParameters {
  /// The arguments for creating a store outside a coordinator.
  fileprivate func alone(
    with model: ManagedObjectModel, _ options: PersistentStoreOptions
  ) -> StoreParameters {
    var description = description
    description.options = options
    return StoreParameters(description: description, managedObjectModel: model, offset: 0)
  }
}

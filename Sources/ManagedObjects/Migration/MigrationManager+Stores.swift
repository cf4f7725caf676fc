import DataModel
public import SystemLibraries

/// Migrating from one file to another, or in place.
extension MigrationManager {
  /// Migrates a store into a new one, of the same store type or another; the old one is unchanged.
  ///
  ///     try manager.migrateStore(from: url, mapping: mapping, to: newURL)
  ///
  /// Other processes may continue to write to the old one: it is read in one state. The new file is
  /// checked and on the disk when it gets its name; if this fails there is none, except for an
  /// ``IncrementalStore``, which is filled in place. Entity mappings of entities that the stores do
  /// not contain are ignored. Follows Core Data's
  /// `migrateStore(from:type:options:mapping:to:type:options:)`.
  ///
  /// - Parameters:
  ///   - url: the store's file.
  ///   - type: its store type.
  ///   - configurationName: the part of the source's model that it contains; nil for all of it.
  ///   - mapping: the mapping of its objects.
  ///   - newURL: the URL of the new file.
  ///   - newType: the new store's type.
  ///   - newConfigurationName: the part of the destination's model that it gets; nil for all of it.
  ///   - options: how long to wait for locks.
  /// - Throws: ``MigrationError`` if the mapping does not fit, ``ValidationError`` if an object
  ///   that was created is not valid, errors that a policy throws, ``PersistentStoreError`` if a
  ///   file cannot be read or written: `failed` with `EEXIST` if there is a file already.
  /// - Precondition: the models have the configurations; this manager is not migrating.
  public func migrateStore(
    from url: URL, type: PersistentStore.StoreType = .sqlite, configurationName: String? = nil,
    mapping: MappingModel, to newURL: URL, type newType: PersistentStore.StoreType = .sqlite,
    configurationName newConfigurationName: String? = nil,
    options: PersistentStoreOptions = PersistentStoreOptions()
  ) throws {
    guard let part = destinationModel.restricted(toConfiguration: newConfigurationName) else {
      fatalError("The model has no configuration \(newConfigurationName ?? "").")
    }
    let source = PersistentStoreCoordinator(managedObjectModel: sourceModel)
    var options = options.forMigrating
    options.isReadOnly = true
    let store = try source.addPersistentStore(
      type: type, configurationName: configurationName, at: url, options: options)
    func fill(_ draft: MigrationDraft) throws {
      try source.performReading {
        try draft.fill(by: self, mapping, from: source, source.metadata(for: store))
      }
    }
    guard newType == .sqlite else {
      let draft = try MigrationDraft(forCopyOf: newURL, of: part)
      return try draft.mappingErrors(at: newURL) {
        try fill(draft)
        try draft.withStore { coordinator, store in
          try coordinator.write(store, to: newURL, type: newType)
        }
      }
    }
    let draft = try MigrationDraft(
      in: ".\(newURL.lastPathComponent).migrating-\(getpid())", beside: newURL, of: part)
    try fill(draft)
    try draft.withStore { coordinator, store in try coordinator.copy(store, to: newURL) }
  }

  /// Migrates a store in its file, in one transaction.
  ///
  ///     let result = try manager.migrateStore(at: url, mapping: mapping)
  ///
  /// If the program is killed during the migration, or fails, the store is unchanged. No other
  /// process can write meanwhile; other processes see the old rows until the commit. Takes space
  /// for a second store, in a hidden folder next to it. A persistent history in Core Data's format
  /// is emptied, since it refers to rows by keys that now belong to others, and gets a transaction
  /// that marks the migration; so its readers start over. Entity mappings of entities that the
  /// store's part of the models does not have are ignored.
  ///
  /// - Parameters:
  ///   - url: the store's file.
  ///   - configurationName: the part of both models that it contains; nil for all of it.
  ///   - mapping: the mapping of its objects.
  ///   - options: how long to wait for locks, which obstacles to writing to ignore, and the URL of
  ///     the backup.
  /// - Returns: the result; nil if another process has migrated the store already.
  /// - Throws: As
  ///   ``migrateStore(from:type:configurationName:mapping:to:type:configurationName:options:)``
  ///   does.
  /// - Precondition: the models have the configuration; this manager is not migrating.
  @discardableResult
  public func migrateStore(
    at url: URL, configurationName: String? = nil, mapping: MappingModel,
    options: PersistentStoreOptions = PersistentStoreOptions()
  ) throws -> MigrationResult? {
    guard
      let part = destinationModel.restricted(toConfiguration: configurationName),
      let sourcePart = sourceModel.restricted(toConfiguration: configurationName)
    else { fatalError("The models have no configuration \(configurationName ?? "").") }
    return try SQLiteStore.replaceContents(
      ofStoreAt: url, from: sourcePart, to: part, options: options
    ) { source, metadata, draft in
      try draft.fill(by: self, mapping, from: source, metadata)
      return mapping
    }
  }
}

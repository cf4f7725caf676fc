import DataModel
public import SystemLibraries

/// From one file to another, or into the same one.
extension MigrationManager {
  /// Migrates a store into a new one, of the same kind or another; the old one stays as it is.
  ///
  ///     try manager.migrateStore(from: url, mapping: mapping, to: newURL)
  ///
  /// Other processes may go on writing to the old one: what is read is its state at one moment. The
  /// new file is looked through and on the disk when it gets its name; where this fails there is
  /// none, but for an ``IncrementalStore``, which is filled where it is. Entity mappings of
  /// entities that the stores do not hold are passed over. Follows Core Data's
  /// `migrateStore(from:type:options:mapping:to:type:options:)`.
  ///
  /// - Parameters:
  ///   - url: the store's file.
  ///   - type: its kind.
  ///   - configurationName: the part of the source's model that it holds; nil for all of it.
  ///   - mapping: what becomes of its objects.
  ///   - newURL: where the new file is to be.
  ///   - newType: the new store's kind.
  ///   - newConfigurationName: the part of the destination's model that it gets; nil for all of it.
  ///   - options: how long to wait for others.
  /// - Throws: ``MigrationError`` where the mapping does not fit, ``ValidationError`` where an
  ///   object that was made is not valid, what a policy throws, ``PersistentStoreError`` where a
  ///   file cannot be read or written: `failed` with `EEXIST` where there is a file already.
  /// - Precondition: the models have the configurations; no migration of this manager is going on.
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

  /// Migrates a store in its file, in one transaction: a program that is killed meanwhile, or
  /// fails, leaves the store as it was.
  ///
  ///     let result = try manager.migrateStore(at: url, mapping: mapping)
  ///
  /// Nobody else can write meanwhile; other processes see the old rows until all is done. Takes
  /// room for a second store, in a hidden folder beside it. A persistent history of Core Data's is
  /// emptied, since it names rows by keys that others have now, and gets a transaction that tells
  /// of the migration; so whoever follows it begins anew. Entity mappings of entities that the
  /// store's part of the models does not have are passed over.
  ///
  /// - Parameters:
  ///   - url: the store's file.
  ///   - configurationName: the part of both models that it holds; nil for all of it.
  ///   - mapping: what becomes of its objects.
  ///   - options: how long to wait for others, which obstacles to writing to ignore, and where to
  ///     keep a copy.
  /// - Returns: what was done; nil where another process was faster.
  /// - Throws: As
  ///   ``migrateStore(from:type:configurationName:mapping:to:type:configurationName:options:)``
  ///   does.
  /// - Precondition: the models have the configuration; no migration of this manager is going on.
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

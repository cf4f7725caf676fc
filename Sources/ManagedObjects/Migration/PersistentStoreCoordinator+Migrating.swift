public import SystemLibraries

extension PersistentStoreCoordinator {
  /// Migrates a store that is not open to another model, in place.
  ///
  /// The store is a SQLite store, or one on a server. The mapping is one of the options'
  /// (``PersistentStoreOptions/mappingModels``), or else an inferred one.
  ///
  ///     let versions = ManagedObjectModel.dogWalkVersions.sorted { $0.key < $1.key }
  ///     let result = try PersistentStoreCoordinator.migrateStore(
  ///       at: url, to: .dogWalk, from: versions.map(\.value))
  ///
  /// One transaction: if the program is killed in the meantime, or fails, the store is unchanged.
  /// UUID, primary keys, lock counts and an application's metadata are kept. The time depends on
  /// the changes, not on the size of the store; for a custom mapping see ``MigrationManager``. The
  /// store's model is one of `sourceModels`, by its version hashes, or embedded in the store. If
  /// another process has migrated it already there is nothing to do, and the result is nil.
  ///
  /// A store on a server is copied into a temporary SQLite store and back, in one transaction,
  /// which takes time in proportion to its contents; the backup is that SQLite store.
  ///
  /// Programs that have the store open with the old model must not write to it any more.
  ///
  /// Replaces what Core Data does when a store is added with both
  /// `NSMigratePersistentStoresAutomaticallyOption` and `NSInferMappingModelAutomaticallyOption`,
  /// and `NSMigrationManager` with an inferred mapping.
  ///
  /// - Parameters:
  ///   - url: the store's file, or its URL on a server.
  ///   - model: the model to migrate it to.
  ///   - configurationName: the part of the model that the store contains; nil for all of it.
  ///   - sourceModels: possible models of the store, in addition to the embedded one.
  ///   - options: how long to wait for locks, and which obstacles to writing to ignore.
  ///   - progress: receives the completed fraction, from 0 to 1, at which only the commit is left.
  /// - Throws: ``MigrationError`` if it cannot be migrated, ``PersistentStoreError`` if it cannot
  ///   be read or written, `ModelArchiveError` if the embedded model is damaged.
  /// - Precondition: the model has the configuration.
  @discardableResult
  public static func migrateStore(
    at url: URL, to model: ManagedObjectModel, configurationName: String? = nil,
    from sourceModels: [ManagedObjectModel] = [],
    options: PersistentStoreOptions = PersistentStoreOptions(),
    progress: @escaping (Double) -> Void = { _ in }
  ) throws -> MigrationResult? {
    guard let part = model.restricted(toConfiguration: configurationName) else {
      fatalError("The model has no configuration \(configurationName ?? "").")
    }
    var options = options
    options.infersMapping = true
    options.sourceModels += sourceModels
    return try migrate(url, to: part, options: options, progress: progress)
  }

  /// Completes deferred migrations: drops columns that are no longer in the model.
  ///
  ///     if try coordinator.finishDeferredMigration() { print("The store is as small as it can be.") }
  ///
  /// One transaction for each store, in which each column takes as long as rewriting its table;
  /// other processes wait for it as for any save. Follows Core Data's
  /// `finishDeferredLightweightMigration()`.
  ///
  /// - Returns: whether there was anything to do; see ``PersistentStoreOptions/defersMigration``.
  /// - Throws: ``PersistentStoreError`` if a store cannot be written; it is unchanged then.
  @discardableResult
  public func finishDeferredMigration() throws -> Bool {
    try locked {
      var isDone = false
      for case let store as SQLiteStore in persistentStores
      where try store.finishDeferredMigration() {
        isDone = true
      }
      return isDone
    }
  }

  /// Opens a SQLite store; one of another version is migrated first, if the options enable that.
  ///
  /// - Throws: `PersistentStoreError` with the reason; `MigrationError`.
  static func openOrMigrate(
    _ url: URL, model: ManagedObjectModel, options: PersistentStoreOptions, offset: Int
  ) throws -> SQLiteStore {
    do {
      return try SQLiteStore.open(url, model: model, options: options, offset: offset)
    } catch PersistentStoreError.incompatibleModel
      where options.migratesAutomatically && !options.isReadOnly
    {
      _ = try migrate(url, to: model, options: options) { _ in }
      return try SQLiteStore.open(url, model: model, options: options, offset: offset)
    }
  }

  /// Migrates a store by one of the options' mappings, by an inferred one, or through several
  /// versions.
  ///
  /// - Returns: the result; nil if there was nothing to do.
  private static func migrate(
    _ url: URL, to model: ManagedObjectModel, options: PersistentStoreOptions,
    progress: @escaping (Double) -> Void
  ) throws -> MigrationResult? {
    #if PostgreSQL
      if url.isPostgreSQL {
        return try PostgreSQLStore.migrate(url, to: model, options: options, progress: progress)
      }
    #endif
    if options.isReadOnly { throw PersistentStoreError.readOnly(url) }
    let debug = options.migrationDebug ?? .migration
    debug?.tell(
      "annotation: (migration) will attempt automatic schema migration of \"\(url.path)\"")
    let start = debug.map { _ in monotonicSeconds() }
    do {
      let result = try migrateWhole(url, to: model, options: options, progress: progress)
      let time = (monotonicSeconds() - (start ?? 0)).inSeconds
      debug?.tell(
        result == nil
          ? "annotation: (migration) the store has this model version already"
          : "annotation: (migration) migration completed successfully in \(time)")
      return result
    } catch {
      debug?.tell("annotation: (migration) migration failed: \(error)")
      throw error
    }
  }

  /// Implements `migrate(_:to:options:progress:)` for SQLite stores.
  private static func migrateWhole(
    _ url: URL, to model: ManagedObjectModel, options: PersistentStoreOptions,
    progress: @escaping (Double) -> Void
  ) throws -> MigrationResult? {
    guard
      let source = try PersistentStoreError.mapping(
        at: url,
        {
          try SQLiteStore.sourceModel(
            of: url, besides: model, among: options.sourceModels, options: options)
        })
    else { return nil }
    if let manager = options.stagedMigrationManager {
      return try manager.migrate(url, from: source, to: model, options: options, progress)
    }
    guard let path = try MigrationPath(from: source, to: model, options) else {
      throw MigrationError.missingMappingModel(url)
    }
    guard path.steps.count > 1 else {
      return try migrate(url, path.steps[0], options: options, progress: progress)
    }
    return try SQLiteStore.migrateInCopy(url, from: source, to: model, options: options) {
      var done = 0.0
      for step in path.steps {
        _ = try migrate($0, step, options: $1) { progress((done + $0) / Double(path.steps.count)) }
        done += 1
      }
      return path.steps[path.steps.count - 1].mapping
    }
  }

  /// Migrates a store to the next version.
  static func migrate(
    _ url: URL, _ step: MigrationPath.Step, options: PersistentStoreOptions,
    progress: @escaping (Double) -> Void
  ) throws -> MigrationResult? {
    if let debug = options.migrationDebug ?? .migration {
      debug.tell(
        "annotation: (migration) \(step.mapping.isInferred ? "inferred" : "found") a mapping model "
          + "with \(step.mapping.entityMappings.count) entity mappings")
      for entity in step.mapping.entityMappings {
        debug.tell(
          from: 2,
          "details: (migration) \(entity.name): \(entity.sourceEntityName ?? "nothing") to "
            + "\(entity.destinationEntityName ?? "nothing")")
      }
    }
    guard step.mapping.isInferred else {
      let manager = MigrationManager(
        sourceModel: step.source, destinationModel: step.destination)
      manager.entityMigrationPolicies = options.entityMigrationPolicies
      manager.progressHandler = progress
      return try manager.migrateStore(at: url, mapping: step.mapping, options: options)
    }
    return try SQLiteStore.migrate(
      url, from: step.source, to: step.destination, step.mapping, options: options,
      progress: progress)
  }
}

public import DataModel
public import SystemLibraries

/// What was done to migrate a store to another model.
public struct MigrationResult: Sendable, Hashable {
  /// How its objects became those of the new model.
  public let mapping: MappingModel
  /// Whether the store's undo log was dropped, since it knew rows as they are no longer.
  public let droppedUndoLog: Bool
}

extension PersistentStoreCoordinator {
  /// Migrates a SQLite store, or one on a server, that is not open to another model, in place: by a
  /// mapping that the options have (``PersistentStoreOptions/mappingModels``), or else by an
  /// inferred one.
  ///
  ///     let versions = ManagedObjectModel.dogWalkVersions.sorted { $0.key < $1.key }
  ///     let result = try PersistentStoreCoordinator.migrateStore(
  ///       at: url, to: .dogWalk, from: versions.map(\.value))
  ///
  /// One transaction: a program that is killed meanwhile, or fails, leaves the store as it was.
  /// UUID, primary keys, lock counts and an application's metadata stay. Takes time with what
  /// changes, not with what the store holds; with a mapping of one's own as ``MigrationManager``
  /// says. The store is of one of `sourceModels`, by its version hashes, or holds its model itself.
  /// Where another process was faster there is nothing to do, and the result is nil.
  ///
  /// A store on a server is brought into a SQLite store among temporary files and back, in one
  /// transaction, which takes time with what it holds; the backup is that SQLite store.
  ///
  /// Programs that have the store open with the old model must not write to it any more.
  ///
  /// Stands for what Core Data does when a store is added with both
  /// `NSMigratePersistentStoresAutomaticallyOption` and `NSInferMappingModelAutomaticallyOption`,
  /// and for `NSMigrationManager` with an inferred mapping.
  ///
  /// - Parameters:
  ///   - url: the store's file, or where it is on a server.
  ///   - model: the model to migrate it to.
  ///   - configurationName: the part of the model that the store holds; nil for all of it.
  ///   - sourceModels: models that the store may be of, beside the one that it holds.
  ///   - options: how long to wait for others, and which obstacles to writing to ignore.
  ///   - progress: hears of the part that is done, from 0 to 1, at which only the commit is left.
  /// - Throws: ``MigrationError`` where it cannot be migrated, ``PersistentStoreError`` where it
  ///   cannot be read or written, `ModelArchiveError` where the model that it holds is damaged.
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

  /// Does what migrations have left for later: columns that the model does not have go from their
  /// tables.
  ///
  ///     if try coordinator.finishDeferredMigration() { print("The store is as small as it can be.") }
  ///
  /// One transaction a store, in which each column takes as long as its table is to be written;
  /// others wait for it as for any save. Follows Core Data's
  /// `finishDeferredLightweightMigration()`.
  ///
  /// - Returns: whether there was something to do; see ``PersistentStoreOptions/defersMigration``.
  /// - Throws: ``PersistentStoreError`` where a store cannot be written; it is as it was then.
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

  /// Opens a SQLite store; one of another version is migrated first, where the options want that.
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

  /// Migrates a store by a mapping that the options have, or else by one that is inferred, or over
  /// several versions.
  ///
  /// - Returns: what was done; nil where there was nothing to do.
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
    let start = debug.map { _ in RetryBackoff.now }
    do {
      let result = try migrateWhole(url, to: model, options: options, progress: progress)
      let time = (RetryBackoff.now - (start ?? 0)).inSeconds
      debug?.tell(
        result == nil
          ? "annotation: (migration) the store is of the model already"
          : "annotation: (migration) migration completed successfully in \(time)")
      return result
    } catch {
      debug?.tell("annotation: (migration) migration failed: \(error)")
      throw error
    }
  }

  /// Does what `migrate(_:to:options:progress:)` tells of.
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

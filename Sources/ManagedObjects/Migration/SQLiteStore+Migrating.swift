import DataModel
import SystemLibraries

/// Migrating a store to another model, in place.
extension SQLiteStore {
  /// Migrates a store by an inferred mapping in one transaction.
  ///
  /// - Returns: the result; nil if another process has migrated it already.
  /// - Throws: `MigrationError`, `PersistentStoreError`.
  static func migrate(
    _ url: URL, from source: ManagedObjectModel, to model: ManagedObjectModel,
    _ mapping: MappingModel, options: PersistentStoreOptions,
    progress: @escaping (Double) -> Void = { _ in }
  ) throws -> MigrationResult? {
    do {
      let path = url.filePath.resolvingFinalSymlink
      try model.checkDerivations()
      let connection = try connectForWriting(to: path, of: url, options: options)
      try connection.syncCommits()
      let files = ExternalDataChanges(in: ExternalDataFiles(of: url))
      var backup: MigrationBackup?
      do {
        let result = try connection.transaction {
          try migrate(
            connection, at: url, from: source, to: model, mapping, options: options, files,
            &backup, progress)
        }
        var dropped = DroppedFiles(files.dropped)
        dropped.remove(in: ExternalDataFiles(of: url), on: connection)
        return result
      } catch {
        // Whether it was committed is unknown: an extra file does no harm.
        if (error as? SQLiteError)?.isUncertain != true {
          files.undo()
          backup?.discard()
        }
        throw error
      }
    } catch let error as SQLiteError {
      throw PersistentStoreError(error, at: url)
    }
  }

  /// Migrates the store, inside a transaction; nil if another process has migrated it already.
  private static func migrate(
    _ connection: Connection, at url: URL, from source: ManagedObjectModel,
    to model: ManagedObjectModel, _ mapping: MappingModel, options: PersistentStoreOptions,
    _ files: ExternalDataChanges, _ backup: inout MigrationBackup?,
    _ progress: @escaping (Double) -> Void
  ) throws -> MigrationResult? {
    let found = try readMetadata(connection, at: url)
    if try isStore(connection, found, of: model, at: url) { return nil }
    if let mismatch = StoredMetadata.mismatch(of: found.plist, with: source, at: url) {
      throw mismatch
    }
    let contents = try StoreContents(connection)
    try refuseObstacles(contents, at: url, options)
    let bound = try BoundMapping(
      mapping, from: (source, entityNumbers(connection)), to: model,
      of: PersistentStoreIdentity(identifier: found.uuid), contents: contents)
    for table in bound.source.allTables where !contents.tables.contains(table) {
      throw PersistentStoreError.corrupt(url, .missingTable(table))
    }
    // CloudKit's tables refer to entities by their numbers.
    if contents.isMirrored,
      bound.renumbersSome(of: bound.destinationIndexes.indices)
    {
      throw PersistentStoreError.cannotWrite(url, .cloudKit)
    }
    var migration = try StoreMigration(
      connection, at: url, bound, to: model, contents: contents, files: files,
      keepsColumns: options.defersMigration, keysAreOfAllEntities: options.keysAreOfAllEntities,
      progress: progress)
    let result = MigrationResult(mapping: mapping, droppedUndoLog: migration.losesUndoLog)
    backup = try MigrationBackup(of: url, source, options)
    try migration.run()
    return result
  }

  /// The model that a store was made with; nil if the store is of the new model already.
  ///
  /// The store is only read, so that one that cannot be migrated is unchanged, including its
  /// accompanying files.
  ///
  /// - Parameter sources: possible models, in addition to the embedded one.
  /// - Throws: `MigrationError`, `PersistentStoreError`, `ModelArchiveError`.
  static func sourceModel(
    of url: URL, besides model: ManagedObjectModel, among sources: [ManagedObjectModel],
    options: PersistentStoreOptions
  ) throws -> ManagedObjectModel? {
    try prepareFile(
      url, path: url.filePath.resolvingFinalSymlink, model: nil, options: options.forExistingFile)
    let reader = try StoreReader(contentsOf: url, busyTimeout: options.busyTimeout)
    let metadata = reader.metadata
    if try reader.isStore(of: model) { return nil }
    try refuseObstacles(reader.contents(), at: url, options)
    func fitting(_ candidate: ManagedObjectModel) throws -> ManagedObjectModel? {
      let names = [nil] + candidate.configurations.map(Optional.some)
      for name in names
      where candidate.isCompatible(withStoreMetadata: metadata, configurationName: name) {
        if let part = candidate.restricted(toConfiguration: name), try reader.isStore(of: part) {
          return part
        }
      }
      return nil
    }
    for candidate in sources {
      if let found = try fitting(candidate) { return found }
    }
    guard let held = try reader.embeddedModel(), let found = try fitting(held) else {
      throw MigrationError.missingSourceModel(url)
    }
    return found
  }
}

extension PersistentStoreOptions {
  /// The options, without creating a file.
  fileprivate var forExistingFile: PersistentStoreOptions {
    var options = self
    options.createsFile = false
    return options
  }
}

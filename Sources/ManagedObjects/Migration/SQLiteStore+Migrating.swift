import DataModel
import SystemLibraries

/// Carrying a store to another model, in place.
extension SQLiteStore {
  /// Carries a store over in one transaction, unless it is one of the model's already.
  ///
  /// Whether and how it can be is worked out while the store is only read, so that one that cannot be
  /// stays as it is, with what lies beside it.
  ///
  /// - Parameter sources: models that the store may be of, beside the one that it holds.
  /// - Returns: what was done; nil where there was nothing to do.
  /// - Throws: `MigrationError`, `PersistentStoreError`, `ModelArchiveError`.
  @discardableResult
  static func migrate(
    _ url: URL, to model: ManagedObjectModel, from sources: [ManagedObjectModel],
    options: PersistentStoreOptions, progress: @escaping (Double) -> Void = { _ in }
  ) throws -> MigrationResult? {
    if options.isReadOnly { throw PersistentStoreError.readOnly(url) }
    do {
      let path = url.filePath.behindLinks
      try prepareFile(url, path: path, model: nil, options: options.forExistingFile)
      guard
        let source = try sourceModel(
          of: url, path: path, besides: model, among: sources, options: options)
      else { return nil }
      guard options.infersMapping else { throw MigrationError.missingMappingModel(url) }
      let mapping = try MappingModel.inferred(from: source, to: model)
      try model.checkDerivations()
      let connection = try Connection(path: path, access: .readWrite, waiting: options.busyTimeout)
      guard !connection.isReadOnly else { throw PersistentStoreError.noPermission(url) }
      try connection.syncCommits()
      let files = ExternalDataChanges(in: ExternalDataFiles(of: url))
      do {
        let result = try connection.transaction {
          try migrate(
            connection, at: url, from: source, to: model, mapping, options: options, files,
            progress)
        }
        files.finish()
        return result
      } catch {
        // Whether it was committed is not known: a file too many does no harm.
        if (error as? SQLiteError)?.isUncertain != true { files.undo() }
        throw error
      }
    } catch let error as SQLiteError {
      throw PersistentStoreError(error, at: url)
    }
  }

  /// Carries the store over, inside a transaction; nil where another process was faster.
  private static func migrate(
    _ connection: Connection, at url: URL, from source: ManagedObjectModel,
    to model: ManagedObjectModel, _ mapping: MappingModel, options: PersistentStoreOptions,
    _ files: ExternalDataChanges, _ progress: @escaping (Double) -> Void
  ) throws -> MigrationResult? {
    let found = try readMetadata(connection, at: url)
    if mismatch(of: found.plist, with: model, at: url) == nil { return nil }
    if let mismatch = mismatch(of: found.plist, with: source, at: url) { throw mismatch }
    let contents = try StoreContents(connection)
    try refuseObstacles(contents, at: url, but: options.ignoredObstacles)
    let bound = try BoundMapping(
      mapping, from: (source, entityNumbers(connection)), to: model,
      of: PersistentStoreIdentity(identifier: found.uuid), contents: contents)
    for table in bound.source.allTables where !contents.tables.contains(table) {
      throw PersistentStoreError.corrupt(url, .missingTable(table))
    }
    // CloudKit's tables know entities by their numbers.
    if contents.obstacles.contains(.cloudKit),
      bound.renumbersSome(of: bound.destinationIndexes.indices)
    {
      throw PersistentStoreError.cannotWrite(url, .cloudKit)
    }
    var migration = try StoreMigration(
      connection, at: url, bound, to: model, contents: contents, files: files, progress: progress)
    let result = MigrationResult(mapping: mapping, droppedUndoLog: migration.losesUndoLog)
    try migration.run()
    return result
  }

  /// The model that a store was made with; nil where it is the one that it is to get.
  private static func sourceModel(
    of url: URL, path: String, besides model: ManagedObjectModel,
    among sources: [ManagedObjectModel], options: PersistentStoreOptions
  ) throws -> ManagedObjectModel? {
    let reader = try StoreReader(contentsOf: url, busyTimeout: options.busyTimeout)
    let metadata = reader.metadata
    if mismatch(of: metadata, with: model, at: url) == nil { return nil }
    try refuseObstacles(reader.contents(), at: url, but: options.ignoredObstacles)
    func fitting(_ candidate: ManagedObjectModel) -> ManagedObjectModel? {
      let names = [nil] + candidate.configurations.map(Optional.some)
      for name in names
      where candidate.isCompatible(withStoreMetadata: metadata, configurationName: name) {
        return candidate.restricted(toConfiguration: name)
      }
      return nil
    }
    if let found = sources.lazy.compactMap(fitting).first { return found }
    guard let held = try reader.embeddedModel(), let found = fitting(held) else {
      throw MigrationError.missingSourceModel(url)
    }
    return found
  }
}

extension PersistentStoreOptions {
  /// The options, without making a file.
  fileprivate var forExistingFile: PersistentStoreOptions {
    var options = self
    options.createsFile = false
    return options
  }
}

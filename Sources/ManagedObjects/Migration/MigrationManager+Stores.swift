import DataModel
public import SystemLibraries

/// From one file to another, or into the same one.
extension MigrationManager {
  /// Carries a store over into a new file; the old one stays as it is.
  ///
  ///     try manager.migrateStore(from: url, mapping: mapping, to: newURL)
  ///
  /// Other processes may go on writing to the old one: what is read is its state at one moment. The new
  /// file is looked through and on the disk when it gets its name; where this fails there is none.
  /// Follows Core Data's `migrateStore(from:type:options:mapping:to:type:options:)`.
  ///
  /// - Parameters:
  ///   - url: the store's file.
  ///   - configurationName: the part of the source's model that it holds; nil for all of it.
  ///   - mapping: what becomes of its objects.
  ///   - newURL: where the new file is to be.
  ///   - newConfigurationName: the part of the destination's model that it gets; nil for all of it.
  ///   - options: how long to wait for others.
  /// - Throws: ``MigrationError`` where the mapping does not fit, ``ValidationError`` where an object that
  ///   was made is not valid, what a policy throws, ``PersistentStoreError`` where a file cannot be read
  ///   or written: `failed` with `EEXIST` where there is a file already.
  /// - Precondition: the models have the configurations; no migration of this manager is going on.
  public func migrateStore(
    from url: URL, configurationName: String? = nil, mapping: MappingModel, to newURL: URL,
    configurationName newConfigurationName: String? = nil,
    options: PersistentStoreOptions = PersistentStoreOptions()
  ) throws {
    let source = PersistentStoreCoordinator(managedObjectModel: sourceModel)
    var options = options.forMigrating
    options.isReadOnly = true
    let store = try source.addPersistentStore(
      type: .sqlite, configurationName: configurationName, at: url, options: options)
    let draft = try MigrationDraft(
      in: ".\(newURL.lastPathComponent).migrating-\(getpid())", beside: newURL)
    try source.performReading {
      try draft.fill(
        by: self, mapping, from: source, source.metadata(for: store), newConfigurationName)
    }
    try draft.coordinator.copy(draft.store, to: newURL)
  }

  /// Carries a store over in its file, in one transaction: a program that is killed meanwhile, or fails,
  /// leaves the store as it was.
  ///
  ///     let result = try manager.migrateStore(at: url, mapping: mapping)
  ///
  /// Nobody else can write meanwhile; other processes see the old rows until all is done. Takes room for a
  /// second store, in a hidden folder beside it. A persistent history of Core Data's is emptied, since
  /// it names rows by keys that others have now; so whoever follows it begins anew.
  ///
  /// - Parameters:
  ///   - url: the store's file.
  ///   - configurationName: the part of both models that it holds; nil for all of it.
  ///   - mapping: what becomes of its objects.
  ///   - options: how long to wait for others, which obstacles to writing to ignore, and where to keep a
  ///     copy.
  /// - Returns: what was done; nil where another process was faster.
  /// - Throws: As ``migrateStore(from:configurationName:mapping:to:configurationName:options:)`` does.
  /// - Precondition: the models have the configuration; no migration of this manager is going on.
  @discardableResult
  public func migrateStore(
    at url: URL, configurationName: String? = nil, mapping: MappingModel,
    options: PersistentStoreOptions = PersistentStoreOptions()
  ) throws -> MigrationResult? {
    if options.isReadOnly { throw PersistentStoreError.readOnly(url) }
    let source = PersistentStoreCoordinator(managedObjectModel: sourceModel)
    let added = try source.addPersistentStore(
      type: .sqlite, configurationName: configurationName, at: url, options: options.forMigrating)
    guard let store = added as? SQLiteStore else { return nil }
    return try source.performWriting {
      // As it is now that nobody else can write.
      let metadata = try source.metadata(for: store)
      if destinationModel.isCompatible(
        withStoreMetadata: metadata, configurationName: configurationName)
      {
        return nil
      }
      if let mismatch = SQLiteStore.mismatch(of: metadata, with: store.model, at: url) {
        throw mismatch
      }
      let backup = try MigrationBackup(of: url, store.model, options)
      do {
        // One writer at a time: what is there already was left by one that was killed.
        let draft = try MigrationDraft(in: ".\(url.lastPathComponent).migrating", beside: url)
        try draft.fill(by: self, mapping, from: source, metadata, configurationName)
        let hadUndoLog = try store.replaceContents(with: draft.store)
        return MigrationResult(mapping: mapping, droppedUndoLog: hadUndoLog)
      } catch PersistentStoreError.uncertain(let url, let error) {
        throw PersistentStoreError.uncertain(url, error)
      } catch {
        backup?.discard()
        throw error
      }
    }
  }
}

/// A store that is being filled, in a hidden folder of its own beside the place of the one that it is for.
///
/// The folder goes with it, and what was in it before is taken away first.
final class MigrationDraft {
  private let folder: URL
  private let url: URL
  private var opened: (coordinator: PersistentStoreCoordinator, store: SQLiteStore)?

  /// Makes the folder.
  init(in name: String, beside place: URL) throws {
    folder = place.deletingLastPathComponent().appending(path: name)
    url = folder.appending(path: place.lastPathComponent)
    try? FileManager.default.removeItem(at: folder)
    guard mkdir(folder.path, 0o700) == 0 else {
      throw PersistentStoreError(errno: errno, at: folder)
    }
  }

  deinit {
    opened = nil
    try? FileManager.default.removeItem(at: folder)
  }

  /// The coordinator of the draft, once it is filled.
  var coordinator: PersistentStoreCoordinator { filled.coordinator }
  /// The draft, once it is filled.
  var store: SQLiteStore { filled.store }

  private var filled: (coordinator: PersistentStoreCoordinator, store: SQLiteStore) {
    guard let opened else { fatalError("The draft of a migrated store was not filled.") }
    return opened
  }

  /// Makes the store, and has a manager fill it.
  ///
  /// - Parameter metadata: the source's, whose UUID and application's keys it gets.
  func fill(
    by manager: MigrationManager, _ mapping: MappingModel, from source: PersistentStoreCoordinator,
    _ metadata: [String: PropertyList], _ configurationName: String?
  ) throws {
    let model = manager.destinationModel
    guard let part = model.restricted(toConfiguration: configurationName) else {
      fatalError("The model has no configuration \(configurationName ?? "").")
    }
    try part.checkDerivations()
    try SQLiteStore.makeDraft(at: url, model: part, metadata: metadata)
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    let added = try coordinator.addPersistentStore(
      type: .sqlite, configurationName: configurationName, at: url)
    guard let store = added as? SQLiteStore else { return }
    opened = (coordinator, store)
    // Nobody needs it before it is whole, and then it is copied.
    try store.mappingErrors { try store.connection.execute("PRAGMA synchronous = OFF") }
    try manager.run(mapping, from: source, to: coordinator)
  }
}

@available(*, unavailable) extension MigrationDraft: Sendable {}

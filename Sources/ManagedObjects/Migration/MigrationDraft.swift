import DataModel
import SystemLibraries

/// A store that is made in a folder of its own: a hidden one beside the store that it is for, or
/// one among temporary files.
///
/// The folder goes with it, and what was in it before is taken away first.
final class MigrationDraft {
  /// Where the draft is.
  let url: URL
  /// The folder that it has for itself.
  let folder: URL
  private let model: ManagedObjectModel
  /// The temporary folder that it is in, if it is in one.
  private let copyFolder: CopyFolder?

  /// Makes the folder beside a store.
  ///
  /// - Parameter model: the model that the store has in the end.
  init(in name: String, beside store: URL, of model: ManagedObjectModel) throws {
    folder = store.deletingLastPathComponent().appending(path: name)
    url = folder.appending(path: store.lastPathComponent)
    self.model = model
    copyFolder = nil
    try empty()
  }

  /// Makes the folder among temporary files, for a store that is not a SQLite file.
  ///
  /// - Parameter model: the model that the store has in the end.
  init(forCopyOf store: URL, of model: ManagedObjectModel) throws {
    let copyFolder = try CopyFolder(forCopyOf: store)
    folder = copyFolder.url.appending(path: "draft")
    url = folder.appending(path: "store.sqlite")
    self.model = model
    self.copyFolder = copyFolder
    try empty()
  }

  /// Makes the folder anew, with nothing in it.
  func empty() throws {
    remove()
    guard mkdir(folder.path, 0o700) == 0 else {
      throw PersistentStoreError(errno: errno, at: folder)
    }
  }

  deinit { remove() }

  /// Whether a file is the draft, or one of those that go with it.
  func contains(_ file: URL) -> Bool { file.path.hasPrefix(folder.path + "/") }

  /// Runs a body whose errors about a draft among temporary files are errors of the store that it
  /// is for.
  func mappingErrors<Result>(at store: URL, _ body: () throws -> Result) throws -> Result {
    do {
      return try MigrationError.mapping(at: store, body)
    } catch PersistentStoreError.full(let file) where contains(file) {
      throw PersistentStoreError.noTemporaryCopy(
        store, folder: CopyFolder.parent, reason: String(cString: strerror(ENOSPC)))
    }
  }

  /// Takes it away; whoever has it open may read on.
  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Makes the store, and has a manager fill it.
  ///
  /// - Parameter metadata: the source's, whose UUID and application's keys it gets.
  func fill(
    by manager: MigrationManager, _ mapping: MappingModel, from source: PersistentStoreCoordinator,
    _ metadata: [String: PropertyList]
  ) throws {
    try make(metadata) { coordinator, _ in
      try manager.run(mapping, from: source, to: coordinator)
    }
  }

  /// Makes the store, and has a body fill it.
  func make(
    _ metadata: [String: PropertyList],
    _ body: (PersistentStoreCoordinator, SQLiteStore) throws -> Void
  ) throws {
    try model.checkDerivations()
    try SQLiteStore.makeDraft(at: url, model: model, metadata: metadata)
    try withStore { coordinator, store in
      // Nobody needs it before it is whole, and then it is copied.
      try store.mappingErrors { try store.connection.execute("PRAGMA synchronous = OFF") }
      try body(coordinator, store)
    }
  }

  /// Gives the store the history of the one that it is made from.
  func takeHistory(_ history: HistoryTables) throws {
    try withStore { _, store in
      try store.mappingErrors {
        try store.connection.transaction {
          try HistoryTables.make(on: store.connection, tombstones: history.tombstoneCount)
          try HistoryTables(store.connection)?.replaceAll(by: history)
        }
      }
    }
  }

  /// Opens the store for a body.
  func withStore<Result>(
    _ body: (PersistentStoreCoordinator, SQLiteStore) throws -> Result
  ) throws -> Result {
    try Self.withStore(at: url, of: model, body)
  }

  /// Opens a store that nobody else knows of for a body.
  static func withStore<Result>(
    at url: URL, of model: ManagedObjectModel,
    _ body: (PersistentStoreCoordinator, SQLiteStore) throws -> Result
  ) throws -> Result {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    var options = PersistentStoreOptions()
    // The caller was asked about the store itself.
    options.ignoredObstacles = [.persistentHistory, .derivedAttributes, .cloudKit]
    guard
      let store = try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
        as? SQLiteStore
    else { fatalError("A SQLite store is none.") }
    return try body(coordinator, store)
  }
}

@available(*, unavailable) extension MigrationDraft: Sendable {}

extension MigrationError {
  /// Runs a body whose errors about a draft are errors of the store that it is for.
  static func mapping<Result>(at store: URL, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch MigrationError.missingMappingModel {
      throw MigrationError.missingMappingModel(store)
    } catch MigrationError.noStage {
      throw MigrationError.noStage(store)
    }
  }
}

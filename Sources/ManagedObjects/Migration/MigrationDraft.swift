import DataModel
import SystemLibraries

/// A store in a folder of its own: a hidden one next to the store it is for, or a temporary one.
///
/// The folder is removed when this is deallocated; earlier contents of it are removed first.
final class MigrationDraft {
  /// The URL of the draft.
  let url: URL
  /// The folder of the draft alone.
  let folder: URL
  /// The highest number at the end of a folder's name, if other users have left theirs.
  private static let highestNumber = 100
  private let model: ManagedObjectModel
  /// The temporary folder that contains it, if there is one.
  private let copyFolder: CopyFolder?

  /// Creates the folder next to a store.
  ///
  /// - Parameter model: the final model of the store.
  init(in name: String, beside store: URL, of model: ManagedObjectModel) throws {
    let parent = store.deletingLastPathComponent()
    var (folder, number) = (parent.appending(path: name), 1)
    // A killed process of another user has left a folder that only that user can remove.
    while try !Self.makeEmpty(folder) {
      number += 1
      guard number <= Self.highestNumber else {
        throw PersistentStoreError(errno: EEXIST, at: store)
      }
      folder = parent.appending(path: "\(name)-\(number)")
    }
    self.folder = folder
    url = folder.appending(path: store.lastPathComponent)
    self.model = model
    copyFolder = nil
  }

  /// Creates the folder among temporary files, for a store that is not a SQLite file.
  ///
  /// - Parameter model: the final model of the store.
  init(forCopyOf store: URL, of model: ManagedObjectModel) throws {
    let copyFolder = try CopyFolder(forCopyOf: store)
    folder = copyFolder.url.appending(path: "draft")
    url = folder.appending(path: "store.sqlite")
    self.model = model
    self.copyFolder = copyFolder
    try empty()
  }

  /// Creates the folder again, empty.
  func empty() throws {
    guard try Self.makeEmpty(folder) else { throw PersistentStoreError(errno: EEXIST, at: folder) }
  }

  /// Creates an empty folder; returns false if there is one that cannot be removed.
  private static func makeEmpty(_ folder: URL) throws -> Bool {
    try? FileManager.default.removeItem(at: folder)
    if mkdir(folder.path, 0o700) == 0 { return true }
    guard errno == EEXIST else { throw PersistentStoreError(errno: errno, at: folder) }
    return false
  }

  deinit { remove() }

  /// Whether a file is the draft, or one of its accompanying files.
  func contains(_ file: URL) -> Bool { file.path.hasPrefix(folder.path + "/") }

  /// Runs a body, and maps its errors about a temporary draft to errors of the store it is for.
  func mappingErrors<Result>(at store: URL, _ body: () throws -> Result) throws -> Result {
    do {
      return try MigrationError.mapping(at: store, body)
    } catch PersistentStoreError.full(let file) where contains(file) {
      throw PersistentStoreError.noTemporaryCopy(
        store, folder: CopyFolder.parent, reason: String(cString: strerror(ENOSPC)))
    }
  }

  /// Removes the draft; connections to it can still read it.
  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Creates the store, and fills it by a manager.
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

  /// Creates the store, and fills it by a body.
  func make(
    _ metadata: [String: PropertyList],
    _ body: (PersistentStoreCoordinator, SQLiteStore) throws -> Void
  ) throws {
    try model.checkDerivations()
    try SQLiteStore.makeDraft(at: url, model: model, metadata: metadata)
    try withStore { coordinator, store in
      // It is not used before it is complete, and then it is copied.
      try store.mappingErrors { try store.connection.execute("PRAGMA synchronous = OFF") }
      try body(coordinator, store)
    }
  }

  /// Copies the history of the store that it is made from.
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

  /// Opens a store that is not used elsewhere, for a body.
  static func withStore<Result>(
    at url: URL, of model: ManagedObjectModel,
    _ body: (PersistentStoreCoordinator, SQLiteStore) throws -> Result
  ) throws -> Result {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    var options = PersistentStoreOptions()
    // The caller has checked the store itself.
    options.ignoredObstacles = [.persistentHistory, .derivedAttributes, .cloudKit]
    guard
      let store = try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
        as? SQLiteStore
    else { fatalError("A SQLite store has another class than SQLiteStore.") }
    return try body(coordinator, store)
  }
}

@available(*, unavailable) extension MigrationDraft: Sendable {}

extension MigrationError {
  /// Runs a body, and maps its errors about a draft to errors of the store it is for.
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

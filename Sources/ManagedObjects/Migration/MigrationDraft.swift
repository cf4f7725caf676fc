import DataModel
import SystemLibraries

/// A store that is made in a hidden folder of its own, beside the place of the one that it is for.
///
/// The folder goes with it, and what was in it before is taken away first.
final class MigrationDraft {
  /// Where the draft is.
  let url: URL
  /// The folder that it has for itself.
  let folder: URL
  private let model: ManagedObjectModel

  /// Makes the folder.
  ///
  /// - Parameter model: the model that the store has in the end.
  init(in name: String, beside store: URL, of model: ManagedObjectModel) throws {
    folder = store.deletingLastPathComponent().appending(path: name)
    url = folder.appending(path: store.lastPathComponent)
    self.model = model
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

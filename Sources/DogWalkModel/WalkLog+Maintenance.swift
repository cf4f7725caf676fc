package import ManagedObjects
package import SystemLibraries

/// Maintaining a store.
extension WalkLog {
  /// Returns the numbers of walks and dogs.
  package func counts() throws -> (walks: Int, dogs: Int) {
    (
      try context.count(for: Walk.fetchRequest()), try context.count(for: Dog.fetchRequest())
    )
  }

  /// Returns the faults of a store of any version; empty if there are none.
  ///
  /// The store need not be one that can be opened.
  package static func problems(at url: URL) throws -> [StoreProblem] {
    do {
      return try PersistentStoreCoordinator.problems(ofStoreAt: url, model: .dogWalk)
    } catch let error as PersistentStoreError where error.isIncompatibleModel {
      guard let version = try ModelVersion(ofStoreAt: url) else { throw error }
      return try PersistentStoreCoordinator.problems(ofStoreAt: url, model: version.model)
    }
  }

  /// Copies the store into a new file; the copy of a store on a server does not contain deleted or
  /// former values.
  ///
  /// - Parameter withoutUndoLog: whether the undo log is left out in any case.
  package func copy(to url: URL, withoutUndoLog: Bool = false) throws {
    // The original store is copied, not the migrated copy that is read.
    if let migratedCopy {
      return try migratedCopy.copyOriginal(to: url, withoutUndoLog: withoutUndoLog)
    }
    guard server == nil else { return try coordinator.write(store, to: url, type: .sqlite) }
    try coordinator.copy(store, to: url, withoutUndoLog: withoutUndoLog)
  }

  /// Whether the store was moved or replaced since it was opened.
  package var isMoved: Bool { migratedCopy?.isOutdated ?? coordinator.isMoved(store) }

  /// Checkpoints the store's WAL and closes the store, as the last action of a process.
  ///
  /// - Throws: `PersistentStoreError` if the disk has failed; what was saved is then still in the
  ///   WAL.
  package func closeAtExit() throws {
    defer { migratedCopy?.remove() }
    try coordinator.closeAtExit(store)
  }

  /// Returns a number that differs after every change by another process.
  package func changeCount() throws -> Int64 { try coordinator.changeCount(of: store) }

  /// Returns the paths of a store's file and its companion files, whether they exist or not.
  package static func filePaths(ofStoreAt url: URL) -> [String] {
    PersistentStoreCoordinator.filePaths(ofStoreAt: url)
  }

  /// The server of the store with its version, such as `PostgreSQL 15.18`; nil for a file.
  package var server: String? { coordinator.server(of: store) }

  /// Returns the number of connections to the store's database and the server's maximum; nil for a
  /// file.
  package func serverConnections() -> (count: Int, most: Int)? {
    coordinator.serverConnections(of: store)
  }

  /// Returns whether two URLs denote the same store on a server, in any version; false for files.
  package static func isSameStore(at url: URL, as other: URL) throws -> Bool {
    try PersistentStoreCoordinator.isSameStore(at: url, as: other)
  }

  /// The store's UUID.
  package var storeIdentifier: String { store.identifier }

  /// The version of SQLite.
  package static var sqliteVersion: String { PersistentStoreCoordinator.sqliteVersion }
}

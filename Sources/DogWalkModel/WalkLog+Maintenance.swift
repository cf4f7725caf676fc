package import ManagedObjects
package import SystemLibraries

/// What keeps a store healthy.
extension WalkLog {
  /// How many walks and dogs there are.
  package func counts() throws -> (walks: Int, dogs: Int) {
    (
      try context.count(for: Walk.fetchRequest()), try context.count(for: Dog.fetchRequest())
    )
  }

  /// What is wrong with a store, of whichever version; empty where nothing is.
  ///
  /// It need not be one that can be opened.
  package static func faults(at url: URL) throws -> [StoreFault] {
    do {
      return try PersistentStoreCoordinator.faults(ofStoreAt: url, model: .dogWalk)
    } catch let error as PersistentStoreError where error.isIncompatibleModel {
      guard let version = try ModelVersion(ofStoreAt: url) else { throw error }
      return try PersistentStoreCoordinator.faults(ofStoreAt: url, model: version.model)
    }
  }

  /// Copies the store into a new file; of one on a server, what was deleted or changed stays out of
  /// it.
  ///
  /// - Parameter withoutUndoLog: whether that stays out of it in any case.
  package func copy(to url: URL, withoutUndoLog: Bool = false) throws {
    // Not the migrated copy that is read: the store itself.
    if let migratedCopy {
      return try migratedCopy.copyOriginal(to: url, withoutUndoLog: withoutUndoLog)
    }
    guard server == nil else { return try coordinator.write(store, to: url, type: .sqlite) }
    try coordinator.copy(store, to: url, withoutUndoLog: withoutUndoLog)
  }

  /// Whether the store was moved away or replaced since it was opened.
  package var isMoved: Bool { migratedCopy?.isOutdated ?? coordinator.isMoved(store) }

  /// Moves what was saved into the store's file and closes it, as the last thing that a process
  /// does.
  ///
  /// - Throws: `PersistentStoreError` where the disk has failed; what was saved is in the log then.
  package func closeAtExit() throws {
    defer { migratedCopy?.remove() }
    try coordinator.closeAtExit(store)
  }

  /// A number that is another one after every change by another process.
  package func changeCount() throws -> Int64 { try coordinator.changeCount(of: store) }

  /// The paths of a store's file and of what may lie beside it, be it there or not.
  package static func filePaths(ofStoreAt url: URL) -> [String] {
    PersistentStoreCoordinator.filePaths(ofStoreAt: url)
  }

  /// The server that the store is on, and its version, such as `PostgreSQL 15.18`; nil of a file.
  package var server: String? { coordinator.server(of: store) }

  /// How many connections there are to its database, and how many the server takes; nil of a file.
  package func serverConnections() -> (count: Int, most: Int)? {
    coordinator.serverConnections(of: store)
  }

  /// Whether two URLs lead to one store on a server, of whatever version; false of files.
  package static func isSameStore(at url: URL, as other: URL) throws -> Bool {
    try PersistentStoreCoordinator.isSameStore(at: url, as: other)
  }

  /// The store's own UUID.
  package var storeIdentifier: String { store.identifier }

  /// The version of SQLite.
  package static var sqliteVersion: String { PersistentStoreCoordinator.sqliteVersion }
}

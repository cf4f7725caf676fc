import ManagedObjects

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What keeps a store healthy.
extension WalkLog {
  /// How many walks and dogs there are.
  package func counts() throws -> (walks: Int, dogs: Int) {
    (
      try context.count(for: Walk.fetchRequest()), try context.count(for: Dog.fetchRequest())
    )
  }

  /// What is wrong with the store's file; empty where nothing is.
  package func faults() throws -> [String] { try coordinator.faults(in: store) }

  /// Copies the store into a new file.
  package func copy(to url: URL) throws { try coordinator.copy(store, to: url) }

  /// A number that is another one after every change by another process.
  package func changeCount() throws -> Int64 { try coordinator.changeCount(of: store) }

  /// The store's own UUID.
  package var storeIdentifier: String { store.identifier }

  /// The version of SQLite.
  package static var sqliteVersion: String { PersistentStoreCoordinator.sqliteVersion }
}

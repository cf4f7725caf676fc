#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
package import DataModel

extension PersistentStoreCoordinator {
  /// Makes a store without objects and leaves it as one file, its log emptied.
  ///
  /// For tools that hand a store on; a program that goes on with it just opens it.
  ///
  /// - Throws: `PersistentStoreError` with the reason.
  /// - Precondition: The model has an entity.
  package static func createStore(at url: URL, model: ManagedObjectModel) throws {
    // The store's own connection leaves the log behind when it closes.
    _ = try PersistentStoreCoordinator(managedObjectModel: model)
      .addPersistentStore(type: .sqlite, at: url)
    do {
      let connection = try Connection(path: url.path, access: .readWrite, waiting: 20)
      _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
    } catch {
      throw PersistentStoreError(error, at: url)
    }
  }
}

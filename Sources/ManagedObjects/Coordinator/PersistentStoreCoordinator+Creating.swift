package import DataModel
package import SystemLibraries

extension PersistentStoreCoordinator {
  /// Creates a store without objects, and closes it.
  ///
  /// For tools that pass the store on; a program that uses it itself just opens it.
  ///
  /// - Throws: `PersistentStoreError` with the reason.
  /// - Precondition: The model has an entity.
  package static func createStore(at url: URL, model: ManagedObjectModel) throws {
    _ = try PersistentStoreCoordinator(managedObjectModel: model)
      .addPersistentStore(type: .sqlite, at: url)
  }
}

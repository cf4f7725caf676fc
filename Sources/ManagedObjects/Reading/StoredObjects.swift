package import DataFormats
package import DataModel

/// A store that is read as a whole: its objects by entity, with or without its model.
package protocol StoredObjects {
  /// The store type.
  var type: PersistentStore.StoreType { get }
  /// The store's UUID.
  var identifier: String { get }
  /// The store's metadata, as `PersistentStoreCoordinator.metadata(for:)` gives it.
  var metadata: [String: PropertyList] { get }

  /// The entities as a model describes them; without a model, the entities that have objects.
  ///
  /// - Throws: `PersistentStoreError` if the contents are malformed or do not fit the model.
  func entities(of model: ManagedObjectModel?) throws -> [DocumentReader.Entity]
}

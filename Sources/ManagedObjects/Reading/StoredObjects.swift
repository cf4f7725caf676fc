package import DataFormats
package import DataModel

/// What is in a store that is read whole: its objects by their entities, whether its model is at
/// hand or not.
package protocol StoredObjects {
  /// The store's kind.
  var type: PersistentStore.StoreType { get }
  /// The store's UUID.
  var identifier: String { get }
  /// The store's metadata, as `PersistentStoreCoordinator.metadata(for:)` gives it.
  var metadata: [String: PropertyList] { get }

  /// The entities as a model describes them; without one, those of which there are objects.
  ///
  /// - Throws: `PersistentStoreError` where there are objects that are none of the model's.
  func entities(of model: ManagedObjectModel?) throws -> [StoredDocument.Entity]
}

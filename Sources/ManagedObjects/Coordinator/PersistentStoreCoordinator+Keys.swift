extension PersistentStoreCoordinator {
  /// The highest number that an object of an entity and its family was ever given in a store, those
  /// of deleted ones included; 0 where none was.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read, or gives no numbers.
  package func highestGivenKey(of entity: String, in store: PersistentStore) throws -> Int64 {
    try locked {
      guard let store = rowStore(store) as? any KeyedStore,
        let binding = store.bindings.first(where: { $0.name == entity })
      else { throw PersistentStoreError.unsupportedOperation(store.type, "tell what it has given") }
      return try store.highestGivenKey(of: store.binding(at: binding.root))
    }
  }
}

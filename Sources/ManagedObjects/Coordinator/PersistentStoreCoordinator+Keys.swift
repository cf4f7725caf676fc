extension PersistentStoreCoordinator {
  /// The highest primary key ever assigned to an object of an entity's hierarchy in a store; 0 for
  /// none.
  ///
  /// Deleted objects are included.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read, or does not assign keys.
  package func highestGivenKey(of entity: String, in store: PersistentStore) throws -> Int64 {
    try locked {
      guard let store = rowStore(store) as? any KeyedStore,
        let binding = store.bindings.first(where: { $0.name == entity })
      else {
        throw PersistentStoreError.unsupportedOperation(
          store.type, "report the highest key that was assigned")
      }
      return try store.highestGivenKey(of: store.binding(at: binding.root))
    }
  }
}

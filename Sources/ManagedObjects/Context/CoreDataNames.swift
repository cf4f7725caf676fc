import DataModel

// What the target CoreDataNames calls by another name, since it has Core Data's names itself.

extension ManagedObjectContext {
  /// The coordinator whose stores the context reads and writes.
  package var storeCoordinator: PersistentStoreCoordinator { persistentStoreCoordinator }

  /// The context that this one reads from and saves into.
  package var parentContext: ManagedObjectContext? { parent }
}

extension ManagedObject {
  /// The value of a property, or nil where it has none.
  package func storedValue(forKey key: String) -> Any? { value(forKey: key) }

  /// Sets the value of a property.
  package func setStoredValue(_ value: Any?, forKey key: String) { setValue(value, forKey: key) }

  /// The value at the end of a key path.
  package func storedValue(forKeyPath keyPath: String) -> Any? { value(forKeyPath: keyPath) }
}

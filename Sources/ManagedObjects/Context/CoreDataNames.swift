import DataModel

// Members that the target CoreDataNames calls by another name, since it declares Core Data's names
// itself.

extension ManagedObjectContext {
  /// The coordinator whose stores the context reads and writes.
  package var storeCoordinator: PersistentStoreCoordinator { persistentStoreCoordinator }

  /// The context that this one reads from and saves into.
  package var parentContext: ManagedObjectContext? { parent }

  /// Whether saves of other contexts are merged automatically.
  package var mergesAutomatically: Bool {
    get { automaticallyMergesChangesFromParent }
    set { automaticallyMergesChangesFromParent = newValue }
  }
}

extension ManagedObject {
  /// The value of a property, or nil if it has none.
  package func storedValue(forKey key: String) -> Any? { value(forKey: key) }

  /// Sets the value of a property.
  package func setStoredValue(_ value: Any?, forKey key: String) { setValue(value, forKey: key) }

  /// The value at the end of a key path.
  package func storedValue(forKeyPath keyPath: String) -> Any? { value(forKeyPath: keyPath) }

  /// Sets the value at the end of a key path.
  package func setStoredValue(_ value: Any?, forKeyPath keyPath: String) {
    setValue(value, forKeyPath: keyPath)
  }

  /// The value of a property, bypassing overrides.
  package func storedPrimitiveValue(forKey key: String) -> Any? { primitiveValue(forKey: key) }

  /// Sets a value without notification.
  package func setStoredPrimitiveValue(_ value: Any?, forKey key: String) {
    setPrimitiveValue(value, forKey: key)
  }

  /// The values of several properties.
  package func storedDictionaryWithValues(forKeys keys: [String]) -> [String: Any?] {
    dictionaryWithValues(forKeys: keys)
  }

  /// The changed properties and their values.
  package func storedChangedValues() -> [String: Any?] { changedValues() }

  /// The earlier values of the properties changed in the current event.
  package func storedChangedValuesForCurrentEvent() -> [String: Any?] {
    changedValuesForCurrentEvent()
  }

  /// The stored values.
  package func storedCommittedValues(forKeys keys: [String]?) -> [String: Any?] {
    committedValues(forKeys: keys)
  }
}

extension EntityDescription {
  /// The entity's name.
  package var storedName: String {
    get { name }
    set { name = newValue }
  }
  /// The entity's user info in the model.
  package var storedUserInfo: [String: String] {
    get { userInfo }
    set { userInfo = newValue }
  }
}

extension AttributeDescription {
  /// The attribute's user info in the model.
  package var storedUserInfo: [String: String] {
    get { userInfo }
    set { userInfo = newValue }
  }
}

extension RelationshipDescription {
  /// The relationship's user info in the model.
  package var storedUserInfo: [String: String] {
    get { userInfo }
    set { userInfo = newValue }
  }
}

extension PersistentHistoryTransaction {
  /// The changes of the transaction.
  package var storedChanges: [PersistentHistoryChange] {
    get { changes }
    set { changes = newValue }
  }
}

extension PersistentHistoryChange {
  /// The last values of a deleted object.
  package var storedTombstone: [String: AttributeValue] { tombstone }
}

extension MergeConflict {
  /// The values that the object was read with.
  package var storedObjectSnapshot: [String: any Sendable] { objectSnapshot }
  /// The values that the store has now; nil if the row was deleted.
  package var storedPersistedSnapshot: [String: any Sendable]? { persistedSnapshot }
}

extension PersistentStore {
  /// The store's type.
  package var storedType: StoreType { type }
}

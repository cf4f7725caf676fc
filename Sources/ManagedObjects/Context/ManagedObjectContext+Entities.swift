import DataModel

/// The entities of the context's stores.
extension ManagedObjectContext {
  func binding(at index: Int) -> EntityBinding { contextEntity(at: index).binding }

  func contextEntity(at index: Int) -> ContextEntity {
    if index >= entities.count { adoptStores() }
    return entities[index]
  }

  func contextEntity(named name: String) -> ContextEntity {
    if entities.isEmpty { adoptStores() }
    func found() -> ContextEntity? { entities.first { $0.binding.name == name } }
    var entity = found()
    if entity == nil {
      adoptNewStores()
      entity = found()
    }
    if let entity {
      guard entity.binding.store.isRemoved else { return entity }
      // New objects go to a store that was not removed, if there is one.
      adoptNewStores()
      return entities(named: name)[0]
    }
    fatalError("No store of this context has an entity \(name).")
  }

  func contextEntity(of type: ManagedObject.Type) -> ContextEntity {
    if entities.isEmpty { adoptStores() }
    // A few comparisons: models are small, and a dictionary by class costs 60 µs at first touch.
    var first = entities.firstIndex { $0.objectClass == type }
    if first == nil {
      adoptNewStores()
      first = entities.firstIndex { $0.objectClass == type }
    }
    guard let index = first,
      !entities[(index + 1)...].contains(where: {
        $0.objectClass == type && $0.binding.name != entities[index].binding.name
      })
    else {
      fatalError("No entity of this context, or more than one, has the class \(type).")
    }
    guard entities[index].binding.store.isRemoved else { return entities[index] }
    return contextEntity(named: entities[index].binding.name)
  }

  /// Adds the entities of stores that were added since, if any.
  func adoptNewStores() {
    if persistentStoreCoordinator.bindings.count > entities.count { adoptStores() }
  }

  /// Adds the entities of stores that were added since.
  ///
  /// - Throws: `PersistentStoreError.noPersistentStore` if there is no store at all.
  func adoptStoresOrThrow() throws {
    adoptNewStores()
    guard !entities.isEmpty || !persistentStoreCoordinator.persistentStores.isEmpty else {
      throw PersistentStoreError.noPersistentStore
    }
  }
}

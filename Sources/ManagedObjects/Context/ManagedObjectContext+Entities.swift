/// Entities of the coordinator's stores in a context.
extension ManagedObjectContext {
  func binding(at index: Int) -> EntityBinding { contextEntity(at: index).binding }

  func contextEntity(at index: Int) -> ContextEntity {
    if let place = bindings.place(of: index) { return entities[place] }
    adoptNewStores()
    guard let place = bindings.place(of: index) else {
      fatalError("The store has left the coordinator, and this context has no objects of it.")
    }
    return entities[place]
  }

  func contextEntity(named name: String) -> ContextEntity {
    if entities.isEmpty { adoptFirstStores() }
    if let entity = entities.first(where: { $0.binding.name == name }) {
      guard entity.binding.store.isRemoved else { return entity }
      // What is new goes to a store that is there, where there is one.
      adoptNewStores()
      return entities(named: name)[0]
    }
    fatalError("No store of this context has an entity \(name).")
  }

  func contextEntity(of type: ManagedObject.Type) -> ContextEntity {
    if entities.isEmpty { adoptFirstStores() }
    // A few comparisons: models are small, and a dictionary by class costs 60 µs at first touch.
    guard let index = entities.firstIndex(where: { $0.objectClass == type }),
      !entities[(index + 1)...].contains(where: {
        $0.objectClass == type && $0.binding.name != entities[index].binding.name
      })
    else {
      fatalError("No entity of this context, or more than one, has the class \(type).")
    }
    guard entities[index].binding.store.isRemoved else { return entities[index] }
    return contextEntity(named: entities[index].binding.name)
  }

  /// Follows the coordinator, whose stores come and go.
  ///
  /// The entities of stores that were removed go once there are no objects of them. All contexts of
  /// a tree have the same entities, since rows go from one to the other with their indices.
  ///
  /// - Parameter other: the context of the tree that is behind; nil for this one.
  func adoptNewStores(for other: ManagedObjectContext? = nil) {
    let other = other ?? self
    if let parent { return parent.adoptNewStores(for: other) }
    let version = persistentStoreCoordinator.entitiesVersion
    guard version != entitiesVersion || version != other.entitiesVersion else { return }
    let (present, newVersion) = persistentStoreCoordinator.entities
    var stays: [ObjectIdentifier: Bool] = [:]
    let rest = bindings.all.filter { binding in
      guard present.place(of: binding.index) == nil else { return false }
      let store = ObjectIdentifier(binding.store)
      let answer = stays[store] ?? hasObjects(of: binding.store)
      stays[store] = answer
      return answer
    }
    take(EntityBindings((rest + present.all).sorted { $0.index < $1.index }), newVersion)
  }

  /// Whether there are objects of a store, here or in a child.
  private func hasObjects(of store: PersistentStoreIdentity) -> Bool {
    for place in entities.indices where bindings.all[place].store === store {
      // Every object holds its entity, also one that is not registered any more.
      if !isKnownUniquelyReferenced(&entities[place]) { return true }
    }
    return children.contains { $0.takeUnretainedValue().hasObjects(of: store) }
  }

  /// Has some entities from now on, here and in all children.
  private func take(_ wanted: EntityBindings, _ version: Int) {
    var taken: [ContextEntity] = []
    for binding in wanted.all {
      if let place = bindings.place(of: binding.index) {
        taken.append(entities[place])
        continue
      }
      let references = binding.store.isIncremental ? binding.store.references : nil
      // A store's entities come together, the root of each family first.
      let root = binding.root < binding.index ? wanted.place(of: binding.root) : nil
      let table = root.map { taken[$0].table } ?? ObjectTable(references: references)
      taken.append(
        ContextEntity(binding: binding, table: table, context: self, releases: releases))
    }
    for entity in entities where wanted.place(of: entity.binding.index) == nil {
      entity.context = nil
    }
    (entities, bindings, entitiesVersion) = (taken, wanted, version)
    for child in children { child.takeUnretainedValue().take(wanted, version) }
  }

  /// Takes in the entities of stores.
  ///
  /// - Throws: `PersistentStoreError.noPersistentStore` where there is no store at all.
  func adoptStoresOrThrow() throws {
    adoptNewStores()
    guard !entities.isEmpty || !persistentStoreCoordinator.persistentStores.isEmpty else {
      throw PersistentStoreError.noPersistentStore
    }
  }

  /// Takes in the entities of stores, of which there have to be some.
  private func adoptFirstStores() {
    adoptNewStores()
    require(
      !entities.isEmpty || !persistentStoreCoordinator.persistentStores.isEmpty,
      "The coordinator has no store yet: add one before using a context.")
  }
}

import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

/// What a caller cannot know in advance about stores and models is thrown.
@Suite struct AddingStoreTests {
  @Test func `a store that is already added is refused, and the first one stays`() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "Dogs.sqlite")
    let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
    try coordinator.addPersistentStore(type: .sqlite, at: url)
    let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    _ = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    let copy = folder.url.appending(path: "Copy.sqlite")
    try coordinator.copy(coordinator.persistentStores[0], to: copy)
    for url in [url, copy] {
      #expect {
        try coordinator.addPersistentStore(type: .sqlite, at: url)
      } throws: { error in
        guard case PersistentStoreError.alreadyAdded(url) = error else { return false }
        return "\(error)" == "\(url.path) is already open in this coordinator."
      }
    }
    #expect(coordinator.persistentStores.count == 1)
    #expect(try context.fetch(Dog.fetchRequest()).map(\.name) == ["Fido"])
    try coordinator.addPersistentStore(type: .inMemory, at: nil)
    try coordinator.addPersistentStore(type: .inMemory, at: nil)
    #expect(coordinator.persistentStores.count == 3)
  }

  @Test func `a fetch before the first store throws, and works afterwards`() async throws {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
    let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    let attempts: [() throws -> Void] = [
      { _ = try context.fetch(Dog.fetchRequest()) },
      { _ = try context.fetchIDs(Dog.fetchRequest()) },
      { _ = try context.count(for: Dog.fetchRequest()) },
      { _ = try context.fetchDictionaries(Dog.fetchRequest()) },
      { _ = try context.cursor(for: Dog.fetchRequest()) },
      { _ = try Dog.findOrCreate(named: "Fido", in: context) },
      { _ = try context.execute(BatchDeleteRequest(fetchRequest: Dog.fetchRequest())) },
      { _ = try context.execute(BatchUpdateRequest(entityName: "Dog")) },
      { _ = try context.execute(BatchInsertRequest(entityName: "Dog", objects: [])) },
      {
        try FetchedResultsController(
          fetchRequest: Dog.fetchRequest(), managedObjectContext: context
        ).performFetch()
      },
    ]
    for attempt in attempts {
      #expect {
        try attempt()
      } throws: { error in
        guard case PersistentStoreError.noPersistentStore = error else { return false }
        return "\(error)" == "The coordinator has no store yet: add one before fetching."
      }
    }
    do {
      _ = try await context.fetchAsynchronously(Dog.fetchRequest())
      Issue.record("A fetch without a store gave something.")
    } catch PersistentStoreError.noPersistentStore {}
    #expect(!context.hasChanges && context.registeredObjects.isEmpty)
    try context.save()
    context.rollback()
    context.reset()
    try coordinator.addPersistentStore(type: .inMemory, at: nil)
    #expect(try context.fetch(Dog.fetchRequest()).isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `a model without entities can have stores`(type: PersistentStore.StoreType) throws {
    let model = ManagedObjectModel(entities: [])
    let stack = try Stack(type, model: model)
    try stack.context.save()
    stack.context.processPendingChanges()
    #expect(stack.context.registeredObjects.isEmpty)
    let coordinator = stack.container.persistentStoreCoordinator
    let store = coordinator.persistentStores[0]
    try coordinator.setMetadata(["mine": .string("yes")], for: store)
    #expect(try coordinator.metadata(for: store)["mine"] == .string("yes"))
    #expect(model.isCompatible(withStoreMetadata: try coordinator.metadata(for: store)))
    guard type.isFile else { return }
    let again = try stack.anotherContainer().persistentStoreCoordinator
    #expect(try again.metadata(for: again.persistentStores[0])["mine"] == .string("yes"))
    #expect(throws: PersistentStoreError.self) {
      try PersistentContainer(
        name: "Dogs", model: .dogWalk, storeURL: stack.url, options: PersistentStoreOptions())
    }
  }

  @Test func `a model made by hand has no version identifiers`() throws {
    #expect(ManagedObjectModel(entities: [Kennel.cat]).versionIdentifiers == [])
    #expect(Kennel.model.versionIdentifiers == [])
    #expect(ManagedObjectModel.dogWalkVersions["DogWalk"]?.versionIdentifiers == [""])
    let stack = try Stack.kennel(.sqlite)
    let coordinator = stack.container.persistentStoreCoordinator
    #expect(
      try coordinator.metadata(for: coordinator.persistentStores[0])[
        "NSStoreModelVersionIdentifiers"]
        == .array([]))
  }
}

import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// Store types that a program registers.
@Suite struct StoreRegistrationTests {
  init() { BundleStore.register() }

  @Test func `a registered type is opened like any other`() throws {
    let folder = try StoreFolder(named: "Walks.bundle")
    #expect(PersistentStoreCoordinator.registeredStoreTypes.contains(BundleStore.bundle))
    let container = try PersistentContainer(
      name: "Test", model: .dogWalk, storeURL: folder.store, type: BundleStore.bundle)
    let store = try #require(container.persistentStore as? BundleStore)
    #expect(store.type == BundleStore.bundle && store.url == folder.store)
    #expect(store.storeDescription.options == .migrating)
    let coordinator = container.persistentStoreCoordinator
    #expect(coordinator.persistentStore(for: folder.store) === store)
    #expect(coordinator.persistentStore(withIdentifier: store.identifier) === store)

    let described = try PersistentStoreCoordinator(managedObjectModel: .dogWalk)
      .addPersistentStore(
        with: PersistentStoreDescription(type: BundleStore.bundle, url: folder.store))
    #expect(described.identifier == store.identifier)
  }

  @Test func `an unregistered type is named in the error`() throws {
    let folder = try StoreFolder(named: "Walks.cards")
    let cards = PersistentStore.StoreType("Cards")
    let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
    func refused(_ body: () throws -> Void) {
      let error = #expect(throws: PersistentStoreError.self) { try body() }
      guard case .unknownStoreType(cards) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(
        error?.description
          == "The store type Cards is unknown: no class was registered for it.")
    }
    refused { try coordinator.addPersistentStore(type: cards, at: folder.store) }
    refused { try coordinator.addPersistentStore(type: cards, at: nil) }
    refused {
      _ = try PersistentStoreCoordinator.metadata(forPersistentStoreAt: folder.store, type: cards)
    }
    refused { try coordinator.destroyPersistentStore(at: folder.store, type: cards) }
    let memory = try coordinator.addPersistentStore(type: .inMemory, at: nil)
    refused { try coordinator.migratePersistentStore(memory, to: folder.store, type: cards) }
    #expect(coordinator.persistentStores.count == 1)
    #expect(try folder.names().isEmpty)
  }

  @Test func `a class can be unregistered`() throws {
    let folder = try StoreFolder(named: "Walks.once")
    let once = PersistentStore.StoreType("Once")
    PersistentStoreCoordinator.registerStoreClass(BundleStore.self, forStoreType: once)
    let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
    try coordinator.addPersistentStore(type: once, at: folder.store)
    PersistentStoreCoordinator.registerStoreClass(nil, forStoreType: once)
    #expect(!PersistentStoreCoordinator.registeredStoreTypes.contains(once))
    let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    _ = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    #expect(throws: PersistentStoreError.self) {
      try PersistentStoreCoordinator(managedObjectModel: .dogWalk)
        .addPersistentStore(type: once, at: folder.store)
    }
  }

  @Test func `metadata are read at a URL, and a store of another type is refused`() throws {
    let folder = try StoreFolder(named: "Walks.bundle")
    #expect(throws: PersistentStoreError.self) {
      try PersistentStoreCoordinator.metadata(
        forPersistentStoreAt: folder.store, type: BundleStore.bundle)
    }
    let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
    let store = try coordinator.addPersistentStore(type: BundleStore.bundle, at: folder.store)
    let metadata = try PersistentStoreCoordinator.metadata(
      forPersistentStoreAt: folder.store, type: BundleStore.bundle)
    #expect(metadata["NSStoreUUID"] == .string(store.identifier))
    #expect(metadata["NSStoreType"] == .string("Bundle"))
    #expect(metadata == (try coordinator.metadata(for: store)))

    let parcel = PersistentStore.StoreType("Parcel")
    PersistentStoreCoordinator.registerStoreClass(BundleStore.self, forStoreType: parcel)
    let other = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
    let error = #expect(throws: PersistentStoreError.self) {
      try other.addPersistentStore(type: parcel, at: folder.store)
    }
    guard case .typeMismatch(folder.store, expected: parcel, found: "Bundle") = error else {
      throw try #require(error)
    }
    #expect(other.persistentStores.isEmpty)
  }

  @Test func `the library's own types cannot be registered`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      PersistentStoreCoordinator.registerStoreClass(BundleStore.self, forStoreType: .xml)
    }
    #expect(said("XML is a store type of the library: choose another name.", result))
  }

  @Test func `a store of another version of the model is refused unless versions are ignored`()
    throws
  {
    let folder = try StoreFolder(named: "Staff.bundle")
    try PersistentStoreCoordinator(managedObjectModel: Staff.model)
      .addPersistentStore(type: BundleStore.bundle, at: folder.store)
    let coordinator = PersistentStoreCoordinator(managedObjectModel: Boxes.model())
    let error = #expect(throws: PersistentStoreError.self) {
      try coordinator.addPersistentStore(type: BundleStore.bundle, at: folder.store)
    }
    guard case .incompatibleModel(folder.store, _, _) = error else { throw try #require(error) }
    var options = PersistentStoreOptions()
    options.ignoresModelVersioning = true
    try coordinator.addPersistentStore(
      type: BundleStore.bundle, at: folder.store, options: options)
  }
}

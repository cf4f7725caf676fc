import Foundation
import Testing

@testable import ManagedObjects

/// Stores that are read and written as a whole, and are replaced, destroyed or moved.
@Suite struct DocumentVerbTests {
  /// A store with an employee, a URL for another one, and a coordinator with neither.
  private func stores(
    _ type: PersistentStore.StoreType
  ) throws -> (DocumentFolder, DocumentFolder, PersistentStoreCoordinator) {
    let folder = try DocumentFolder(type: type)
    try add("Anna", to: folder)
    return (
      folder, try DocumentFolder(type: type),
      PersistentStoreCoordinator(managedObjectModel: Staff.model)
    )
  }

  private func add(_ name: String, to folder: DocumentFolder) throws {
    let context = try folder.open().newBackgroundContext()
    ManagedObject("Employee", in: context).setValue(name, forKey: "name")
    try context.save()
  }

  @Test(arguments: Stack.wholeTypes)
  func `an existing document is replaced, and a missing one created`(
    _ type: PersistentStore.StoreType
  ) throws {
    let (folder, other, coordinator) = try stores(type)
    try coordinator.replacePersistentStore(
      at: other.url, withPersistentStoreFrom: folder.url, type: type)
    #expect(try other.contents() == folder.contents())
    try add("Ben", to: folder)
    // A context that has it open continues with the new one.
    let context = try other.open().newBackgroundContext()
    #expect(try context.all("Employee").count == 1)
    try coordinator.replacePersistentStore(
      at: other.url, withPersistentStoreFrom: folder.url, type: type)
    #expect(try context.all("Employee").count == 2)
    #expect(try other.employees() == ["Anna", "Ben"])
  }

  @Test(arguments: Stack.wholeTypes)
  func `another program's file is kept, unless it is forced`(
    _ type: PersistentStore.StoreType
  ) throws {
    let (folder, other, coordinator) = try stores(type)
    let note = Data("a note".utf8)
    try note.write(to: other.url)
    #expect(throws: PersistentStoreError.self) {
      try coordinator.destroyPersistentStore(at: other.url, type: type)
    }
    #expect(throws: PersistentStoreError.self) {
      try coordinator.replacePersistentStore(
        at: other.url, withPersistentStoreFrom: folder.url, type: type)
    }
    #expect(throws: PersistentStoreError.self) {
      try coordinator.replacePersistentStore(
        at: folder.url, withPersistentStoreFrom: other.url, type: type)
    }
    #expect(try Data(contentsOf: other.url) == note)
    var options = PersistentStoreOptions()
    options.forcesDestroy = true
    try coordinator.replacePersistentStore(
      at: other.url, destinationOptions: options, withPersistentStoreFrom: folder.url,
      type: type)
    #expect(try other.employees() == ["Anna"])
    try coordinator.destroyPersistentStore(at: other.url, type: type, options: options)
    #expect(try !FileManager.default.fileExists(atPath: other.url.path) || other.contents().isEmpty)
  }

  @Test(arguments: Stack.wholeTypes)
  func `a destroyed document is empty, and can be created again`(
    _ type: PersistentStore.StoreType
  ) throws {
    let (folder, _, coordinator) = try stores(type)
    try coordinator.destroyPersistentStore(at: folder.url, type: type)
    #expect(try folder.contents().values.allSatisfy(\.isEmpty))
    try coordinator.destroyPersistentStore(at: folder.url, type: type)
    try add("Cleo", to: folder)
    #expect(try folder.employees() == ["Cleo"])
  }

  @Test(arguments: Stack.wholeTypes)
  func `a document can be switched to another URL`(
    _ type: PersistentStore.StoreType
  ) throws {
    let (folder, other, _) = try stores(type)
    let container = try folder.open()
    let store = container.persistentStore
    let context = container.newBackgroundContext()
    let anna = try context.all("Employee")[0]
    try container.persistentStoreCoordinator.copy(store, to: other.url)
    #expect(throws: PersistentStoreError.self) {
      try container.persistentStoreCoordinator.copy(store, to: other.url)
    }
    #expect(try other.contents() == folder.contents())
    try add("Ben", to: other)
    try container.persistentStoreCoordinator.setURL(other.url, for: store)
    #expect(store.url == other.url)
    anna.setValue("Anne", forKey: "name")
    try context.save()
    #expect(try other.employees() == ["Anne", "Ben"])
    #expect(try folder.employees() == ["Anna"])
    let stranger = try DocumentFolder(type: type)
    try add("Dora", to: stranger)
    #expect(throws: PersistentStoreError.self) {
      try container.persistentStoreCoordinator.setURL(stranger.url, for: store)
    }
    #expect(store.url == other.url)
  }
}

import Foundation
import Testing

@testable import ManagedObjects

/// XML stores that are replaced, destroyed and found elsewhere.
@Suite struct DocumentVerbTests {
  private let folder: XMLFolder
  private let other: XMLFolder
  private let coordinator: PersistentStoreCoordinator

  init() throws {
    folder = try XMLFolder()
    other = try XMLFolder()
    try Self.add("Anna", to: folder)
    coordinator = PersistentStoreCoordinator(managedObjectModel: Staff.model)
  }

  private static func add(_ name: String, to folder: XMLFolder) throws {
    let context = try folder.open().newBackgroundContext()
    ManagedObject("Employee", in: context).setValue(name, forKey: "name")
    try context.save()
  }

  private func names(in folder: XMLFolder) throws -> [String?] {
    try folder.open().newBackgroundContext().all("Employee").map { $0.text("name") }
  }

  @Test func `one is replaced where there is one, and made where there is none`() throws {
    try coordinator.replacePersistentStore(
      at: other.url, withPersistentStoreFrom: folder.url, type: .xml)
    #expect(try Data(contentsOf: other.url) == Data(contentsOf: folder.url))
    try Self.add("Ben", to: folder)
    // Who has it open goes on with what is there now.
    let context = try other.open().newBackgroundContext()
    #expect(try context.all("Employee").count == 1)
    try coordinator.replacePersistentStore(
      at: other.url, withPersistentStoreFrom: folder.url, type: .xml)
    #expect(try context.all("Employee").count == 2)
    #expect(try names(in: other) == ["Anna", "Ben"])
  }

  @Test func `another program's file is left, unless it is forced`() throws {
    let note = Data("a note".utf8)
    try note.write(to: other.url)
    #expect(throws: PersistentStoreError.self) {
      try coordinator.destroyPersistentStore(at: other.url, type: .xml)
    }
    #expect(throws: PersistentStoreError.self) {
      try coordinator.replacePersistentStore(
        at: other.url, withPersistentStoreFrom: folder.url, type: .xml)
    }
    #expect(throws: PersistentStoreError.self) {
      try coordinator.replacePersistentStore(
        at: folder.url, withPersistentStoreFrom: other.url, type: .xml)
    }
    #expect(try Data(contentsOf: other.url) == note)
    var options = PersistentStoreOptions()
    options.forcesDestroy = true
    try coordinator.replacePersistentStore(
      at: other.url, destinationOptions: options, withPersistentStoreFrom: folder.url,
      type: .xml)
    #expect(try names(in: other) == ["Anna"])
    try coordinator.destroyPersistentStore(at: other.url, type: .xml, options: options)
    #expect(!FileManager.default.fileExists(atPath: other.url.path))
  }

  @Test func `a destroyed one is empty, and can be made anew`() throws {
    try coordinator.destroyPersistentStore(at: folder.url, type: .xml)
    #expect(try Data(contentsOf: folder.url).isEmpty)
    try coordinator.destroyPersistentStore(at: folder.url, type: .xml)
    try Self.add("Cleo", to: folder)
    #expect(try names(in: folder) == ["Cleo"])
  }

  @Test func `one goes on in another place`() throws {
    let container = try folder.open()
    let store = container.persistentStore
    let context = container.newBackgroundContext()
    let anna = try context.all("Employee")[0]
    try container.persistentStoreCoordinator.copy(store, to: other.url)
    #expect(throws: PersistentStoreError.self) {
      try container.persistentStoreCoordinator.copy(store, to: other.url)
    }
    #expect(try Data(contentsOf: other.url) == Data(contentsOf: folder.url))
    try Self.add("Ben", to: other)
    try container.persistentStoreCoordinator.setURL(other.url, for: store)
    #expect(store.url == other.url)
    anna.setValue("Anne", forKey: "name")
    try context.save()
    #expect(try names(in: other) == ["Anne", "Ben"])
    #expect(try names(in: folder) == ["Anna"])
    let stranger = try XMLFolder()
    try Self.add("Dora", to: stranger)
    #expect(throws: PersistentStoreError.self) {
      try container.persistentStoreCoordinator.setURL(stranger.url, for: store)
    }
    #expect(store.url == other.url)
  }
}

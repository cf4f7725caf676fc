import DataModel
import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

@Suite struct `The model that a store holds` {
  @Test func `opens the store without its model file`() throws {
    let stack = try Stack()
    try stack.dog("Fido")
    try stack.context.save()
    let model = try #require(try PersistentStoreCoordinator.cachedModel(at: stack.url))
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: stack.url)
    let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    let dogs = try context.fetch(FetchRequest<ManagedObject>(entityName: "Dog"))
    #expect(dogs.map { $0.value(forKey: "name") as? String } == ["Fido"])
  }

  @Test func `is missing where a store has none, and damaged where it has no content`() throws {
    let stack = try Stack()
    let file = try SQLiteFile(stack.url)
    try file.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = x'07'")
    #expect(throws: ModelArchiveError.notCompressed) {
      try PersistentStoreCoordinator.cachedModel(at: stack.url)
    }
    try file.execute("DELETE FROM Z_MODELCACHE")
    #expect(try PersistentStoreCoordinator.cachedModel(at: stack.url) == nil)
  }
}

import DogWalkModel
import ManagedObjects
import Testing

/// Finding an object by a unique value, without making one.
@Suite struct FindTests {
  private func dog(_ key: String, in context: ManagedObjectContext) throws -> Dog? {
    try context.find(Dog.self, where: "nameKey", equals: .string(key))
  }

  @Test(arguments: Stack.allTypes)
  func `an existing object is found`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let id = try stack.dog("Fido").objectID
    #expect(try dog("fido", in: stack.anotherContext())?.objectID == id)
  }

  @Test(arguments: Stack.allTypes)
  func `a missing object is not created`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Fido")
    #expect(try dog("rex", in: stack.context) == nil)
    #expect(!stack.context.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `unsaved changes are taken into account`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido")
    let rex = try stack.dog("Rex")
    let made = Dog(context: stack.context)
    made.nameKey = "luna"
    fido.nameKey = "bello"
    stack.context.delete(rex)
    #expect(try dog("luna", in: stack.context) === made)
    #expect(try dog("bello", in: stack.context) === fido)
    #expect(try dog("fido", in: stack.context) == nil)
    #expect(try dog("rex", in: stack.context) == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `a child finds its parent's unsaved objects`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let made = Dog(context: stack.context)
    made.nameKey = "luna"
    let child = ManagedObjectContext(parent: stack.context)
    #expect(try dog("luna", in: child)?.objectID == made.objectID)
  }

  @Test func `an object of a store added later is found`() throws {
    let folder = try StoreFolder()
    try folder.save("Rex")
    let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
    try coordinator.addPersistentStore(type: .inMemory, at: nil)
    let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    #expect(try dog("rex", in: context) == nil)
    try coordinator.addPersistentStore(type: .sqlite, at: folder.store)
    #expect(try dog("rex", in: context)?.name == "Rex")
    #expect(try !Dog.findOrCreate(named: "Rex", in: context).isInserted)
  }

  @Test(arguments: Stack.allTypes)
  func `another context's save is found at once`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido")
    let other = stack.anotherContext()
    #expect(try dog("fido", in: other)?.name == "Fido")
    stack.context.delete(fido)
    try stack.dog("Rex")
    #expect(try dog("rex", in: other)?.name == "Rex")
  }
}

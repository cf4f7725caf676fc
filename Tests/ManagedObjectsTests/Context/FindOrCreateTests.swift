import DogWalkModel
import Foundation
import ManagedObjects
import Testing

@Suite struct FindOrCreateTests {
  @Test(arguments: Stack.allTypes)
  func `an existing object is found`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let id = try stack.dog("Fido").objectID
    let other = stack.anotherContext()
    let dog = try Dog.findOrCreate(named: "FIDO", in: other)
    #expect(dog.objectID == id && !dog.isInserted)
    #expect(!other.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `a missing object is created`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try Dog.findOrCreate(named: "Fido", in: stack.context)
    #expect(dog.isInserted && dog.nameKey == "fido")
  }

  @Test(arguments: Stack.allTypes)
  func `an unsaved object is found`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try Dog.findOrCreate(named: "Fido", in: stack.context)
    #expect(try Dog.findOrCreate(named: "fido", in: stack.context) === dog)
    try stack.context.save()
    #expect(try stack.reread(Dog.self).count == 1)
  }

  @Test(arguments: Stack.allTypes)
  func `an object about to be deleted is created again`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let old = try stack.dog("Fido", minutes: [10])
    stack.context.delete(old)
    let dog = try Dog.findOrCreate(named: "Fido", in: stack.context)
    #expect(dog !== old && dog.isInserted)
    try stack.context.save()
    #expect(try stack.reread(Dog.self).map(\.minutes) == [[]])
  }

  @Test func `an object assigned to another store is found among many`() throws {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
    try coordinator.addPersistentStore(type: .inMemory, at: nil)
    let second = try coordinator.addPersistentStore(type: .inMemory, at: nil)
    let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    let dogs = try (0..<20).map { try Dog.findOrCreate(named: "Dog \($0)", in: context) }
    context.assign(dogs[1], to: second)
    #expect(try Dog.findOrCreate(named: "Dog 1", in: context) === dogs[1])
    try context.save()
    #expect(try context.count(for: Dog.fetchRequest()) == 20)
  }

  // MARK: When another context saves first

  /// Two contexts that make the same dog; the rival saves first, with walks of 10 and 20 minutes.
  private func race(
    _ type: PersistentStore.StoreType, _ change: (Dog, Stack) -> Void = { _, _ in }
  ) throws -> (stack: Stack, dog: Dog, rivalID: ManagedObjectID) {
    let stack = try Stack(type)
    let dog = try Dog.findOrCreate(named: "Fido", in: stack.context)
    change(dog, stack)
    let rival = stack.anotherContext()
    let rivalDog = try Dog.findOrCreate(named: "fido", in: rival)
    rivalDog.targetMinutes = 45
    for minutes in [10, 20] { rivalDog.addToWalks(stack.walk(minutes: minutes, in: rival)) }
    try rival.save()
    return (stack, dog, rivalDog.objectID)
  }

  @Test(arguments: Stack.allTypes)
  func `the other row is adopted, with its values`(type: PersistentStore.StoreType) throws {
    let (stack, dog, rivalID) = try race(type) { dog, _ in dog.targetMinutes = 90 }
    try stack.context.save()
    #expect(dog.objectID == rivalID)
    #expect(dog.name == "fido" && dog.targetMinutes == 45)
    #expect(!dog.hasChanges && !stack.context.hasChanges)
    #expect(try stack.reread(Dog.self).map(\.objectID) == [rivalID])
  }

  @Test(arguments: Stack.allTypes)
  func `the walks of both are kept, the other context's first`(type: PersistentStore.StoreType)
    throws
  {
    let (stack, dog, _) = try race(type) { dog, stack in
      for minutes in [30, 40] { dog.addToWalks(stack.walk(minutes: minutes)) }
    }
    try stack.context.save()
    #expect(dog.minutes == [10, 20, 30, 40])
    #expect(dog.walks.allSatisfy { $0.dog === dog })
    #expect(try stack.reread(Dog.self).map(\.minutes) == [[10, 20, 30, 40]])
  }

  @Test(arguments: Stack.allTypes)
  func `a rearranged list is kept after the other context's walks`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, _) = try race(type) { dog, stack in
      dog.addToWalks(stack.walk(minutes: 40))
      dog.insertIntoWalks(stack.walk(minutes: 30), at: 0)
    }
    try stack.context.save()
    #expect(dog.minutes == [10, 20, 30, 40])
  }

  @Test(arguments: Stack.allTypes)
  func `an object deleted and made again elsewhere is a conflict until it is found again`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10])
    let rival = stack.anotherContext()
    rival.delete(try Dog.findOrCreate(named: "Fido", in: rival))
    func addWalk() throws {
      let dog = try Dog.findOrCreate(named: "Fido", in: stack.context)
      dog.addToWalks(stack.walk(minutes: 20))
    }
    try addWalk()
    try rival.save()
    _ = try Dog.findOrCreate(named: "Fido", in: rival)
    try rival.save()
    #expect(throws: ConflictError.self) { try stack.context.save() }
    stack.context.rollback()
    try stack.context.refreshAllObjects()
    try addWalk()
    try stack.context.save()
    #expect(try stack.reread(Dog.self).map(\.minutes) == [[20]])
  }

  @Test(arguments: Stack.allTypes)
  func `the dog can be changed and saved afterwards`(type: PersistentStore.StoreType) throws {
    let (stack, dog, _) = try race(type)
    try stack.context.save()
    dog.targetMinutes = 90
    dog.insertIntoWalks(stack.walk(minutes: 5), at: 0)
    try stack.context.save()
    let reread = try stack.reread(Dog.self)[0]
    #expect(reread.targetMinutes == 90)
    #expect(reread.minutes == [5, 10, 20])
  }

  @Test(arguments: Stack.allTypes)
  func `observers receive no inserted dog`(type: PersistentStore.StoreType) throws {
    let (stack, _, _) = try race(type) { dog, stack in dog.addToWalks(stack.walk(minutes: 30)) }
    var inserted: [ManagedObject] = []
    let observation = stack.context.observe(.didSave) { inserted = $0.inserted }
    defer { observation.cancel() }
    try stack.context.save()
    #expect(inserted.map(\.entity.name) == ["Walk"])
  }

  @Test(arguments: Stack.allTypes)
  func `one row stays one object where the other context's was fetched meanwhile`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, rivalID) = try race(type)
    let fetched = try stack.context.existingObject(with: rivalID)
    try stack.context.save()
    #expect(stack.context.registeredObject(for: rivalID) === dog)
    #expect(fetched.managedObjectContext == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `only the value that was searched for leads to a row`(type: PersistentStore.StoreType) throws
  {
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Badge",
          properties: [
            .attribute(.init(name: "code", type: .string, isOptional: true)),
            .attribute(.init(name: "number", type: .integer64, isOptional: true)),
          ], uniquenessConstraints: [["code"], ["number"]])
      ], classes: ["Badge": Badge.self])
    let stack = try Stack(type, model: model)
    let first = try stack.context.findOrCreate(
      Badge.self, where: "number", equals: .integer(1))
    first.setOptionalValue("A", at: PropertySlot(-1, "code"))
    try stack.context.save()
    let second = try stack.context.findOrCreate(
      Badge.self, where: "number", equals: .integer(2))
    second.setOptionalValue("A", at: PropertySlot(-1, "code"))
    let error = #expect(throws: PersistentStoreError.self) { try stack.context.save() }
    #expect(error?.description == "Another Badge has the same code.")
  }

  final class Badge: ManagedObject {}

  @Test(arguments: Stack.allTypes)
  func `a row of another entity of the family is not adopted`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack.kennel(type)
    let hound = try stack.context.findOrCreate(Hound.self, where: "name", equals: .string("Tom"))
    hound.call = "Tom!"
    let other = stack.anotherContext()
    let cat = try other.findOrCreate(Cat.self, where: "name", equals: .string("Tom"))
    try other.save()
    let error = #expect(throws: PersistentStoreError.self) { try stack.context.save() }
    #expect(error?.description == "Another Hound has the same name.")
    #expect(hound.isInserted)
    let stored = try #require(try stack.reread(Animal.self).first)
    #expect(stored.objectID == cat.objectID && stored is Cat)
    hound.name = "Pluto"
    try stack.context.save()
    #expect(try stack.reread(Hound.self).map(\.call) == ["Tom!"])
  }

  @Test(arguments: Stack.allTypes)
  func `neither is a row of a subentity, which is found the next time`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack.kennel(type)
    let hound = try stack.context.findOrCreate(Hound.self, where: "call", equals: .string("Wuff"))
    let other = stack.anotherContext()
    _ = try other.findOrCreate(Puppy.self, where: "call", equals: .string("Wuff"))
    try other.save()
    #expect(throws: PersistentStoreError.self) { try stack.context.save() }
    stack.context.delete(hound)
    try stack.context.save()
    let found = try stack.context.findOrCreate(
      Hound.self, where: "call", equals: .string("Wuff"))
    #expect(found is Puppy)
  }
}

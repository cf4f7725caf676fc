import DogWalkModel
import Foundation
import ManagedObjects
import Testing

@Suite struct RollbackTests {
  @Test(arguments: Stack.allTypes)
  func `a new object is discarded`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try Dog.findOrCreate(named: "Fido", in: stack.context)
    stack.context.rollback()
    #expect(!dog.isInserted && dog.managedObjectContext == nil)
    #expect(!stack.context.hasChanges && stack.context.registeredObjects.isEmpty)
    #expect(try stack.context.fetch(Dog.fetchRequest()).isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `a changed object has its old values`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    dog.name = "A longer name than before"
    dog.targetMinutes = 60
    stack.context.rollback()
    #expect(dog.name == "Fido" && dog.targetMinutes == nil)
    #expect(!dog.isUpdated && !stack.context.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `a deleted object is restored`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10, 20])
    stack.context.delete(dog)
    stack.context.rollback()
    #expect(!dog.isDeleted && dog.managedObjectContext === stack.context)
    #expect(dog.minutes == [10, 20])
    #expect(dog.walks.allSatisfy { $0.dog === dog && !$0.isDeleted })
    #expect(try stack.context.existingObject(with: dog.objectID) === dog)
  }

  @Test(arguments: Stack.allTypes)
  func `an object changed and then deleted is restored with its old values`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    dog.name = "Rex"
    stack.context.delete(dog)
    stack.context.rollback()
    #expect(dog.name == "Fido" && !dog.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `an object made and deleted is discarded`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10])
    let walk = stack.walk(minutes: 20)
    walk.dog = fido
    stack.context.delete(walk)
    stack.context.rollback()
    #expect(fido.minutes == [10])
    #expect(walk.managedObjectContext == nil)
    #expect(stack.context.registeredObjects == Set([fido] + fido.walks.map { $0 as ManagedObject }))
  }

  @Test(arguments: Stack.allTypes)
  func `new members leave the lists of stored owners`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10])
    dog.insertIntoWalks(stack.walk(minutes: 5), at: 0)
    dog.addToWalks(stack.walk(minutes: 20))
    stack.context.rollback()
    #expect(dog.minutes == [10])
  }

  @Test(arguments: Stack.allTypes)
  func `stored members leave the lists of new owners`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10, 20])
    let rex = try Dog.findOrCreate(named: "Rex", in: stack.context)
    rex.walks = fido.walks
    stack.context.rollback()
    #expect(fido.minutes == [10, 20])
    #expect(fido.walks.allSatisfy { $0.dog === fido })
  }

  @Test(arguments: Stack.allTypes)
  func `it restores the last save and nothing older`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10])
    dog.targetMinutes = 60
    dog.insertIntoWalks(stack.walk(minutes: 5), at: 0)
    try stack.context.save()
    dog.targetMinutes = 90
    dog.removeFromWalks(at: 1)
    stack.context.rollback()
    #expect(dog.targetMinutes == 60)
    #expect(dog.minutes == [5, 10])
  }

  @Test(arguments: Stack.allTypes)
  func `rolled-back changes can be made again and saved`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10, 20])
    for _ in 0..<2 {
      stack.context.rollback()
      dog.name = "Rex"
      stack.context.delete(dog.walks[0])
      dog.addToWalks(stack.walk(minutes: 30))
    }
    try stack.context.save()
    let reread = try stack.reread(Dog.self)[0]
    #expect(reread.name == "Rex")
    #expect(reread.minutes == [20, 30])
  }

  @Test(arguments: Stack.allTypes)
  func `it may follow a failed save`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10, 20])
    dog.walks = OrderedSet(dog.walks.reversed())
    dog.name = "Rex"
    Dog(context: stack.context).nameKey = "fido"
    #expect(throws: PersistentStoreError.self) { try stack.context.save() }
    stack.context.rollback()
    #expect(dog.name == "Fido" && dog.minutes == [10, 20])
    try stack.context.save()
    #expect(try stack.reread(Dog.self).map(\.minutes) == [[10, 20]])
  }

  @Test(arguments: Stack.allTypes)
  func `faults remain faults`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let id = try stack.dog("Fido").objectID
    let other = stack.anotherContext()
    let fault = try #require(other.object(with: id) as? Dog)
    fault.addToWalks(stack.walk(minutes: 10, in: other))
    other.rollback()
    #expect(fault.isFault)
    #expect(fault.minutes == [])
  }
}

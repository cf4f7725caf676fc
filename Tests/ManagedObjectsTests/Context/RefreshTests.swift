import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Adopting what another context has saved meanwhile.
@Suite struct RefreshTests {
  /// A dog with two walks, and the same dog in another context.
  private func two(
    _ type: PersistentStore.StoreType
  ) throws -> (stack: Stack, dog: Dog, other: Stack, otherDog: Dog) {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10, 20])
    let other = Stack(sharing: stack)
    let otherDog = try #require(try other.context.fetch(Dog.fetchRequest()).first)
    #expect(otherDog.minutes == [10, 20])
    return (stack, dog, other, otherDog)
  }

  @Test(arguments: Stack.allTypes)
  func `without merging an object discards its changes and becomes a fault`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, other, otherDog) = try two(type)
    dog.targetMinutes = 30
    try stack.context.save()
    otherDog.targetMinutes = 60
    otherDog.name = "Rex"
    try other.context.refresh(otherDog, mergeChanges: false)
    #expect(otherDog.isFault && !otherDog.hasChanges && !other.context.hasChanges)
    #expect(otherDog.targetMinutes == 30 && otherDog.name == "Fido")
  }

  @Test(arguments: Stack.allTypes)
  func `merging keeps the changes made here`(type: PersistentStore.StoreType) throws {
    let (stack, dog, other, otherDog) = try two(type)
    dog.targetMinutes = 30
    dog.name = "FIDO"
    try stack.context.save()
    otherDog.targetMinutes = 60
    try other.context.refresh(otherDog, mergeChanges: true)
    #expect(otherDog.targetMinutes == 60 && otherDog.name == "FIDO" && otherDog.isUpdated)
    try other.context.save()
    let reread = try stack.reread(Dog.self)[0]
    #expect(reread.targetMinutes == 60 && reread.name == "FIDO")
    other.context.rollback()
    #expect(otherDog.targetMinutes == 60)
  }

  @Test(arguments: Stack.allTypes)
  func `a rollback after merging restores the merged values`(type: PersistentStore.StoreType) throws
  {
    let (stack, dog, other, otherDog) = try two(type)
    dog.targetMinutes = 30
    try stack.context.save()
    otherDog.targetMinutes = 60
    try other.context.refresh(otherDog, mergeChanges: true)
    other.context.rollback()
    #expect(otherDog.targetMinutes == 30)
  }

  @Test(arguments: Stack.allTypes)
  func `after a conflict a context can refresh and save`(type: PersistentStore.StoreType) throws {
    let (stack, dog, other, otherDog) = try two(type)
    dog.name = "FIDO"
    try stack.context.save()
    otherDog.targetMinutes = 60
    let conflict = #expect(throws: ConflictError.self) { try other.context.save() }
    let object = other.context.object(with: try #require(conflict).objectID)
    #expect(object === otherDog)
    try other.context.refresh(object, mergeChanges: true)
    try other.context.save()
    let reread = try stack.reread(Dog.self)[0]
    #expect(reread.targetMinutes == 60 && reread.name == "FIDO")
  }

  @Test(arguments: Stack.allTypes, [true, false])
  func `an object whose row is gone is deleted`(
    type: PersistentStore.StoreType, merging: Bool
  ) throws {
    let (stack, dog, other, otherDog) = try two(type)
    stack.context.delete(dog)
    try stack.context.save()
    otherDog.targetMinutes = 60
    try other.context.refresh(otherDog, mergeChanges: merging)
    #expect(other.context.deletedObjects == (merging ? [otherDog] : []))
    #expect(otherDog.targetMinutes == (merging ? 60 : nil))
    try other.context.save()
    #expect(otherDog.managedObjectContext == nil && !other.context.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `a fault that was changed though its row is gone is discarded`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, _, _) = try two(type)
    let late = stack.anotherContext()
    let fault = try #require(late.object(with: dog.objectID) as? Dog)
    stack.context.delete(dog)
    try stack.context.save()
    fault.targetMinutes = 60
    #expect(throws: ConflictError.self) { try late.save() }
    try late.refresh(fault, mergeChanges: true)
    #expect(!late.hasChanges)
    try late.save()
  }

  @Test(arguments: Stack.allTypes)
  func `a member that moved elsewhere leaves the list`(type: PersistentStore.StoreType) throws {
    let (stack, dog, other, otherDog) = try two(type)
    let rex = try stack.dog("Rex", minutes: [30])
    let otherRex = try #require(other.context.object(with: rex.objectID) as? Dog)
    #expect(otherRex.minutes == [30])
    let walk = otherDog.walks[0]
    rex.addToWalks(dog.walks[0])
    try stack.context.save()
    try other.context.refresh(walk, mergeChanges: true)
    #expect(walk.dog === otherRex)
    #expect(otherDog.minutes == [20] && otherRex.minutes == [30, 10])
    #expect(!other.context.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `a list adopts members added elsewhere and keeps its own changes`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, other, otherDog) = try two(type)
    dog.addToWalks(stack.walk(minutes: 30))
    stack.context.delete(dog.walks[1])
    try stack.context.save()
    otherDog.addToWalks(other.walk(minutes: 40))
    try other.context.refresh(otherDog, mergeChanges: true)
    #expect(otherDog.minutes == [10, 30, 40])
    try other.context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [10, 30, 40])
  }

  @Test(arguments: Stack.allTypes)
  func `an order made here is kept, with members added elsewhere at the end`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, other, otherDog) = try two(type)
    dog.addToWalks(stack.walk(minutes: 30))
    try stack.context.save()
    otherDog.walks = OrderedSet(otherDog.walks.reversed())
    try other.context.refresh(otherDog, mergeChanges: true)
    #expect(otherDog.minutes == [20, 10, 30])
    try other.context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [20, 10, 30])
  }

  @Test(arguments: Stack.allTypes)
  func `a member that returns to its old owner has its old index`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10, 20, 30])
    let rex = try stack.dog("Rex", minutes: [40])
    let walk = fido.walks[1]
    rex.addToWalks(walk)
    #expect(fido.minutes == [10, 30] && rex.minutes == [40, 20])
    try stack.context.refresh(walk, mergeChanges: false)
    #expect(fido.minutes == [10, 20, 30] && rex.minutes == [40])
    try stack.context.save()
    #expect(try stack.reread(Dog.self).map(\.minutes) == [[10, 20, 30], [40]])
  }

  @Test(arguments: Stack.allTypes)
  func `a member that left and returned has its old index too`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10, 20, 30])
    let rex = try stack.dog("Rex")
    let walk = fido.walks[0]
    rex.addToWalks(walk)
    fido.addToWalks(walk)
    #expect(fido.minutes == [20, 30, 10])
    try stack.context.refresh(walk, mergeChanges: false)
    #expect(fido.minutes == [10, 20, 30])
    try stack.context.save()
    #expect(try stack.reread(Dog.self).map(\.minutes) == [[10, 20, 30], []])
  }

  @Test(arguments: Stack.allTypes)
  func `a list discards its order, but not its new members`(type: PersistentStore.StoreType) throws
  {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10, 20])
    dog.walks = OrderedSet(dog.walks.reversed())
    dog.addToWalks(stack.walk(minutes: 30))
    try stack.context.refresh(dog, mergeChanges: false)
    #expect(dog.isFault && dog.hasFault(forRelationshipNamed: "walks"))
    #expect(dog.minutes == [10, 20, 30])
    try stack.context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [10, 20, 30])
  }

  @Test(arguments: Stack.allTypes)
  func `one-to-ones are restored at both ends`(type: PersistentStore.StoreType) throws {
    let stack = try Stack.kennel(type)
    let (ann, bob) = (Person(context: stack.context), Person(context: stack.context))
    let licence = Licence(context: stack.context)
    ann.licence = licence
    try stack.context.save()
    bob.licence = licence
    #expect(ann.licence == nil && licence.person === bob)
    try stack.context.refresh(licence, mergeChanges: false)
    #expect(ann.licence === licence && bob.licence == nil && licence.person === ann)
  }

  @Test(arguments: Stack.allTypes)
  func `refreshing discards a deletion`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let walk = try stack.dog("Fido", minutes: [10]).walks[0]
    stack.context.delete(walk)
    try stack.context.refresh(walk, mergeChanges: false)
    #expect(!walk.isDeleted && walk.duration == 600)
    try stack.context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [10])
  }

  @Test(arguments: Stack.allTypes)
  func `refreshing a deleted object restores it in its list`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10, 20, 30])
    let walk = dog.walks[1]
    stack.context.delete(walk)
    #expect(dog.minutes == [10, 30])
    try stack.context.refresh(walk, mergeChanges: false)
    #expect(walk.dog === dog && dog.minutes == [10, 20, 30])
    try stack.context.save()
    #expect(dog.minutes == [10, 20, 30])
    #expect(try stack.reread(Dog.self)[0].minutes == [10, 20, 30])
  }

  @Test(arguments: Stack.allTypes, [true, false])
  func `refreshing a deleted object restores the other end of a one-to-one`(
    type: PersistentStore.StoreType, inChild: Bool
  ) throws {
    let stack = try Stack.kennel(type)
    Person(context: stack.context).licence = Licence(context: stack.context)
    try stack.context.save()
    let context = inChild ? ManagedObjectContext(parent: stack.context) : stack.context
    let person = try #require(try context.fetch(Person.fetchRequest()).first)
    let licence = try #require(person.licence)
    context.delete(licence)
    #expect(person.licence == nil)
    try context.refresh(licence, mergeChanges: false)
    #expect(licence.person === person && person.licence === licence)
    try context.save()
    if inChild { try stack.context.save() }
    let reread = try #require(try stack.reread(Person.self).first)
    #expect(reread.licence?.objectID == licence.objectID && reread.licence?.person === reread)
  }

  @Test(arguments: Stack.allTypes)
  func `a deletion of an object changed elsewhere is saved after merging`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, other, otherDog) = try two(type)
    dog.targetMinutes = 30
    try stack.context.save()
    other.context.delete(otherDog)
    #expect(throws: ConflictError.self) { try other.context.save() }
    try other.context.refresh(otherDog, mergeChanges: true)
    #expect(otherDog.isDeleted)
    try other.context.save()
    #expect(try stack.reread(Dog.self).isEmpty)
  }

  @Test(arguments: Stack.allTypes, [true, false])
  func `a new object remains unchanged`(type: PersistentStore.StoreType, merging: Bool) throws {
    let stack = try Stack(type)
    let walk = stack.walk(minutes: 10)
    try stack.context.refresh(walk, mergeChanges: merging)
    #expect(walk.isInserted && walk.duration == 600)
  }

  @Test(arguments: Stack.allTypes)
  func `refreshing all objects turns unchanged ones into faults`(type: PersistentStore.StoreType)
    throws
  {
    let (stack, dog, other, otherDog) = try two(type)
    let otherWalks = otherDog.walks
    dog.name = "FIDO"
    dog.walks[0].note = "wet"
    dog.addToWalks(stack.walk(minutes: 30))
    try stack.context.save()
    otherDog.targetMinutes = 60
    let new = other.walk(minutes: 40)
    try other.context.refreshAllObjects()
    #expect(otherWalks.allSatisfy(\.isFault) && !otherDog.isFault && !new.isFault)
    #expect(otherDog.name == "FIDO" && otherDog.targetMinutes == 60)
    #expect(otherWalks[0].note == "wet")
    #expect(otherDog.minutes == [10, 20, 30])
  }

  @Test(arguments: Stack.allTypes)
  func `observers receive the refreshed objects`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    var heard: [ManagedObject] = []
    let observation = stack.context.observe(.objectsDidChange) { heard += $0.refreshed }
    defer { observation.cancel() }
    try stack.context.refresh(dog, mergeChanges: true)
    #expect(heard == [dog])
  }

  @Test(arguments: Stack.allTypes)
  func `transient values survive a merge`(type: PersistentStore.StoreType) throws {
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Animal",
          properties: [
            .attribute(.init(name: "name", type: .string, isOptional: true)),
            .attribute(.init(name: "call", type: .string, isOptional: true, isTransient: true)),
          ])
      ], classes: ["Animal": Hound.self])
    let stack = try Stack(type, model: model)
    let hound = Hound(context: stack.context)
    hound.name = "Fido"
    try stack.context.save()
    let other = stack.anotherContext()
    let same = try #require(other.object(with: hound.objectID) as? Hound)
    same.call = "here"
    hound.name = "A longer name"
    try stack.context.save()
    try other.refresh(same, mergeChanges: true)
    #expect(same.call == "here" && same.name == "A longer name")
  }
}

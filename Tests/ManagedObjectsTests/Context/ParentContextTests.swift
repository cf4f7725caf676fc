import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// A child context: it sees its parent's objects, and saves one level up.
@Suite struct ParentContextTests {
  @Test(arguments: Stack.allTypes)
  func `a child sees its parent's unsaved changes`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10, 20])
    dog.targetMinutes = 30
    dog.walks = OrderedSet(dog.walks.reversed())
    dog.addToWalks(stack.walk(minutes: 30))
    let rex = try Dog.findOrCreate(named: "Rex", in: stack.context)
    let child = ManagedObjectContext(parent: stack.context)
    #expect(child.parent === stack.context)
    var request = Dog.fetchRequest()
    request.sortDescriptors = [.init(key: "name")]
    let dogs = try child.fetch(request)
    #expect(dogs.map(\.name) == ["Fido", "Rex"] && dogs[0].targetMinutes == 30)
    #expect(dogs[0].minutes == [20, 10, 30])
    #expect(dogs[0].walks.allSatisfy { $0.dog === dogs[0] })
    #expect(dogs[1].objectID == rex.objectID && !dogs[1].isInserted)
    #expect(try child.count(for: Walk.fetchRequest()) == 3)
    #expect(!child.hasChanges)
    stack.context.delete(rex)
    #expect(try child.fetch(request).count == 1)
  }

  @Test(arguments: Stack.allTypes)
  func `a save reaches one level up`(type: PersistentStore.StoreType) throws {
    let (stack, dog, child, childDog) = try Stack.family(type)
    childDog.targetMinutes = 30
    childDog.name = "A longer name than before"
    #expect(dog.targetMinutes == nil)
    try child.save()
    #expect(!child.hasChanges && !childDog.isUpdated)
    #expect(dog.targetMinutes == 30 && dog.name == "A longer name than before" && dog.isUpdated)
    #expect(try stack.reread(Dog.self)[0].targetMinutes == nil)
    try stack.context.save()
    #expect(try stack.reread(Dog.self)[0].targetMinutes == 30)
  }

  @Test(arguments: Stack.allTypes)
  func `new, moved and deleted members reach the parent in order`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, child, childDog) = try Stack.family(type)
    childDog.insertIntoWalks(Walk(minutes: 5, in: child), at: 0)
    childDog.addToWalks(Walk(minutes: 30, in: child))
    child.delete(childDog.walks[1])
    #expect(childDog.minutes == [5, 20, 30] && dog.minutes == [10, 20])
    try child.save()
    #expect(dog.minutes == [5, 20, 30])
    #expect(dog.walks[0].isInserted && dog.walks[0].dog === dog)
    try stack.context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [5, 20, 30])
    #expect(childDog.minutes == [5, 20, 30] && !child.hasChanges)
  }

  @Test(arguments: Stack.allTypes, [true, false])
  func `a member that left and returned is at the end in the parent too`(
    type: PersistentStore.StoreType, isRead: Bool
  ) throws {
    let (stack, dog, child, childDog) = try Stack.family(type)
    let first = try #require(try child.fetch(Walk.fetchRequest()).first { $0.duration == 600 })
    if isRead { #expect(childDog.minutes == [10, 20]) }
    let rex = try Dog.findOrCreate(named: "Rex", in: child)
    first.dog = rex
    childDog.addToWalks(Walk(minutes: 30, in: child))
    first.dog = childDog
    childDog.addToWalks(Walk(minutes: 40, in: child))
    try child.save()
    #expect(dog.minutes == [20, 30, 10, 40])
    #expect(childDog.minutes == dog.minutes)
    // Its parent has given it no order key yet, so nothing in its row tells that it moves again.
    first.dog = rex
    first.dog = childDog
    try child.save()
    #expect(dog.minutes == [20, 30, 40, 10])
    #expect(childDog.minutes == dog.minutes)
    try stack.context.save()
    #expect(
      try stack.reread(Dog.self).first { $0.name == "Fido" }?.minutes == [20, 30, 40, 10])
  }

  @Test(arguments: Stack.allTypes)
  func `a change made in the parent meanwhile is kept`(type: PersistentStore.StoreType) throws {
    let (stack, dog, child, childDog) = try Stack.family(type)
    childDog.walks = OrderedSet(childDog.walks.reversed())
    childDog.targetMinutes = 30
    dog.name = "FIDO"
    dog.addToWalks(stack.walk(minutes: 40))
    try child.save()
    #expect(dog.minutes == [20, 10, 40] && dog.name == "FIDO" && dog.targetMinutes == 30)
    try stack.context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [20, 10, 40])
  }

  @Test(arguments: Stack.allTypes)
  func `new objects have one identity in all contexts`(type: PersistentStore.StoreType) throws {
    let (stack, dog, child, childDog) = try Stack.family(type)
    let new = Walk(minutes: 30, in: child)
    childDog.addToWalks(new)
    let temporary = new.objectID
    try child.save()
    #expect(new.objectID == temporary && temporary.isTemporaryID && !new.isInserted)
    let above = stack.context.object(with: temporary)
    #expect(above === dog.walks[2])
    try stack.context.save()
    #expect(!new.objectID.isTemporaryID && new.objectID == above.objectID)
    #expect(child.object(with: above.objectID) === new)
    new.note = "again"
    try child.save()
    #expect((above as? Walk)?.note == "again")
    try stack.context.save()
    #expect(try stack.reread(Walk.self).contains { $0.note == "again" })
  }

  @Test(arguments: Stack.allTypes)
  func `a released child leaves nothing behind`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10])
    do {
      let child = ManagedObjectContext(parent: stack.context)
      let childDog = try #require(try child.fetch(Dog.fetchRequest()).first)
      childDog.targetMinutes = 30
      child.delete(childDog.walks[0])
    }
    #expect(dog.targetMinutes == nil && dog.minutes == [10] && !stack.context.hasChanges)
    try stack.dog("Rex")
  }

  @Test(arguments: Stack.allTypes)
  func `one-to-ones and sets reach the parent at both ends`(type: PersistentStore.StoreType) throws
  {
    let stack = try Stack.kennel(type)
    let (ann, bob) = (Person(context: stack.context), Person(context: stack.context))
    ann.licence = Licence(context: stack.context)
    let cat = Cat(context: stack.context)
    ann.pets = [cat]
    try stack.context.save()
    let child = ManagedObjectContext(parent: stack.context)
    let childBob = try #require(child.object(with: bob.objectID) as? Person)
    let childAnn = try #require(child.object(with: ann.objectID) as? Person)
    childBob.licence = childAnn.licence
    childBob.pets = childAnn.pets.union([Hound(context: child)])
    childBob.favourite = childBob.pets.first { $0 is Hound }
    try child.save()
    #expect(ann.licence == nil && bob.licence?.person === bob)
    #expect(ann.pets.isEmpty && bob.pets.count == 2 && bob.favourite is Hound)
    #expect(cat.owner === bob)
    try stack.context.save()
    let people = try stack.reread(Person.self)
    #expect(people.map(\.pets.count) == [0, 2] && people[1].favourite is Hound)
    #expect(childBob.favourite?.objectID == bob.favourite?.objectID)
  }

  @Test(arguments: Stack.allTypes)
  func `a grandchild's objects reach the store in three saves`(type: PersistentStore.StoreType)
    throws
  {
    let (stack, dog, child, childDog) = try Stack.family(type)
    let grandchild = ManagedObjectContext(parent: child)
    let low = try #require(try grandchild.fetch(Dog.fetchRequest()).first)
    let new = Walk(minutes: 30, in: grandchild)
    low.addToWalks(new)
    try grandchild.save()
    #expect(childDog.minutes == [10, 20, 30] && dog.minutes == [10, 20])
    try child.save()
    #expect(dog.minutes == [10, 20, 30])
    try stack.context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [10, 20, 30])
    #expect(new.objectID == dog.walks[2].objectID && !new.objectID.isTemporaryID)
  }

  @Test(arguments: Stack.allTypes)
  func `an object from find or create stays unique through a parent`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let child = ManagedObjectContext(parent: stack.context)
    let dog = try Dog.findOrCreate(named: "Fido", in: child)
    dog.addToWalks(Walk(minutes: 10, in: child))
    try child.save()
    let rival = stack.anotherContext()
    let rivalDog = try Dog.findOrCreate(named: "FIDO", in: rival)
    rivalDog.addToWalks(Walk(minutes: 20, in: rival))
    try rival.save()
    try stack.context.save()
    #expect(try stack.reread(Dog.self).map(\.minutes) == [[20, 10]])
    #expect(dog.objectID == rivalDog.objectID)
  }

  @Test(arguments: Stack.allTypes)
  func `a child merges what its parent merges`(type: PersistentStore.StoreType) throws {
    let (stack, dog, child, childDog) = try Stack.family(type)
    child.automaticallyMergesChangesFromParent = true
    let sibling = ManagedObjectContext(parent: stack.context)
    let siblingDog = try #require(try sibling.fetch(Dog.fetchRequest()).first)
    siblingDog.targetMinutes = 30
    siblingDog.addToWalks(Walk(minutes: 30, in: sibling))
    try sibling.save()
    child.processPendingChanges()
    #expect(childDog.targetMinutes == 30 && childDog.minutes == [10, 20, 30])
    dog.name = "FIDO"
    child.processPendingChanges()
    #expect(childDog.name == "Fido")
    try stack.context.save()
    child.processPendingChanges()
    #expect(childDog.name == "FIDO")
  }

  @Test(arguments: Stack.allTypes, [true, false])
  func `refreshing reads the parent's objects`(
    type: PersistentStore.StoreType, merging: Bool
  ) throws {
    let (stack, dog, child, childDog) = try Stack.family(type)
    dog.targetMinutes = 30
    dog.addToWalks(stack.walk(minutes: 30))
    childDog.name = "FIDO"
    try child.refresh(childDog, mergeChanges: merging)
    #expect(childDog.targetMinutes == 30 && childDog.minutes == [10, 20, 30])
    #expect(childDog.name == (merging ? "FIDO" : "Fido"))
  }

  @Test(arguments: Stack.allTypes, [true, false])
  func `a child cannot save an object that its parent has discarded`(
    type: PersistentStore.StoreType, isRolledBack: Bool
  ) throws {
    let stack = try Stack(type)
    let child = ManagedObjectContext(parent: stack.context)
    let fido = try Dog.findOrCreate(named: "Fido", in: child)
    let rex = try Dog.findOrCreate(named: "Rex", in: child)
    try child.save()
    for dog in try stack.context.fetch(Dog.fetchRequest()) where !isRolledBack {
      stack.context.delete(dog)
    }
    if isRolledBack { stack.context.rollback() }
    fido.addToWalks(Walk(minutes: 10, in: child))
    rex.targetMinutes = 5
    let conflict = #expect(throws: ConflictError.self) { try child.save() }
    #expect(Set(conflict?.objectIDs ?? []) == [fido.objectID, rex.objectID])
    #expect(child.hasChanges && !stack.context.hasChanges)
    child.rollback()
    #expect(!child.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `a link to an object known only to the store reaches the parent`(
    type: PersistentStore.StoreType
  ) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Note", properties: [.value("text", .string), .toMany("others", "Note", back: nil)])
    ])
    let stack = try Stack(type, model: model)
    let (one, two) = (
      ManagedObject("Note", in: stack.context), ManagedObject("Note", in: stack.context)
    )
    try stack.context.save()
    let parent = stack.anotherContext()
    let child = ManagedObjectContext(parent: parent)
    let others = child.object(with: one.objectID).mutableSetValue(forKey: "others")
    others.add(child.object(with: two.objectID))
    try child.save()
    try parent.save()
    let other = stack.anotherContext()
    let reread = other.object(with: one.objectID)
    #expect(reread.objectIDs(forRelationshipNamed: "others") == [two.objectID])
  }
}

import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Deletions in a context and in its parent, by each of them and by others.
@Suite struct ParentDeletionTests {
  @Test(arguments: Stack.allTypes)
  func `a child that merges automatically has its parent merge first`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, child, childDog) = try Stack.family(type)
    for context in [stack.context, child] { context.automaticallyMergesChangesFromParent = true }
    var deleted: [ManagedObject] = []
    let observation = child.observe(.objectsDidChange) { deleted += $0.deleted }
    defer { observation.cancel() }
    let walk = childDog.walks[0]
    let other = stack.anotherContext()
    other.delete(try other.existingObject(with: walk.objectID))
    try other.save()
    #expect(try child.fetch(Walk.fetchRequest()).count == 1)
    #expect(deleted == [walk] && childDog.minutes == [20] && dog.minutes == [20])
  }

  @Test(arguments: Stack.allTypes)
  func `an object that a merge deletes in the parent leaves the child`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, _, child, childDog) = try Stack.family(type)
    for context in [stack.context, child] { context.automaticallyMergesChangesFromParent = true }
    let new = Walk(minutes: 30, in: child)
    childDog.addToWalks(new)
    try child.save()
    var deleted: Set<ManagedObject> = []
    let observation = child.observe(.objectsDidChange) { deleted.formUnion($0.deleted) }
    defer { observation.cancel() }
    let other = stack.anotherContext()
    other.delete(try other.existingObject(with: childDog.objectID))
    try other.save()
    #expect(try child.fetch(Walk.fetchRequest()).isEmpty)
    #expect(deleted.isSuperset(of: [childDog, new]) && new.isDeleted)
    try child.save()
    try stack.context.save()
    #expect(try stack.reread(Walk.self).isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `an object that a delete rule deletes in the parent leaves the child`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, child, childDog) = try Stack.family(type)
    child.automaticallyMergesChangesFromParent = true
    child.delete(childDog)
    // The child's deletion has not reached this one.
    dog.addToWalks(stack.walk(minutes: 30))
    let new = try #require(try child.fetch(Walk.fetchRequest()).first)
    var deleted: [ManagedObject] = []
    let observation = child.observe(.objectsDidChange) { deleted += $0.deleted }
    defer { observation.cancel() }
    try child.save()
    child.processPendingChanges()
    #expect(deleted.contains(new) && new.isDeleted)
    #expect(try child.fetch(Walk.fetchRequest()).isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `an undone deletion waits for the parent to save it`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, _, child, childDog) = try Stack.family(type)
    child.undoManager = ContextUndoManager()
    child.delete(childDog.walks[1])
    try child.save()
    child.undo()
    #expect(throws: ConflictError.self) { try child.save() }
    try stack.context.save()
    try child.save()
    try stack.context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [10, 20])
  }

  @Test(arguments: Stack.allTypes)
  func `an undone insertion is redone before the parent has saved it`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, child, childDog) = try Stack.family(type)
    child.undoManager = ContextUndoManager()
    let walk = stack.walk(minutes: 30, in: child)
    childDog.addToWalks(walk)
    try child.save()
    for _ in 0..<2 {
      child.undo()
      try child.save()
      #expect(dog.minutes == [10, 20])
      child.redo()
      try child.save()
      #expect(dog.minutes == [10, 20, 30] && childDog.minutes == [10, 20, 30])
    }
    try stack.context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [10, 20, 30])
    #expect(walk.objectID == dog.walks.last?.objectID && !walk.objectID.isTemporaryID)
  }

  @Test(arguments: Stack.allTypes)
  func `the redo of a new object waits where its parent has saved it`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, middle, middleDog) = try Stack.family(type)
    let child = ManagedObjectContext(parent: middle)
    child.undoManager = ContextUndoManager()
    let childDog = try #require(try child.fetch(Dog.fetchRequest()).first)
    let walk = stack.walk(minutes: 30, in: child)
    childDog.addToWalks(walk)
    try child.save()
    try middle.save()
    #expect(dog.minutes == [10, 20, 30])
    child.undo()
    try child.save()
    #expect(middleDog.minutes == [10, 20] && dog.minutes == [10, 20, 30])
    child.redo()
    let conflict = #expect(throws: ConflictError.self) { try child.save() }
    #expect(conflict?.objectID == walk.objectID)
    // Nothing has changed except that it waits.
    #expect(middleDog.minutes == [10, 20] && childDog.minutes == [10, 20, 30])
    try middle.save()
    #expect(dog.minutes == [10, 20])
    try child.save()
    #expect(middleDog.minutes == [10, 20, 30])
    try middle.save()
    #expect(dog.minutes == [10, 20, 30])
    try stack.context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [10, 20, 30])
    #expect(walk.objectID == dog.walks.last?.objectID && !walk.objectID.isTemporaryID)
  }

  @Test(arguments: Stack.allTypes)
  func `a deletion reaches the parent with the objects that it cascades to`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, child, childDog) = try Stack.family(type)
    let walks = dog.walks
    child.delete(childDog)
    try child.save()
    #expect(dog.isDeleted && walks.allSatisfy(\.isDeleted))
    try stack.context.save()
    #expect(try stack.reread(Walk.self).isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `a member that leaves before its owner is deleted survives`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, child, childDog) = try Stack.family(type)
    let rex = try Dog.findOrCreate(named: "Rex", in: child)
    rex.addToWalks(childDog.walks[1])
    child.delete(childDog)
    try child.save()
    #expect(dog.isDeleted)
    try stack.context.save()
    #expect(try stack.reread(Dog.self).map(\.minutes) == [[20]])
  }

  @Test(arguments: Stack.allTypes)
  func `a change of an object that the parent deleted is refused`(type: PersistentStore.StoreType)
    throws
  {
    let (stack, dog, child, childDog) = try Stack.family(type)
    childDog.targetMinutes = 30
    childDog.walks[0].note = "wet"
    stack.context.delete(dog.walks[0])
    let gone = childDog.walks[0].objectID
    let conflict = #expect(throws: ConflictError.self) { try child.save() }
    #expect(conflict?.objectID == gone)
    #expect(dog.targetMinutes == nil && childDog.isUpdated)
    child.rollback()
    childDog.targetMinutes = 30
    try child.save()
    #expect(dog.targetMinutes == 30)
  }
}

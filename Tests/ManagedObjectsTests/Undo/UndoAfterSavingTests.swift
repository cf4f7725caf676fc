import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// Undo and redo with saves, other contexts and unread lists in between.
@Suite struct UndoAfterSavingTests {
  @Test(arguments: Stack.allTypes)
  func `a saved change is undone as a change to save`(type: PersistentStore.StoreType) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    dog.name = "Rex"
    try context.save()
    context.undo()
    #expect(dog.name == "Fido" && dog.isUpdated)
    try context.save()
    #expect(try stack.reread(Dog.self)[0].name == "Fido")
    context.redo()
    try context.save()
    #expect(try stack.reread(Dog.self)[0].name == "Rex")
  }

  @Test(arguments: Stack.allTypes)
  func `a saved deletion is undone under the same ID`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    let id = dog.objectID
    let walks = dog.walks.array
    context.delete(dog)
    try context.save()
    #expect(try stack.reread(Dog.self).isEmpty && dog.managedObjectContext == nil)
    context.undo()
    #expect(dog.isInserted && dog.objectID == id && dog.managedObjectContext === context)
    #expect(dog.walks.array == walks)
    try context.save()
    #expect(!context.hasChanges && dog.objectID == id)
    let reread = try stack.reread(Dog.self)
    #expect(reread.map(\.objectID) == [id] && reread[0].minutes == [10, 20, 30])
    #expect(reread[0].walks.map(\.objectID) == walks.map(\.objectID))
    context.redo()
    try context.save()
    #expect(try stack.reread(Dog.self).isEmpty)
    guard type == .sqlite, StoreChecker.isAvailable else { return }
    #expect(try StoreChecker.check(stack.url) == "0 differences, 5 entities\n")
  }

  @Test(arguments: Stack.allTypes, [true, false])
  func `a saved move out of an unread list is undone to the old index`(
    type: PersistentStore.StoreType, isReadLater: Bool
  ) throws {
    let (stack, context) = try Stack.undoableUnread(type)
    let (fido, rex) = (try context.dog(named: "Fido"), try context.dog(named: "Rex"))
    let walk = try #require(try context.fetch(Walk.fetchRequest()).first { $0.duration == 1_200 })
    walk.dog = rex
    context.processPendingChanges()
    if isReadLater { #expect(fido.minutes == [10, 30] && rex.minutes == [5, 20]) }
    try context.save()
    context.undo()
    #expect(fido.minutes == [10, 20, 30] && rex.minutes == [5])
    try context.save()
    let reread = try stack.reread(Dog.self).sorted { $0.name < $1.name }
    #expect(reread.map(\.minutes) == [[10, 20, 30], [5]])
    context.redo()
    #expect(fido.minutes == [10, 30] && rex.minutes == [5, 20])
  }

  @Test(arguments: Stack.allTypes, [true, false])
  func `a member that left from beside a temporary one is restored to its old index`(
    type: PersistentStore.StoreType, isDeleted: Bool
  ) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    let walks = dog.walks.array
    let rex = try Dog.findOrCreate(named: "Rex", in: context)
    context.processPendingChanges()
    let passing = Walk(minutes: 15, in: context)
    dog.insertIntoWalks(passing, at: 1)
    walks[0].dog = rex
    if isDeleted { context.delete(passing) } else { passing.dog = rex }
    #expect(dog.walks.array == Array(walks[1...]))
    try context.save()
    context.undo()
    #expect(dog.walks.array == walks)
    context.redo()
    #expect(dog.walks.array == Array(walks[1...]))
    context.undo()
    try context.save()
    #expect(dog.walks.array == walks)
    #expect(try stack.reread(Dog.self).first { $0.name == "Fido" }!.minutes == [10, 20, 30])
  }

  @Test(arguments: Stack.allTypes)
  func `a list whose member others have deleted is as stored, and adopts their order`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    let walk = dog.walks[0]
    walk.dog = try Dog.findOrCreate(named: "Rex", in: context)
    try context.save()
    let other = stack.anotherContext()
    let theirs = try #require(other.object(with: dog.objectID) as? Dog)
    other.delete(other.object(with: walk.objectID))
    try other.save()
    try context.mergeChanges(from: ChangedObjectIDs(deleted: [walk.objectID]))
    context.undo()
    #expect(dog.minutes == [20, 30] && !dog.isUpdated)
    theirs.walks = OrderedSet(theirs.walks.reversed())
    let order = theirs.minutes
    try other.save()
    try context.mergeChanges(from: ChangedObjectIDs(updated: [dog.objectID]))
    #expect(order == [30, 20] && dog.minutes == order)
  }

  @Test(arguments: Stack.allTypes)
  func `a saved deletion is undone in an unread list`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, context) = try Stack.undoableUnread(type)
    context.delete(try context.fetch(Walk.fetchRequest()).first { $0.duration == 1_200 }!)
    try context.save()
    context.undo()
    #expect(try context.dog(named: "Fido").minutes == [10, 20, 30])
    try context.save()
    #expect(try stack.reread(Dog.self).first { $0.name == "Fido" }!.minutes == [10, 20, 30])
  }

  @Test(arguments: Stack.allTypes)
  func `a member added to an unread list is redone after saves`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, context) = try Stack.undoableUnread(type)
    defer { withExtendedLifetime(stack) {} }
    try context.dog(named: "Fido").addToWalks(try context.dog(named: "Rex").walks[0])
    try context.save()
    context.undo()
    try context.save()
    context.redo()
    #expect(try context.dog(named: "Fido").minutes == [10, 20, 30, 5])
    #expect(try context.dog(named: "Rex").minutes == [])
    try context.save()
    #expect(try context.dog(named: "Fido").minutes == [10, 20, 30, 5])
  }

  @Test(arguments: Stack.allTypes)
  func `a member leaves a list again that was read between undo and redo`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, context) = try Stack.undoableUnread(type)
    let walk = try context.fetch(Walk.fetchRequest()).first { $0.duration == 1_200 }!
    walk.dog = try context.dog(named: "Rex")
    context.undo()
    #expect(try context.dog(named: "Fido").minutes == [10, 20, 30])
    context.redo()
    #expect(try context.dog(named: "Fido").minutes == [10, 30])
    #expect(try context.dog(named: "Rex").minutes == [5, 20])
    try context.save()
    #expect(try stack.reread(Dog.self).first { $0.name == "Fido" }!.minutes == [10, 30])
  }

  @Test(arguments: Stack.allTypes)
  func `an order is undone in a list that was released since`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    dog.walks.move(fromOffset: 0, toOffset: 2)
    try context.save()
    try context.refresh(dog, mergeChanges: false)
    context.undo()
    #expect(dog.minutes == [10, 20, 30])
    try context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [10, 20, 30])
  }

  @Test(arguments: Stack.allTypes)
  func `a member that returned to its old index by itself keeps it when all else is undone`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    let walk = dog.walks[2]
    walk.dog = try Dog.findOrCreate(named: "Rex", in: context)
    walk.dog = dog
    context.processPendingChanges()
    dog.walks.move(fromOffset: 0, toOffset: 2)
    context.undo()
    try context.save()
    #expect(try stack.reread(Dog.self).first { $0.name == "Fido" }!.minutes == [10, 20, 30])
    guard type == .sqlite, StoreChecker.isAvailable else { return }
    #expect(try StoreChecker.check(stack.url) == "0 differences, 5 entities\n")
  }

  @Test(arguments: Stack.allTypes)
  func `objects restored by an undo survive a refresh`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    context.delete(dog.walks[1])
    try context.save()
    context.undo()
    try context.refreshAllObjects()
    #expect(dog.minutes == [10, 20, 30])
    try context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [10, 20, 30])
  }

  @Test(arguments: Stack.allTypes)
  func `an undo does not restore members that others have moved or whose owner they deleted`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    let rex = try Dog.findOrCreate(named: "Rex", in: context)
    let ada = try Dog.findOrCreate(named: "Ada", in: context)
    let (first, last) = (dog.walks[0], dog.walks[2])
    first.dog = rex
    try context.save()
    last.dog = ada
    try context.save()
    let other = stack.anotherContext()
    let theirs = try other.fetch(Dog.fetchRequest())
    other.delete(theirs.first { $0.name == "Fido" }!)
    try other.save()
    try context.mergeChanges(
      from: ChangedObjectIDs(deleted: [dog.objectID, dog.walks[0].objectID]))
    context.undo()
    #expect(last.dog == nil && ada.walks.isEmpty && rex.walks.array == [first])
    #expect(throws: ValidationError.self) { try context.save() }
  }

  @Test(arguments: Stack.allTypes)
  func `an object inserted and deleted in one event leaves nothing to undo`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    defer { withExtendedLifetime(stack) {} }
    let walk = Walk(minutes: 40, in: context)
    dog.addToWalks(walk)
    context.delete(walk)
    dog.name = "Rex"
    dog.name = "Fido"
    context.processPendingChanges()
    #expect(context.undoManager?.canUndo == false)
    dog.name = "Rex"
    context.undo()
    context.redo()
    #expect(dog.name == "Rex" && dog.minutes == [10, 20, 30])
  }

  @Test(arguments: Stack.allTypes)
  func `a list in its old order leaves nothing to undo`(type: PersistentStore.StoreType) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    defer { withExtendedLifetime(stack) {} }
    let ada = try stack.dog("Ada", minutes: [])
    let stray = Walk(minutes: 40, in: context)
    context.processPendingChanges()
    context.undoManager?.removeAllActions()
    ada.addToWalks(stray)
    ada.removeFromWalks(stray)
    context.processPendingChanges()
    #expect(context.undoManager?.canUndo == false)
    #expect(ada.walks.isEmpty && stray.dog == nil)
    // A member that returned to the end was elsewhere before.
    let first = dog.walks[0]
    first.dog = ada
    first.dog = dog
    context.processPendingChanges()
    #expect(dog.minutes == [20, 30, 10])
    context.undo()
    #expect(dog.minutes == [10, 20, 30] && ada.walks.isEmpty)
    context.redo()
    #expect(dog.minutes == [20, 30, 10])
  }

  @Test(arguments: Stack.allTypes)
  func `a restored object has another version than the deleted one`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    let late = stack.anotherContext()
    let lateDog = try #require(try late.fetch(Dog.fetchRequest()).first)
    context.delete(dog)
    try context.save()
    context.undo()
    try context.save()
    lateDog.name = "Rex"
    #expect(throws: ConflictError.self) { try late.save() }
  }

  @Test(arguments: Stack.allTypes)
  func `a saved insertion is undone, and redone under the same ID`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack.undoable(type)
    let context = stack.context
    let dog = try stack.dog("Fido", minutes: [10, 20])
    let id = dog.objectID
    context.undo()
    #expect(dog.isDeleted)
    try context.save()
    #expect(try stack.reread(Dog.self).isEmpty)
    #expect(try stack.reread(Walk.self).isEmpty)
    context.redo()
    try context.save()
    let reread = try stack.reread(Dog.self)
    #expect(reread.map(\.minutes) == [[10, 20]] && reread[0].objectID == id)
  }

  @Test(arguments: Stack.allTypes)
  func `a reference by a temporary key leads to the object once it has a row`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack.undoable(type)
    let context = stack.context
    let (fido, rex) = (Dog(context: context), Dog(context: context))
    (fido.nameKey, rex.nameKey) = ("fido", "rex")
    let walk = stack.walk(minutes: 10)
    walk.dog = fido
    context.processPendingChanges()
    walk.dog = rex
    try context.save()
    context.undo()
    #expect(walk.dog === fido && fido.walks.array == [walk] && rex.walks.isEmpty)
    try context.save()
    #expect(try stack.reread(Walk.self)[0].dog?.nameKey == "fido")
  }
}

import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Deletions by other contexts, once they are merged.
@Suite struct MergedDeletionTests {
  @Test(arguments: Stack.allTypes)
  func `a merged deletion is pending until the next save`(type: PersistentStore.StoreType) throws {
    let pair = try MergingPair(type)
    let gone = pair.otherDog.walks[0]
    pair.stack.context.delete(pair.dog.walks[0])
    try pair.saveAndMerge()
    #expect(gone.isDeleted && gone.managedObjectContext === pair.other.context)
    #expect(gone.duration == 600 && pair.other.context.registeredObjects.contains(gone))
    #expect(pair.other.context.hasChanges)
    var request = Walk.fetchRequest()
    request.fetchLimit = 5
    #expect(try pair.other.context.fetch(request) == [pair.otherDog.walks[0]])
    #expect(throws: PersistentStoreError.self) {
      try pair.other.context.existingObject(with: gone.objectID)
    }
    var saved: ObjectChanges?
    let observation = pair.other.context.observe(.didSave) { saved = $0 }
    defer { observation.cancel() }
    try pair.other.context.save()
    #expect(saved?.deleted == [gone])
    #expect(gone.managedObjectContext == nil && !pair.other.context.hasChanges)
    #expect(try pair.stack.reread(Dog.self)[0].minutes == [20])
  }

  @Test(arguments: Stack.allTypes)
  func `neither a rollback nor a refresh restores an object after a merged deletion`(
    type: PersistentStore.StoreType
  ) throws {
    let pair = try MergingPair(type)
    let (gone, other) = (pair.otherDog.walks[0], pair.otherDog.walks[1])
    pair.stack.context.delete(pair.dog.walks[0])
    pair.otherDog.targetMinutes = 5
    pair.other.context.delete(other)
    try pair.saveAndMerge()
    try pair.other.context.refresh(gone, mergeChanges: false)
    try pair.other.context.refreshAllObjects()
    #expect(pair.other.context.deletedObjects == [gone, other])
    pair.other.context.rollback()
    #expect(!pair.other.context.hasChanges && gone.managedObjectContext == nil)
    #expect(pair.otherDog.minutes == [20] && pair.otherDog.targetMinutes == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `an object deleted by both contexts is deleted`(type: PersistentStore.StoreType) throws {
    let pair = try MergingPair(type)
    pair.other.context.delete(pair.otherDog)
    pair.stack.context.delete(pair.dog)
    try pair.saveAndMerge()
    #expect(pair.other.context.deletedObjects.count == 3)
    try pair.other.context.save()
    #expect(try pair.stack.reread(Walk.self).isEmpty)
  }

  @Test(arguments: Stack.allTypes, [true, false])
  func `an object is notified before a deletion is merged`(
    type: PersistentStore.StoreType, isRead: Bool
  ) throws {
    let stack = try Stack(type, model: Journal.model)
    let book = Journal.Book(context: stack.context)
    let entry = Journal.Entry(context: stack.context)
    entry.book = book
    try stack.context.save()
    let other = stack.anotherContext()
    other.automaticallyMergesChangesFromParent = true
    let twin = try #require(other.object(with: entry.objectID) as? Journal.Entry)
    if isRead { #expect(twin.text == nil) }
    var wasDeleted: Bool?
    twin.beforeDeletion = {
      wasDeleted = $0.isDeleted
      $0.text = "gone"
    }
    stack.context.delete(entry)
    try stack.context.save()
    other.processPendingChanges()
    #expect(wasDeleted == false && twin.isDeleted)
    #expect(other.updatedObjects.isEmpty)
    try other.save()
    #expect(!other.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `a merged deletion is not undone, and undoing an older one inserts the object again`(
    type: PersistentStore.StoreType
  ) throws {
    let pair = try MergingPair(type)
    let context = pair.other.context
    context.undoManager = ContextUndoManager()
    let walk = pair.otherDog.walks[0]
    walk.note = "sunny"
    context.processPendingChanges()
    pair.stack.context.delete(pair.dog.walks[0])
    try pair.saveAndMerge()
    #expect(walk.isDeleted)
    context.undo()
    #expect(walk.isDeleted && context.deletedObjects == [walk])
    try context.save()
    let second = pair.otherDog.walks[0]
    context.delete(second)
    context.processPendingChanges()
    pair.stack.context.delete(pair.dog.walks[0])
    try pair.saveAndMerge()
    context.undo()
    #expect(!second.isDeleted && second.isInserted && pair.otherDog.minutes == [20])
    try context.save()
    #expect(try pair.stack.reread(Dog.self)[0].minutes == [20])
  }

  // MARK: Insertions

  @Test(arguments: Stack.allTypes, [true, false])
  func `an object given to a deleted owner follows its delete rule`(
    type: PersistentStore.StoreType, isRead: Bool
  ) throws {
    let pair = try MergingPair(type)
    let rex = try pair.stack.dog("Rex", minutes: [30])
    let otherRex = try #require(pair.other.context.object(with: rex.objectID) as? Dog)
    if isRead { #expect(otherRex.minutes == [30]) }
    let (moved, new) = (pair.otherDog.walks[0], pair.other.walk(minutes: 40))
    otherRex.addToWalks(moved)
    otherRex.addToWalks(new)
    pair.stack.context.delete(rex)
    try pair.saveAndMerge()
    #expect(moved.isDeleted && pair.other.context.insertedObjects.isEmpty)
    #expect(pair.otherDog.minutes == [20])
    try pair.other.context.save()
    #expect(moved.managedObjectContext == nil && new.managedObjectContext == nil)
    #expect(try pair.stack.reread(Dog.self).map(\.minutes) == [[20]])
  }

  @Test(arguments: Stack.allTypes)
  func `an object given to a deleted owner may stay without one`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack.kennel(type)
    let (ann, tom) = (Person(context: stack.context), Cat(context: stack.context))
    ann.licence = Licence(context: stack.context)
    try stack.context.save()
    let other = stack.anotherContext()
    other.automaticallyMergesChangesFromParent = true
    let otherAnn = try #require(try other.existingObject(with: ann.objectID) as? Person)
    let otherTom = try #require(try other.existingObject(with: tom.objectID) as? Cat)
    let licence = Licence(context: other)
    otherAnn.pets = [otherTom]
    otherAnn.licence = licence
    stack.context.delete(ann)
    try stack.context.save()
    other.processPendingChanges()
    #expect(otherTom.owner == nil && licence.person == nil && otherAnn.isDeleted)
    try other.save()
    #expect(try stack.reread(Cat.self)[0].owner == nil)
    #expect(try stack.reread(Licence.self).allSatisfy { $0.person == nil })
  }
}

import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// What a context's undo manager undoes and redoes.
@Suite struct UndoTests {
  @Test(arguments: Stack.allTypes)
  func `values are restored by undo, and set again by redo`(type: PersistentStore.StoreType) throws
  {
    let (stack, dog, context) = try Stack.undoableFido(type)
    dog.name = "A name longer than the one before"
    dog.targetMinutes = 60
    dog.targetMinutes = 90
    context.undo()
    #expect(dog.name == "Fido" && dog.targetMinutes == nil)
    #expect(!dog.hasChanges && !context.hasChanges)
    context.redo()
    #expect(dog.name == "A name longer than the one before" && dog.targetMinutes == 90)
    #expect(dog.isUpdated)
    try context.save()
    #expect(try stack.reread(Dog.self)[0].targetMinutes == 90)
  }

  @Test(arguments: Stack.allTypes)
  func `each event is undone on its own`(type: PersistentStore.StoreType) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    defer { withExtendedLifetime(stack) {} }
    for minutes in Int16(1)...3 {
      dog.targetMinutes = minutes
      context.processPendingChanges()
    }
    context.undo()
    #expect(dog.targetMinutes == 2)
    context.undo()
    #expect(dog.targetMinutes == 1)
    context.redo()
    #expect(dog.targetMinutes == 2)
    context.undo()
    context.undo()
    context.undo()
    #expect(dog.targetMinutes == nil && !context.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `a new object is removed by undo, and restored by redo`(type: PersistentStore.StoreType)
    throws
  {
    let (stack, dog, context) = try Stack.undoableFido(type)
    let walk = stack.walk(minutes: 40)
    dog.insertIntoWalks(walk, at: 1)
    context.undo()
    #expect(dog.minutes == [10, 20, 30])
    #expect(!walk.isInserted && walk.managedObjectContext == nil && !context.hasChanges)
    #expect(try context.fetch(Walk.fetchRequest()).count == 3)
    context.redo()
    #expect(dog.minutes == [10, 40, 20, 30])
    #expect(walk.isInserted && walk.dog === dog)
    try context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [10, 40, 20, 30])
  }

  @Test(arguments: Stack.allTypes)
  func `a deletion is undone with all its effects`(type: PersistentStore.StoreType) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    let walks = dog.walks
    context.delete(dog)
    #expect(walks.allSatisfy { $0.isDeleted })
    context.undo()
    #expect(!dog.isDeleted && dog.walks == walks && dog.minutes == [10, 20, 30])
    #expect(walks.allSatisfy { $0.dog === dog && !$0.isDeleted })
    #expect(!context.hasChanges)
    try context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [10, 20, 30])
    context.redo()
    try context.save()
    #expect(try stack.reread(Walk.self).isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `a deleted member is restored to its index`(type: PersistentStore.StoreType) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    defer { withExtendedLifetime(stack) {} }
    for place in 0..<3 {
      context.delete(dog.walks[place])
      context.undo()
      #expect(dog.minutes == [10, 20, 30])
    }
    // The list is unread when the member is deleted, and read when it is restored.
    let shared = try Stack.undoableFido(type).stack
    defer { withExtendedLifetime(shared) {} }
    let other = Stack(sharing: shared)
    other.context.undoManager = ContextUndoManager()
    let walk = try other.context.fetch(Walk.fetchRequest())[1]
    other.context.delete(walk)
    other.context.processPendingChanges()
    let same = try #require(try other.context.fetch(Dog.fetchRequest()).first)
    #expect(same.minutes == [10, 30])
    other.context.undo()
    #expect(same.minutes == [10, 20, 30] && !other.context.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `an order is restored`(type: PersistentStore.StoreType) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    dog.walks = OrderedSet(dog.walks.reversed())
    context.processPendingChanges()
    var walks = dog.walks
    walks.move(fromOffset: 0, toOffset: 1)
    dog.walks = walks
    #expect(dog.minutes == [20, 30, 10])
    context.undo()
    #expect(dog.minutes == [30, 20, 10])
    try context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [30, 20, 10])
    context.undo()
    #expect(dog.minutes == [10, 20, 30])
    try context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [10, 20, 30])
    context.redo()
    context.redo()
    #expect(dog.minutes == [20, 30, 10])
  }

  @Test(arguments: Stack.allTypes)
  func `a member moved to another owner is restored`(type: PersistentStore.StoreType) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    let rex = try stack.dog("Rex", minutes: [40])
    context.undoManager?.removeAllActions()
    let walk = dog.walks[1]
    walk.dog = rex
    context.processPendingChanges()
    rex.insertIntoWalks(dog.walks[0], at: 0)
    #expect(dog.minutes == [30] && rex.minutes == [10, 40, 20])
    context.undo()
    #expect(dog.minutes == [10, 30] && rex.minutes == [40, 20])
    context.undo()
    #expect(dog.minutes == [10, 20, 30] && rex.minutes == [40] && !context.hasChanges)
    context.redo()
    context.redo()
    #expect(dog.minutes == [30] && rex.minutes == [10, 40, 20])
    try context.save()
    context.undo()
    context.undo()
    #expect(dog.minutes == [10, 20, 30] && rex.minutes == [40])
    try context.save()
    let reread = try stack.reread(Dog.self)
    #expect(reread.map(\.minutes) == [[10, 20, 30], [40]])
  }

  // MARK: Groups

  @Test(arguments: Stack.allTypes)
  func `a whole editing session is undone as one action`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    let manager = try #require(context.undoManager)
    dog.targetMinutes = 45
    manager.beginUndoGrouping()
    manager.setActionName("Edit Fido")
    dog.name = "Fido the First"
    dog.walks[0].note = "in the rain"
    context.processPendingChanges()
    dog.removeFromWalks(at: 1)
    for walk in try context.fetch(Walk.fetchRequest()) where walk.dog == nil {
      context.delete(walk)
    }
    dog.insertIntoWalks(stack.walk(minutes: 5), at: 0)
    try context.save()
    dog.maximumGap = 3600
    manager.endUndoGrouping()
    #expect(dog.minutes == [5, 10, 30] && manager.undoMenuItemTitle == "Undo Edit Fido")

    context.undo()
    #expect(dog.name == "Fido" && dog.targetMinutes == 45 && dog.maximumGap == nil)
    #expect(dog.minutes == [10, 20, 30] && dog.walks[0].note == nil)
    try context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [10, 20, 30])

    #expect(manager.redoMenuItemTitle == "Redo Edit Fido")
    context.redo()
    #expect(dog.minutes == [5, 10, 30] && dog.maximumGap == 3600)
    #expect(dog.walks[1].note == "in the rain")
    context.undo()
    context.undo()
    #expect(dog.targetMinutes == nil && !manager.canUndo)
  }

  @Test(arguments: Stack.allTypes)
  func `a program's own handlers and changes are undone together`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    defer { withExtendedLifetime(stack) {} }
    let manager = try #require(context.undoManager)
    final class Selection { var name = "" }
    let selection = Selection()
    manager.beginUndoGrouping()
    dog.name = "Rex"
    selection.name = "Rex"
    manager.registerUndo(withTarget: selection) { $0.name = "Fido" }
    manager.endUndoGrouping()
    context.undo()
    #expect(selection.name == "Fido" && dog.name == "Fido")
  }

  @Test(arguments: Stack.allTypes)
  func `changes made while registration is disabled are kept`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    defer { withExtendedLifetime(stack) {} }
    let manager = try #require(context.undoManager)
    dog.name = "Rex"
    context.processPendingChanges()
    manager.disableUndoRegistration()
    dog.targetMinutes = 10
    manager.enableUndoRegistration()
    dog.targetMinutes = 20
    context.undo()
    #expect(dog.targetMinutes == 10 && dog.name == "Rex")
    context.undo()
    #expect(dog.targetMinutes == 10 && dog.name == "Fido")
    #expect(!manager.canUndo)
  }

  @Test(arguments: Stack.allTypes)
  func `without grouping by event every event is still a group`(type: PersistentStore.StoreType)
    throws
  {
    let (stack, dog, context) = try Stack.undoableFido(type)
    defer { withExtendedLifetime(stack) {} }
    context.undoManager?.groupsByEvent = false
    dog.targetMinutes = 1
    context.processPendingChanges()
    dog.targetMinutes = 2
    context.undo()
    #expect(dog.targetMinutes == 1)
    context.undo()
    #expect(dog.targetMinutes == nil)
  }

  // MARK: Where it ends

  @Test(arguments: Stack.allTypes)
  func `nothing can be undone after a rollback`(type: PersistentStore.StoreType) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    defer { withExtendedLifetime(stack) {} }
    dog.targetMinutes = 60
    context.processPendingChanges()
    dog.name = "Rex"
    context.rollback()
    #expect(context.undoManager?.canUndo == false && dog.name == "Fido")
    context.undo()
    #expect(dog.name == "Fido" && dog.targetMinutes == nil)
    dog.name = "Rex"
    context.undo()
    #expect(dog.name == "Fido")
  }

  @Test(arguments: Stack.allTypes)
  func `after a reset the context has nothing to undo`(type: PersistentStore.StoreType) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    dog.name = "Rex"
    let walk = stack.walk(minutes: 1)
    context.reset()
    #expect(context.registeredObjects.isEmpty && !context.hasChanges)
    #expect(context.undoManager?.canUndo == false)
    #expect(dog.managedObjectContext == nil && walk.managedObjectContext == nil)
    let again = try #require(try context.fetch(Dog.fetchRequest()).first)
    #expect(again !== dog && again.name == "Fido")
    again.name = "Ada"
    try context.save()
    context.undo()
    #expect(again.name == "Fido")
  }

  @Test(arguments: Stack.allTypes)
  func `a manager outlives its context and discards its actions`(type: PersistentStore.StoreType)
    throws
  {
    let stack = try Stack(type)
    try stack.dog("Fido")
    let manager = ContextUndoManager()
    do {
      let context = stack.anotherContext()
      context.undoManager = manager
      try context.fetch(Dog.fetchRequest())[0].name = "Rex"
      context.processPendingChanges()
      #expect(manager.canUndo)
    }
    #expect(!manager.canUndo)
    manager.undo()
  }

  @Test(arguments: Stack.allTypes)
  func `two contexts may share a manager`(type: PersistentStore.StoreType) throws {
    let (stack, dog, context) = try Stack.undoableFido(type)
    let other = stack.anotherContext()
    other.undoManager = context.undoManager
    let walk = try other.fetch(Walk.fetchRequest())[0]
    walk.note = "wet"
    other.processPendingChanges()
    dog.name = "Rex"
    context.undo()
    #expect(dog.name == "Fido" && walk.note == "wet")
    context.undo()
    #expect(walk.note == nil)
  }

  // MARK: Other relationships

  @Test(arguments: Stack.allTypes)
  func `both sides of a one-to-one are restored`(type: PersistentStore.StoreType) throws {
    let stack = try Stack.kennel(type)
    let context = stack.context
    let (anna, bert) = (Person(context: context), Person(context: context))
    let licence = Licence(context: context)
    anna.licence = licence
    try context.save()
    context.undoManager = ContextUndoManager()
    bert.licence = licence
    context.processPendingChanges()
    context.delete(licence)
    context.undo()
    #expect(bert.licence === licence && licence.person === bert && anna.licence == nil)
    context.undo()
    #expect(anna.licence === licence && licence.person === anna && bert.licence == nil)
    #expect(!context.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `both sides of a many-to-many are restored`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: ManyToManyTests.model)
    let context = stack.context
    let (tags, notes, text) = (
      PropertySlot(-1, "tags"), PropertySlot(-1, "notes"), PropertySlot(-1, "text")
    )
    func make(_ entity: String, _ name: String) -> ManagedObject {
      let object = ManagedObject(entity, in: context)
      object.setRequiredValue(name, at: text)
      return object
    }
    let note = make("Note", "note")
    let all = ["a", "b", "c"].map { make("Tag", $0) }
    for tag in all { note.add(tag, to: tags) }
    try context.save()
    context.undoManager = ContextUndoManager()
    func names() -> [String] {
      (note.orderedToMany(at: tags) as OrderedSet<ManagedObject>).map {
        $0.requiredValue(at: text)
      }
    }
    func isTagged(_ tag: ManagedObject) -> Bool {
      (tag.unorderedToMany(at: notes) as Set<ManagedObject>).contains(note)
    }
    note.remove(all[1], from: tags)
    context.processPendingChanges()
    context.delete(all[0])
    #expect(names() == ["c"] && !isTagged(all[1]))
    context.undo()
    #expect(names() == ["a", "c"] && isTagged(all[0]))
    context.undo()
    #expect(names() == ["a", "b", "c"] && isTagged(all[1]) && !context.hasChanges)
    context.redo()
    context.redo()
    try context.save()
    #expect(names() == ["c"])
    context.undo()
    context.undo()
    try context.save()
    #expect(names() == ["a", "b", "c"])
    let other = stack.anotherContext()
    let reread = try #require(
      try other.fetch(FetchRequest<ManagedObject>(entityName: "Note")).first)
    #expect(
      (reread.orderedToMany(at: tags) as OrderedSet<ManagedObject>).map {
        $0.requiredValue(at: text) as String
      } == ["a", "b", "c"])
  }
}

import DogWalkModel
import ManagedObjects
import Testing

/// Controllers that fetch in the middle of an event, and events of every kind.
@Suite struct FetchedResultsEventTests {
  /// Dogs whose names begin with A, by name.
  private static func controller(
    _ context: ManagedObjectContext
  ) throws -> FetchedResultsController<Dog> {
    var request = Dog.fetchRequest()
    request.predicate = try FetchPredicate(format: "name BEGINSWITH 'A'")
    request.sortDescriptors = [.init(key: "name")]
    let controller = FetchedResultsController(
      fetchRequest: request, managedObjectContext: context)
    try controller.performFetch()
    return controller
  }

  private func names(_ controller: FetchedResultsController<Dog>) -> [String] {
    controller.fetchedObjects.map(\.name)
  }

  @Test(arguments: Stack.allTypes, [true, false])
  func `an object changed before the fetch leaves`(
    type: PersistentStore.StoreType, isSaved: Bool
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Alice")
    dog.name = "Ada"
    let controller = try Self.controller(stack.context)
    #expect(names(controller) == ["Ada"])
    dog.name = "Bob"
    if isSaved { try stack.context.save() } else { stack.context.processPendingChanges() }
    #expect(names(controller) == [])
  }

  @Test(arguments: Stack.allTypes)
  func `an object made, fetched and deleted in one event leaves`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try Dog.findOrCreate(named: "Alice", in: stack.context)
    let controller = try Self.controller(stack.context)
    var reports: [[FetchedResultsChange]] = []
    controller.onChange = { reports.append($0) }
    #expect(names(controller) == ["Alice"])
    stack.context.delete(dog)
    stack.context.processPendingChanges()
    #expect(names(controller) == [])
    #expect(reports == [[.delete(dog.objectID, at: .init(section: 0, item: 0))]])
    // Once more, when it is already observing.
    let second = try Dog.findOrCreate(named: "Ada", in: stack.context)
    try controller.performFetch()
    #expect(names(controller) == ["Ada"])
    stack.context.delete(second)
    try stack.context.save()
    #expect(names(controller) == [])
  }

  @Test(arguments: Stack.allTypes, [true, false])
  func `undo and redo are observed`(type: PersistentStore.StoreType, isSaved: Bool) throws {
    let stack = try Stack.undoable(type)
    let dog = try stack.dog("Alice")
    stack.context.undoManager?.removeAllActions()
    let controller = try Self.controller(stack.context)
    func end() throws {
      if isSaved { try stack.context.save() } else { stack.context.processPendingChanges() }
    }
    stack.context.delete(dog)
    try end()
    #expect(names(controller) == [])
    for _ in 0..<2 {
      stack.context.undo()
      try end()
      #expect(names(controller) == ["Alice"])
      stack.context.redo()
      try end()
      #expect(names(controller) == [])
    }
    _ = try Dog.findOrCreate(named: "Ada", in: stack.context)
    try end()
    #expect(names(controller) == ["Ada"])
    stack.context.undo()
    try end()
    #expect(names(controller) == [])
    stack.context.redo()
    try end()
    #expect(names(controller) == ["Ada"])
  }

  @Test(arguments: Stack.allTypes)
  func `an object that is merged into another leaves`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let other = Stack(sharing: stack)
    try other.dog("alice").name = "Alice"
    try other.context.save()
    stack.context.mergePolicy = .mergeByPropertyObjectTrump
    let controller = try Self.controller(stack.context)
    let dog = Dog(context: stack.context)
    (dog.nameKey, dog.name) = ("alice", "Ada")
    stack.context.processPendingChanges()
    #expect(names(controller) == ["Ada", "Alice"])
    try stack.context.save()
    #expect(names(controller) == ["Ada"] && controller.fetchedObjects[0] !== dog)
  }

  @Test(arguments: Stack.allTypes)
  func `a merged deletion is observed`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Alice")
    let other = stack.anotherContext()
    other.automaticallyMergesChangesFromParent = true
    let controller = try Self.controller(other)
    #expect(names(controller) == ["Alice"])
    stack.context.delete(try stack.context.dog(named: "Alice"))
    try stack.context.save()
    other.processPendingChanges()
    #expect(names(controller) == [])
  }

  @Test func `an event's changes are not lost where the store could not be read`() throws {
    let stack = try Stack()
    let dog = try stack.dog("Alice", minutes: [10])
    var request = Walk.fetchRequest()
    request.predicate = try FetchPredicate(format: "dog.name BEGINSWITH 'A'")
    let controller = FetchedResultsController(
      fetchRequest: request, managedObjectContext: stack.context)
    try controller.performFetch()
    var reports: [[FetchedResultsChange]] = []
    controller.onChange = { reports.append($0) }
    let walk = controller.fetchedObjects[0]
    _ = try stack.sqlite("ALTER TABLE ZWALK RENAME TO KEPT")
    dog.name = "Bob"
    walk.note = "sunny"
    stack.context.processPendingChanges()
    #expect(controller.lastError is PersistentStoreError)
    #expect(controller.fetchedObjects == [walk])
    _ = try stack.sqlite("ALTER TABLE KEPT RENAME TO ZWALK")
    // An event unrelated to the first one's objects.
    let other = stack.walk(minutes: 5)
    other.note = "short"
    stack.context.processPendingChanges()
    #expect(controller.lastError == nil && controller.fetchedObjects.isEmpty)
    #expect(reports == [[.delete(walk.objectID, at: .init(section: 0, item: 0))]])
  }

  // MARK: Sections

  @Test(arguments: Stack.allTypes)
  func `without names there is one section, even if it is empty`(type: PersistentStore.StoreType)
    throws
  {
    let stack = try Stack(type)
    let controller = FetchedResultsController(
      fetchRequest: Dog.fetchRequest(), managedObjectContext: stack.context)
    #expect(controller.sections.isEmpty)
    try controller.performFetch()
    #expect(controller.sections.map(\.name) == [""] && controller.sections[0].objects.isEmpty)
    #expect(controller.sections[0].indexTitle == nil && controller.fetchedObjects.isEmpty)
    var reports: [[FetchedResultsChange]] = []
    controller.onChange = { reports.append($0) }
    let dog = try Dog.findOrCreate(named: "Alice", in: stack.context)
    stack.context.processPendingChanges()
    #expect(reports == [[.insert(dog.objectID, at: .init(section: 0, item: 0))]])
    stack.context.delete(dog)
    stack.context.processPendingChanges()
    #expect(reports.last == [.delete(dog.objectID, at: .init(section: 0, item: 0))])
    #expect(controller.sections.map(\.numberOfObjects) == [0])
    let named = FetchedResultsController(
      fetchRequest: Dog.fetchRequest(), managedObjectContext: stack.context,
      sectionNameKeyPath: "name")
    try named.performFetch()
    #expect(named.sections.isEmpty)
  }

  // MARK: IDs

  @Test(arguments: Stack.allTypes)
  func `a save reports the permanent IDs of objects with temporary ones`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let controller = try Self.controller(stack.context)
    var list: [ManagedObjectID] = []
    controller.onChange = { list = Self.apply($0, to: list) }
    let ada = try Dog.findOrCreate(named: "Ada", in: stack.context)
    let alice = try Dog.findOrCreate(named: "Alice", in: stack.context)
    stack.context.processPendingChanges()
    #expect(list == [ada.objectID, alice.objectID] && ada.objectID.isTemporaryID)
    try stack.context.save()
    #expect(!ada.objectID.isTemporaryID && list == [ada.objectID, alice.objectID])
    let temporary = try Dog.findOrCreate(named: "Amy", in: stack.context)
    try stack.context.save()
    #expect(list == [ada.objectID, alice.objectID, temporary.objectID])
  }

  @Test(arguments: Stack.allTypes)
  func `so do obtaining IDs and a save of the parent`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let child = ManagedObjectContext(parent: stack.context)
    let ada = try Dog.findOrCreate(named: "Ada", in: child)
    let controller = try Self.controller(child)
    var list = controller.fetchedObjects.map(\.objectID)
    controller.onChange = { list = Self.apply($0, to: list) }
    try child.save()
    #expect(list == [ada.objectID] && ada.objectID.isTemporaryID)
    try stack.context.save()
    child.processPendingChanges()
    #expect(list == [ada.objectID] && !ada.objectID.isTemporaryID)
    let alice = Dog(context: child)
    (alice.nameKey, alice.name) = ("alice", "Alice")
    child.processPendingChanges()
    try child.obtainPermanentIDs(for: [alice])
    #expect(list == [ada.objectID, list[1]] && list[1] != alice.objectID)
    child.processPendingChanges()
    #expect(list == [ada.objectID, alice.objectID])
    child.delete(alice)
    child.processPendingChanges()
    #expect(list == [ada.objectID])
  }

  @Test(arguments: Stack.allTypes)
  func `equal objects are in the order of the obtained IDs`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dogs = ["a", "b", "c"].map { key in
      let dog = Dog(context: stack.context)
      (dog.nameKey, dog.name) = (key, "Ada")
      return dog
    }
    let controller = try Self.controller(stack.context)
    #expect(controller.fetchedObjects == dogs)
    var list = dogs.map(\.objectID)
    controller.onChange = { list = Self.apply($0, to: list) }
    try stack.context.obtainPermanentIDs(for: dogs.reversed())
    stack.context.processPendingChanges()
    #expect(controller.fetchedObjects == dogs.reversed())
    #expect(list == dogs.reversed().map(\.objectID))
  }

  @Test(arguments: Stack.allTypes)
  func `a delegate is not notified of IDs`(type: PersistentStore.StoreType) throws {
    final class Delegate: FetchedResultsControllerDelegate {
      var calls = 0
      func controllerWillChangeContent(_ controller: FetchedResultsController<Dog>) { calls += 1 }
    }
    let stack = try Stack(type)
    let controller = try Self.controller(stack.context)
    let delegate = Delegate()
    controller.delegate = delegate
    _ = try Dog.findOrCreate(named: "Ada", in: stack.context)
    stack.context.processPendingChanges()
    try stack.context.save()
    #expect(delegate.calls == 1)
  }

  /// A list of one section that is updated by the steps alone.
  private static func apply(
    _ changes: [FetchedResultsChange], to list: [ManagedObjectID]
  ) -> [ManagedObjectID] {
    var list = list
    for change in changes {
      switch change {
      case .insertSection, .deleteSection: Issue.record("There is one section.")
      case .insert(let id, let place): list.insert(id, at: place.item)
      case .delete(let id, let place): #expect(list.remove(at: place.item) == id)
      case .move(let id, let from, let to):
        #expect(list.remove(at: from.item) == id)
        list.insert(id, at: to.item)
      case .update(let id, let place): #expect(list[place.item] == id)
      case .obtainPermanentID(let id, let temporary, let place):
        #expect(list[place.item] == temporary && temporary.isTemporaryID)
        list[place.item] = id
      }
    }
    return list
  }
}

import DogWalkModel
import ManagedObjects
import Testing

/// What an event reports, even to observers added in its middle, and however it came about.
@Suite struct EventTests {
  /// The dogs of one event by what happened to them, by name.
  private final class Heard {
    private var events: [ObjectChanges] = []
    private var observation: ContextObservation?

    func listen(to context: ManagedObjectContext) {
      observation = context.observe(.objectsDidChange) { [unowned self] in events.append($0) }
    }

    /// What was reported since the last call.
    func told() -> [String] {
      defer { events = [] }
      return events.flatMap { event in
        [
          ("inserted", event.inserted), ("updated", event.updated), ("deleted", event.deleted),
          ("refreshed", event.refreshed),
        ].flatMap { word, objects in
          objects.compactMap { $0 as? Dog }.map { "\(word) \($0.name)" }.sorted()
        }
      }
    }
  }

  // MARK: Added late

  @Test(arguments: Stack.allTypes)
  func `an observer receives changes made before it was added`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let (fido, rex) = (try stack.dog("Fido"), try stack.dog("Rex"))
    let heard = Heard()
    fido.targetMinutes = 1
    stack.context.delete(rex)
    _ = try Dog.findOrCreate(named: "Bello", in: stack.context)
    stack.context.delete(try Dog.findOrCreate(named: "Nobody", in: stack.context))
    heard.listen(to: stack.context)
    fido.targetMinutes = 2
    stack.context.processPendingChanges()
    #expect(heard.told() == ["inserted Bello", "updated Fido", "deleted Rex"])
    fido.targetMinutes = 3
    try stack.context.save()
    #expect(heard.told() == ["updated Fido"])
  }

  @Test(arguments: Stack.allTypes)
  func `an observer receives nothing of past events`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let context = stack.context
    let dogs = try ["A", "B", "C", "D", "E"].map { try stack.dog($0) }
    let heard = Heard()
    (dogs[0].targetMinutes, dogs[1].targetMinutes) = (1, 1)
    context.delete(dogs[2])
    _ = try Dog.findOrCreate(named: "Old", in: context)
    context.processPendingChanges()
    dogs[0].targetMinutes = 2
    context.delete(dogs[3])
    let new = try Dog.findOrCreate(named: "New", in: context)
    new.targetMinutes = 1
    heard.listen(to: context)
    dogs[4].targetMinutes = 2
    context.processPendingChanges()
    #expect(heard.told() == ["inserted New", "updated A", "updated E", "deleted D"])
  }

  @Test(arguments: Stack.allTypes)
  func `an observer that replaces another misses nothing`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido")
    var first: Heard? = Heard()
    first?.listen(to: stack.context)
    fido.targetMinutes = 1
    first = nil
    let second = Heard()
    second.listen(to: stack.context)
    fido.targetMinutes = 2
    stack.context.processPendingChanges()
    #expect(second.told() == ["updated Fido"])
  }

  @Test(arguments: Stack.allTypes)
  func `a stream of IDs begins with the whole event`(
    type: PersistentStore.StoreType
  ) async throws {
    let stack = try Stack(type)
    let (fido, rex) = (try stack.dog("Fido"), try stack.dog("Rex"))
    fido.targetMinutes = 1
    stack.context.delete(rex)
    let stream = stack.context.objectIDs(of: .objectsDidChange)
    stack.context.processPendingChanges()
    var changes = stream.makeAsyncIterator()
    let event = await changes.next(isolation: nil)
    #expect(event?.updated == [fido.objectID] && event?.deleted == [rex.objectID])
  }

  // MARK: Inserted and deleted

  @Test(arguments: Stack.allTypes, [true, false])
  func `undo and redo report inserted and deleted objects`(
    type: PersistentStore.StoreType, isSaved: Bool
  ) throws {
    let stack = try Stack.undoable(type)
    let context = stack.context
    let fido = try stack.dog("Fido")
    context.undoManager?.removeAllActions()
    let heard = Heard()
    heard.listen(to: context)
    func end() throws -> [String] {
      if isSaved { try context.save() } else { context.processPendingChanges() }
      return heard.told()
    }
    context.delete(fido)
    #expect(try end() == ["deleted Fido"])
    context.undo()
    #expect(try end() == ["inserted Fido"])
    context.redo()
    #expect(try end() == ["deleted Fido"])
    context.undo()
    #expect(try end() == ["inserted Fido"])
    _ = try Dog.findOrCreate(named: "Rex", in: context)
    #expect(try end() == ["inserted Rex"])
    context.undo()
    #expect(try end() == ["deleted Rex"])
    context.redo()
    #expect(try end() == ["inserted Rex"])
  }

  @Test(arguments: Stack.allTypes)
  func `an object restored within its event does not count as deleted`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack.undoable(type)
    let fido = try stack.dog("Fido")
    stack.context.undoManager?.removeAllActions()
    let heard = Heard()
    heard.listen(to: stack.context)
    stack.context.delete(fido)
    stack.context.undo()
    stack.context.processPendingChanges()
    #expect(heard.told() == ["updated Fido"])
    stack.context.delete(fido)
    try stack.context.refresh(fido, mergeChanges: false)
    #expect(heard.told() == ["updated Fido"])
    stack.context.delete(fido)
    stack.context.processPendingChanges()
    _ = heard.told()
    try stack.context.refresh(fido, mergeChanges: false)
    #expect(heard.told() == ["inserted Fido"])
  }

  @Test(arguments: Stack.allTypes)
  func `an object that a merge policy merges into another is deleted`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    try Stack(sharing: stack).dog("fido")
    stack.context.mergePolicy = .mergeByPropertyObjectTrump
    let heard = Heard()
    heard.listen(to: stack.context)
    let dog = Dog(context: stack.context)
    (dog.nameKey, dog.name) = ("fido", "FIDO")
    try stack.context.save()
    #expect(heard.told() == ["inserted FIDO", "updated FIDO", "deleted FIDO"])
  }

  @Test(arguments: Stack.allTypes)
  func `a fault whose row is gone is deleted`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido")
    let context = stack.anotherContext()
    let fault = try #require(context.object(with: fido.objectID) as? Dog)
    stack.context.delete(fido)
    try stack.context.save()
    var deleted: [ManagedObject] = []
    let observation = context.observe(.objectsDidChange) { deleted += $0.deleted }
    defer { observation.cancel() }
    #expect(fault.name.isEmpty)
    context.processPendingChanges()
    #expect(deleted == [fault])
  }

  @Test(arguments: Stack.allTypes)
  func `an event's changed values are available late`(type: PersistentStore.StoreType) throws {
    let stack = try Stack.undoable(type)
    let fido = try stack.dog("Fido")
    stack.context.delete(fido)
    stack.context.processPendingChanges()
    stack.context.undo()
    fido.targetMinutes = 1
    #expect(fido.changedValuesForCurrentEvent().keys.sorted() == ["targetMinutes"])
    stack.context.processPendingChanges()
    stack.context.delete(fido)
    stack.context.undo()
    #expect(fido.changedValuesForCurrentEvent().isEmpty)
  }
}

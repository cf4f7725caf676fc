import DogWalkModel
import ManagedObjects
import Testing

/// Merging IDs that occur twice, under several keys, or without an object.
@Suite struct MergedIDsTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "List", properties: [.toMany("tracks", "Track", back: "list", isOrdered: true)]),
    EntityDescription(
      name: "Track",
      properties: [.toOne("list", "List", back: "tracks"), .toMany("notes", "Note", back: "track")]),
    EntityDescription(
      name: "Note", properties: [.value("text", .string), .toOne("track", "Track", back: "notes")]),
  ])

  @Test(arguments: Stack.allTypes)
  func `a member that is moved and given another is merged once`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let list = ManagedObject("List", in: stack.context)
    let tracks = list.mutableOrderedSetValue(forKey: "tracks")
    for _ in 0..<3 { tracks.add(ManagedObject("Track", in: stack.context)) }
    try stack.context.save()
    let other = stack.anotherContext()
    other.automaticallyMergesChangesFromParent = true
    let same = other.object(with: list.objectID).mutableOrderedSetValue(forKey: "tracks")
    let ids = same.map(\.objectID)
    let read = same.map { $0.value(forKey: "list") as? ManagedObject }
    #expect(ids.count == 3 && read.count == 3)

    tracks.setArray(tracks.reversed())
    let note = ManagedObject("Note", in: stack.context)
    tracks[0].mutableSetValue(forKey: "notes").add(note)
    try stack.context.save()
    other.processPendingChanges()
    #expect(same.map(\.objectID) == ids.reversed())
    #expect(
      same[0].objectIDs(forRelationshipNamed: "notes") == [note.objectID])
  }

  @Test(arguments: Stack.allTypes)
  func `an ID under several keys is merged as it is stored`(type: PersistentStore.StoreType) throws
  {
    let stack = try Stack(type)
    let (fido, rex) = (try stack.dog("Fido"), try stack.dog("Rex"))
    let context = stack.anotherContext()
    let dogs = try context.fetch(Dog.fetchRequest())
    let (otherFido, otherRex) = (dogs[0], dogs[1])
    fido.targetMinutes = 30
    stack.context.delete(rex)
    try stack.context.save()
    let (stays, goes) = (fido.objectID, otherRex.objectID)
    var changes = ChangedObjectIDs(
      inserted: [stays, goes, stays], updated: [stays, goes], deleted: [stays, goes],
      refreshed: [stays, stays, goes])
    try context.mergeChanges(from: changes)
    #expect(otherFido.targetMinutes == 30 && !otherFido.isDeleted)
    #expect(otherRex.isDeleted)
    changes.deleted = []
    try context.mergeChanges(from: changes)
    #expect(context.deletedObjects == [otherRex])
  }

  @Test(arguments: Stack.allTypes)
  func `IDs without a row and of other stores change nothing`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10])
    #expect(fido.minutes == [10])
    let elsewhere = try Stack(.inMemory).dog("Rex").objectID
    let unknown = try #require(
      stack.container.persistentStoreCoordinator.managedObjectID(
        entityName: "Dog", primaryKey: 999,
        in: stack.container.persistentStoreCoordinator.persistentStores[0]))
    let temporary = stack.walk(minutes: 1, in: stack.anotherContext()).objectID
    let ids = [elsewhere, unknown, temporary]
    let observation = stack.context.observe(.objectsDidChange) { _ in
      Issue.record("Nothing has changed.")
    }
    defer { observation.cancel() }
    try stack.context.mergeChanges(
      from: ChangedObjectIDs(inserted: ids, updated: ids, deleted: ids, refreshed: ids))
    try stack.context.mergeChanges(from: ChangedObjectIDs(deleted: ids))
    #expect(!stack.context.hasChanges)
    for id in ids { #expect(stack.context.registeredObject(for: id) == nil) }
  }

  @Test(arguments: Stack.allTypes)
  func `an object of another store or context is not found`(type: PersistentStore.StoreType) throws
  {
    let stack = try Stack(type)
    try stack.dog("Fido")
    let elsewhere = try Stack(.inMemory).dog("Rex").objectID
    let temporary = stack.walk(minutes: 1, in: stack.anotherContext()).objectID
    for id in [elsewhere, temporary] {
      #expect {
        try stack.context.existingObject(with: id)
      } throws: { error in
        guard case PersistentStoreError.objectNotFound(let missing) = error else { return false }
        return missing == id
      }
    }
  }

  @Test(arguments: Stack.allTypes)
  func `an object restored between two merges is present`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10, 20])
    stack.context.undoManager = ContextUndoManager()
    let other = Stack(sharing: stack)
    other.context.automaticallyMergesChangesFromParent = true
    let otherDog = try #require(try other.context.fetch(Dog.fetchRequest()).first)
    #expect(otherDog.minutes == [10, 20])
    stack.context.delete(dog.walks[0])
    try stack.context.save()
    stack.context.undo()
    try stack.context.save()
    #expect(dog.minutes == [10, 20])
    other.context.processPendingChanges()
    #expect(otherDog.minutes == [10, 20])
  }
}

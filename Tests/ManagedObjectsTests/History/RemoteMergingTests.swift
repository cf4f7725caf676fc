import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Other processes' saves, in contexts that merge automatically.
@Suite struct RemoteMergingTests {
  private let folder: StoreFolder
  private let container: PersistentContainer
  private let other: PersistentContainer
  private let context: ManagedObjectContext

  init() throws {
    folder = try StoreFolder()
    container = try folder.open { $0.tracksPersistentHistory = true }
    other = try folder.open { $0.tracksPersistentHistory = true }
    context = container.newBackgroundContext()
    context.automaticallyMergesChangesFromParent = true
  }

  /// Has another process save something.
  private func elsewhere(_ body: (ManagedObjectContext) throws -> Void) throws {
    let context = other.newBackgroundContext()
    try body(context)
    try context.save()
  }

  @Test func `a fetch updates registered objects to others' saves`() throws {
    let dog = try Dog.findOrCreate(named: "Fido", in: context)
    for minutes in [5, 10] { dog.addToWalks(Walk(minutes: minutes, in: context)) }
    try context.save()
    try elsewhere { other in
      let dog = try other.dog(named: "Fido")
      dog.targetMinutes = 70
      other.delete(dog.walks[0])
      dog.addToWalks(Walk(minutes: 20, in: other))
    }
    #expect(dog.targetMinutes != 70 && dog.minutes == [5, 10])
    _ = try context.fetch(Dog.fetchRequest())
    #expect(dog.targetMinutes == 70 && dog.minutes == [10, 20])
    // Only objects that others deleted are deleted here, too, until the next save.
    #expect(context.updatedObjects.isEmpty && context.insertedObjects.isEmpty)
    try context.save()
    #expect(!context.hasChanges)
  }

  @Test func `local changes are kept, and the rest is merged`() throws {
    let dog = try Dog.findOrCreate(named: "Fido", in: context)
    let walk = Walk(minutes: 5, in: context)
    dog.addToWalks(walk)
    try context.save()
    walk.note = "mine"
    try elsewhere { other in
      let walk = try other.dog(named: "Fido").walks[0]
      (walk.note, walk.duration) = ("theirs", 600)
    }
    try context.save()
    #expect(walk.note == "mine" && walk.duration == 600)
  }

  @Test func `observers are notified at the end of the program's event`() throws {
    let dog = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    var refreshed: [ManagedObject] = []
    let observation = context.observe(.objectsDidChange) { refreshed += $0.refreshed }
    try elsewhere { try $0.dog(named: "Fido").targetMinutes = 70 }
    context.processPendingChanges()
    #expect(refreshed.map(\.objectID) == [dog.objectID] && dog.targetMinutes == 70)
    withExtendedLifetime(observation) {}
  }

  @Test func `a deletion reported late does not remove an object that was restored`() throws {
    let dog = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    // It keeps its local changes where others have deleted it.
    let keeping = container.newBackgroundContext()
    keeping.mergePolicy = .mergeByPropertyObjectTrump
    let kept = try keeping.dog(named: "Fido")
    kept.targetMinutes = 70
    dog.maximumGap = 60
    try elsewhere { other in other.delete(try other.dog(named: "Fido")) }
    try keeping.save()
    try keeping.mergeChanges(from: ChangedObjectIDs(deleted: [kept.objectID]))
    #expect(!kept.isDeleted && kept.targetMinutes == 70)
    context.mergePolicy = .mergeByPropertyObjectTrump
    try context.save()
    #expect(!dog.isDeleted && dog.targetMinutes == 70)
    let stored = try other.newBackgroundContext().dog(named: "Fido")
    #expect(stored.targetMinutes == 70 && stored.maximumGap == 60)
  }

  @Test func `others' changes to an object before its deletion here are discarded`() throws {
    let dog = try Dog.findOrCreate(named: "Fido", in: context)
    for minutes in [5, 10] { dog.addToWalks(Walk(minutes: minutes, in: context)) }
    try context.save()
    // The list stays, and its member is no longer read.
    try context.refresh(dog.walks[0], mergeChanges: false)
    try elsewhere { try $0.dog(named: "Fido").walks[0].note = "theirs" }
    let near = container.newBackgroundContext()
    near.delete(try near.dog(named: "Fido").walks[0])
    try near.save()
    _ = try context.fetch(Dog.fetchRequest())
    #expect(dog.minutes == [10])
  }

  @Test func `a child merges them through its parent`() throws {
    let dog = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    let child = ManagedObjectContext(parent: context)
    child.automaticallyMergesChangesFromParent = true
    let childDog = try child.dog(named: "Fido")
    try elsewhere { try $0.dog(named: "Fido").targetMinutes = 70 }
    _ = try child.fetch(Dog.fetchRequest())
    #expect(dog.targetMinutes == 70 && childDog.targetMinutes == 70)
  }

  @Test func `while a state is pinned nothing is merged`() throws {
    let dog = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    try context.performReading {
      _ = try context.fetch(Dog.fetchRequest())
      try elsewhere { try $0.dog(named: "Fido").targetMinutes = 70 }
      _ = try context.fetch(Dog.fetchRequest())
      #expect(dog.targetMinutes != 70)
    }
    _ = try context.fetch(Dog.fetchRequest())
    #expect(dog.targetMinutes == 70)
  }

  @Test func `a store added later is followed, and a removed one is not`() throws {
    let late = try StoreFolder()
    let empty = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
    let context = ManagedObjectContext(persistentStoreCoordinator: empty)
    context.automaticallyMergesChangesFromParent = true
    var options = PersistentStoreOptions()
    options.tracksPersistentHistory = true
    let store = try empty.addPersistentStore(type: .sqlite, at: late.store, options: options)
    let dog = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    let other = try late.open { $0.tracksPersistentHistory = true }.newBackgroundContext()
    try other.dog(named: "Fido").targetMinutes = 70
    try other.save()
    _ = try context.fetch(Dog.fetchRequest())
    #expect(dog.targetMinutes == 70)
    try empty.remove(store)
    try empty.addPersistentStore(type: .inMemory, at: nil)
    #expect(try context.fetch(Dog.fetchRequest()).isEmpty)
  }

  @Test(arguments: Stack.allTypes.filter(\.isFile))
  func `without a history nothing names the changed objects, and nothing is merged`(
    _ type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    stack.context.automaticallyMergesChangesFromParent = true
    let dog = try stack.dog("Fido")
    let other = try stack.anotherContainer().newBackgroundContext()
    try other.dog(named: "Fido").targetMinutes = 70
    try other.save()
    _ = try stack.context.fetch(Dog.fetchRequest())
    #expect(dog.targetMinutes != 70)
    try stack.context.refresh(dog, mergeChanges: true)
    #expect(dog.targetMinutes == 70)
  }
}

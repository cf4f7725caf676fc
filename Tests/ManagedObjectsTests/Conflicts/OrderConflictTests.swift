import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Lists that several contexts rearrange, with saves that fail in between.
@Suite struct OrderConflictTests {
  @Test(arguments: Stack.allTypes)
  func `rearranging keeps what another context has appended`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10, 20, 30])
    let rival = stack.anotherContext()
    let rivalDog = try #require(try rival.fetch(Dog.fetchRequest()).first)
    let theirs = stack.walk(minutes: 40, in: rival)
    rivalDog.addToWalks(theirs)
    try rival.save()

    var walks = dog.walks
    walks.move(fromOffset: 2, toOffset: 0)
    dog.walks = walks
    dog.addToWalks(stack.walk(minutes: 50))
    try stack.context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [30, 10, 20, 40, 50])

    theirs.note = "wet"
    try rival.save()
    #expect(try stack.reread(Walk.self).compactMap(\.note) == ["wet"])
  }

  @Test(arguments: Stack.allTypes)
  func `a walk that was moved keeps its version where another context changed it`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10, 20])
    let rival = stack.anotherContext()
    try #require(try rival.fetch(Walk.fetchRequest()).last).note = "theirs"
    try rival.save()
    dog.walks = OrderedSet(dog.walks.reversed())
    try stack.context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [20, 10])
    for walk in dog.walks { walk.note = "ours" }
    #expect(throws: ConflictError.self) { try stack.context.save() }
  }

  /// A walk that was deleted elsewhere, and comes back by the merge policy, has lost its place if
  /// another one has its order key by now.
  @Test(arguments: Stack.allTypes, [[10, 20], [20, 10, 30]])
  func `a walk that a merge policy brings back shares its order key with none`(
    type: PersistentStore.StoreType, minutes: [Int]
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: minutes)
    let walk = try #require(dog.walks.first { $0.duration == 1200 })
    stack.context.mergePolicy = .mergeByPropertyObjectTrump
    walk.note = "ours"
    let rival = stack.anotherContext()
    let rivalDog = try #require(try rival.fetch(Dog.fetchRequest()).first)
    let same = try rival.existingObject(with: walk.objectID)
    rivalDog.addToWalks(stack.walk(minutes: 40, in: rival))
    rival.delete(same)
    try rival.save()
    try stack.context.save()
    #expect(try stack.reread(Dog.self)[0].walks.count == minutes.count + 1)
    #expect(try stack.reread(Walk.self).compactMap(\.note) == ["ours"])
    let coordinator = stack.container.persistentStoreCoordinator
    #expect(try coordinator.problems(in: coordinator.persistentStores[0]).isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `a failed save leaves no order behind`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let (fido, rex) = (try stack.dog("Fido", minutes: [10]), try stack.dog("Rex"))
    let walk = fido.walks[0]
    walk.dog = rex
    let twin = Dog(context: stack.context)
    twin.nameKey = "fido"
    #expect(throws: PersistentStoreError.self) { try stack.context.save() }

    // Meanwhile another context has appended a walk to the list.
    let other = Stack(sharing: stack)
    let same = try #require(try other.context.existingObject(with: rex.objectID) as? Dog)
    same.addToWalks(other.walk(minutes: 20))
    try other.context.save()
    stack.context.delete(twin)
    try stack.context.save()
    #expect(try stack.reread(Dog.self).first { $0.nameKey == "rex" }?.minutes == [20, 10])
  }
}

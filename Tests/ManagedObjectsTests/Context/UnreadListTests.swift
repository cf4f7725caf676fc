import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// A to-many that has not been read.
@Suite struct UnreadListTests {
  @Test(arguments: Stack.allTypes)
  func `adding to it reads no member`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let id = try stack.dog("Fido", minutes: [10, 20, 30]).objectID
    let other = stack.anotherContext()
    let dog = try #require(other.object(with: id) as? Dog)
    let walk = stack.walk(minutes: 40, in: other)
    dog.addToWalks(walk)
    #expect(other.registeredObjects == [dog, walk])
    try other.save()
    #expect(other.registeredObjects == [dog, walk])
    #expect(dog.minutes == [10, 20, 30, 40])
  }

  @Test(arguments: Stack.allTypes)
  func `adding to it leaves its owner's row unchanged`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido")
    let contexts = [stack.anotherContext(), stack.anotherContext()]
    for (minutes, context) in zip([10, 20], contexts) {
      let dog = try #require(context.object(with: fido.objectID) as? Dog)
      dog.addToWalks(stack.walk(minutes: minutes, in: context))
    }
    for context in contexts { try context.save() }
    #expect(try stack.reread(Dog.self)[0].minutes == [10, 20])
  }

  @Test(arguments: Stack.allTypes)
  func `reading it includes members added before`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10, 20])
    let other = stack.anotherContext()
    let dog = try #require(try other.fetch(Dog.fetchRequest()).first)
    dog.addToWalks(stack.walk(minutes: 30, in: other))
    #expect(dog.minutes == [10, 20, 30])
    dog.addToWalks(stack.walk(minutes: 40, in: other))
    #expect(dog.minutes == [10, 20, 30, 40])
  }

  @Test(arguments: Stack.allTypes)
  func `an added member is removed again`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10])
    let other = stack.anotherContext()
    let dog = try #require(try other.fetch(Dog.fetchRequest()).first)
    let walk = stack.walk(minutes: 20, in: other)
    dog.addToWalks(walk)
    dog.removeFromWalks(walk)
    other.delete(walk)
    #expect(dog.minutes == [10])
    try other.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [10])
  }

  @Test(arguments: Stack.allTypes)
  func `it omits members to be deleted`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10, 20, 30])
    let other = stack.anotherContext()
    let walks = try other.fetch(Walk.fetchRequest())
    other.delete(walks[1])
    #expect(walks[0].dog?.minutes == [10, 30])
    other.rollback()
    #expect(walks[0].dog?.minutes == [10, 20, 30])
  }

  @Test(arguments: Stack.allTypes)
  func `a changed member keeps its index`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10, 20, 30])
    let other = stack.anotherContext()
    let walks = try other.fetch(Walk.fetchRequest())
    walks[0].duration = 15 * 60
    #expect(walks[1].dog?.minutes == [15, 20, 30])
    try other.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [15, 20, 30])
  }

  @Test(arguments: Stack.allTypes)
  func `members added elsewhere are kept when it is rearranged`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10, 20, 30])
    #expect(dog.minutes == [10, 20, 30])
    let other = stack.anotherContext()
    try other.fetch(Dog.fetchRequest())[0].addToWalks(stack.walk(minutes: 40, in: other))
    try other.save()
    dog.walks = OrderedSet(dog.walks.reversed())
    try stack.context.save()
    // The walk that the other context appended stays at the end.
    #expect(try stack.reread(Dog.self)[0].minutes == [30, 20, 10, 40])
  }
}

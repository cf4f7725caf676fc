import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Members that move from one ordered list to another.
@Suite struct ListOwnershipTests {
  @Test(arguments: Stack.allTypes)
  func `a member added elsewhere leaves its list`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10, 20, 30])
    let rex = try stack.dog("Rex", minutes: [40])
    rex.addToWalks(fido.walks[1])
    #expect(fido.minutes == [10, 30])
    #expect(rex.minutes == [40, 20])
    try stack.context.save()
    #expect(try stack.reread(Dog.self).map(\.minutes) == [[10, 30], [40, 20]])
  }

  @Test(arguments: Stack.allTypes)
  func `a member is inserted into another list at an index`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10, 20, 30])
    let rex = try stack.dog("Rex", minutes: [40, 50])
    rex.insertIntoWalks(fido.walks[0], at: 1)
    try stack.context.save()
    #expect(fido.minutes == [20, 30])
    #expect(try stack.reread(Dog.self).map(\.minutes) == [[20, 30], [40, 10, 50]])
  }

  @Test(arguments: Stack.allTypes)
  func `lists are exchanged by assignment`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10, 20])
    let rex = try stack.dog("Rex", minutes: [30, 40])
    let (one, two) = (fido.walks, rex.walks)
    fido.walks = two
    rex.walks = one
    try stack.context.save()
    #expect(try stack.reread(Dog.self).map(\.minutes) == [[30, 40], [10, 20]])
  }

  @Test(arguments: Stack.allTypes)
  func `a member replaces one in another list`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10, 20])
    let rex = try stack.dog("Rex", minutes: [30, 40])
    let replaced = rex.walks[0]
    rex.replaceWalks(at: 0, with: fido.walks[1])
    stack.context.delete(replaced)
    try stack.context.save()
    #expect(try stack.reread(Dog.self).map(\.minutes) == [[10], [20, 40]])
  }

  @Test(arguments: Stack.allTypes)
  func `a member that returns from another owner is at the end`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10, 20])
    let rex = try stack.dog("Rex")
    let walk = fido.walks[0]
    walk.dog = rex
    walk.dog = fido
    #expect(fido.minutes == [20, 10])
    try stack.context.save()
    #expect(try stack.reread(Dog.self).map(\.minutes) == [[20, 10], []])
  }

  @Test(arguments: Stack.allTypes)
  func `members leave an owner that was not read`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10, 20, 30])
    try stack.dog("Rex")
    let other = stack.anotherContext()
    let walks = try other.fetch(Walk.fetchRequest())
    let rex = try #require(try other.fetch(Dog.fetchRequest()).last)
    walks[1].dog = rex
    let fido = try #require(walks[0].dog)
    #expect(fido.minutes == [10, 30])
    #expect(rex.minutes == [20])
    try other.save()
    #expect(try stack.reread(Dog.self).map(\.minutes) == [[10, 30], [20]])
  }

  @Test(arguments: Stack.allTypes)
  func `a member that left an unread list returns to its end`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10, 20, 30])
    let other = stack.anotherContext()
    let walk = try #require(try other.fetch(Walk.fetchRequest()).first)
    let fido = try #require(walk.dog)
    walk.dog = nil
    fido.addToWalks(walk)
    #expect(fido.minutes == [20, 30, 10])
    try other.save()
    #expect(fido.minutes == [20, 30, 10])
    #expect(try stack.reread(Dog.self).map(\.minutes) == [[20, 30, 10]])
  }

  @Test(arguments: Stack.allTypes)
  func `reading a list that a member has left can be rolled back`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10, 20, 30])
    let other = stack.anotherContext()
    let walk = try #require(try other.fetch(Walk.fetchRequest()).first)
    let fido = try #require(walk.dog)
    walk.dog = nil
    #expect(fido.minutes == [20, 30])
    other.rollback()
    #expect(fido.minutes == [10, 20, 30])
  }
}

import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Every accessor that momc writes for an ordered to-many, on a list of 10, 20, 30 and 40 minutes.
@Suite struct OrderedToManyTests {
  /// A change of Fido's walks, and the minutes expected afterwards.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let minutes: [Int]
    let make: @Sendable (Dog, Stack) throws -> Void

    init(
      _ name: String, leaves minutes: [Int], _ make: @escaping @Sendable (Dog, Stack) throws -> Void
    ) {
      testDescription = name
      self.minutes = minutes
      self.make = make
    }
  }

  static let additions: [Change] = [
    Change("adding one", leaves: [10, 20, 30, 40, 50]) { dog, stack in
      dog.addToWalks(stack.walk(minutes: 50))
    },
    Change("adding one by its to-one", leaves: [10, 20, 30, 40, 50]) { dog, stack in
      stack.walk(minutes: 50).dog = dog
    },
    Change("adding several", leaves: [10, 20, 30, 40, 60, 50]) { dog, stack in
      dog.addToWalks([stack.walk(minutes: 60), stack.walk(minutes: 50)])
    },
    Change("adding members", leaves: [10, 20, 30, 40]) { dog, _ in
      dog.addToWalks(dog.walks[1])
      dog.addToWalks(OrderedSet([dog.walks[2], dog.walks[0]]))
    },
    Change("adding one and then its to-one again", leaves: [10, 20, 30, 40, 50]) { dog, stack in
      let walk = stack.walk(minutes: 50)
      dog.addToWalks(walk)
      walk.dog = dog
      dog.addToWalks(walk)
    },
    Change("inserting at the start", leaves: [50, 10, 20, 30, 40]) { dog, stack in
      dog.insertIntoWalks(stack.walk(minutes: 50), at: 0)
    },
    Change("inserting between", leaves: [10, 20, 50, 30, 40]) { dog, stack in
      dog.insertIntoWalks(stack.walk(minutes: 50), at: 2)
    },
    Change("inserting at the end", leaves: [10, 20, 30, 40, 50]) { dog, stack in
      dog.insertIntoWalks(stack.walk(minutes: 50), at: 4)
    },
    Change("inserting a member", leaves: [10, 20, 30, 40]) { dog, _ in
      dog.insertIntoWalks(dog.walks[3], at: 0)
    },
    Change("inserting at the start twice", leaves: [60, 50, 10, 20, 30, 40]) { dog, stack in
      dog.insertIntoWalks(stack.walk(minutes: 50), at: 0)
      dog.insertIntoWalks(stack.walk(minutes: 60), at: 0)
    },
    Change("inserting several", leaves: [50, 10, 20, 60, 70, 30, 40]) { dog, stack in
      let walks = [50, 60, 70].map { stack.walk(minutes: $0) }
      dog.insertIntoWalks(walks, at: RangeSet([0..<1, 3..<5]))
    },
  ]

  static let removals: [Change] = [
    Change("removing at the start", leaves: [20, 30, 40]) { dog, _ in dog.removeFromWalks(at: 0) },
    Change("removing between", leaves: [10, 20, 40]) { dog, _ in dog.removeFromWalks(at: 2) },
    Change("removing at the end", leaves: [10, 20, 30]) { dog, _ in dog.removeFromWalks(at: 3) },
    Change("removing one", leaves: [10, 30, 40]) { dog, _ in dog.removeFromWalks(dog.walks[1]) },
    Change("removing one by its to-one", leaves: [10, 30, 40]) { dog, _ in dog.walks[1].dog = nil },
    Change("removing several", leaves: [20, 40]) { dog, _ in
      dog.removeFromWalks(OrderedSet([dog.walks[2], dog.walks[0]]))
    },
    Change("removing at places", leaves: [20]) { dog, _ in
      dog.removeFromWalks(at: RangeSet([0..<1, 2..<4]))
    },
    Change("removing one that is no member", leaves: [10, 20, 30, 40]) { dog, stack in
      let other = try Dog.findOrCreate(named: "Rex", in: stack.context)
      let walk = stack.walk(minutes: 50)
      other.addToWalks(walk)
      dog.removeFromWalks(walk)
      #expect(walk.dog === other)
    },
    Change("removing one after the other", leaves: []) { dog, _ in
      while !dog.walks.isEmpty { dog.removeFromWalks(at: dog.walks.count / 2) }
    },
    Change("removing and adding at the end", leaves: [10, 30, 40, 20]) { dog, _ in
      let walk = dog.walks[1]
      dog.removeFromWalks(walk)
      dog.addToWalks(walk)
    },
    Change("removing the last and adding it again", leaves: [10, 20, 30, 40]) { dog, _ in
      let walk = dog.walks[3]
      dog.removeFromWalks(walk)
      dog.addToWalks(walk)
    },
  ]

  static let replacements: [Change] = [
    Change("replacing one", leaves: [10, 50, 30, 40]) { dog, stack in
      dog.replaceWalks(at: 1, with: stack.walk(minutes: 50))
    },
    Change("replacing one with itself", leaves: [10, 20, 30, 40]) { dog, _ in
      dog.replaceWalks(at: 1, with: dog.walks[1])
    },
    Change("replacing one with another member", leaves: [10, 40, 30]) { dog, _ in
      dog.replaceWalks(at: 1, with: dog.walks[3])
    },
    Change("replacing several", leaves: [50, 20, 60, 70]) { dog, stack in
      let walks = [50, 60, 70].map { stack.walk(minutes: $0) }
      dog.replaceWalks(at: RangeSet([0..<1, 2..<4]), with: walks)
    },
    Change("exchanging two", leaves: [40, 20, 30, 10]) { dog, _ in
      dog.replaceWalks(at: RangeSet([0..<1, 3..<4]), with: [dog.walks[3], dog.walks[0]])
    },
    Change("assigning another order", leaves: [40, 30, 20, 10]) { dog, _ in
      dog.walks = OrderedSet(dog.walks.reversed())
    },
    Change("assigning the same", leaves: [10, 20, 30, 40]) { dog, _ in
      let walks = dog.walks
      dog.walks = walks
    },
    Change("assigning none", leaves: []) { dog, _ in dog.walks = [] },
    Change("assigning some and others", leaves: [60, 30, 50, 10]) { dog, stack in
      dog.walks = [
        stack.walk(minutes: 60), dog.walks[2], stack.walk(minutes: 50), dog.walks[0],
      ]
    },
    Change("moving one in a copy", leaves: [20, 30, 10, 40]) { dog, _ in
      var walks = dog.walks
      walks.move(fromOffset: 0, toOffset: 2)
      dog.walks = walks
    },
  ]

  static let changes = additions + removals + replacements

  /// Deletes the walks that a change has left without a dog, which the model forbids.
  private func saveWithoutOrphans(_ context: ManagedObjectContext) throws {
    for walk in try context.fetch(Walk.fetchRequest()) where walk.dog == nil {
      context.delete(walk)
    }
    try context.save()
  }

  @Test(arguments: changes, Stack.allTypes)
  func `a change is visible at once, on both sides`(
    change: Change, type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10, 20, 30, 40])
    let before = dog.walks.array
    try change.make(dog, stack)
    #expect(dog.minutes == change.minutes)
    #expect(dog.walks.allSatisfy { $0.dog === dog })
    #expect(before.allSatisfy { $0.dog === (dog.walks.contains($0) ? dog : nil) })
  }

  @Test(arguments: changes, Stack.allTypes)
  func `a change is saved`(change: Change, type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10, 20, 30, 40])
    try change.make(dog, stack)
    try saveWithoutOrphans(stack.context)
    #expect(dog.minutes == change.minutes)
    let reread = try stack.reread(Dog.self)
    #expect(reread.first { $0.name == "Fido" }?.minutes == change.minutes)
  }

  @Test(arguments: changes, Stack.allTypes)
  func `a change of an unread list is saved`(
    change: Change, type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10, 20, 30, 40])
    let other = Stack(sharing: stack)
    let dog = try #require(try other.context.fetch(Dog.fetchRequest()).first)
    try change.make(dog, other)
    try saveWithoutOrphans(other.context)
    #expect(dog.minutes == change.minutes)
    let reread = try stack.reread(Dog.self)
    #expect(reread.first { $0.name == "Fido" }?.minutes == change.minutes)
  }

  @Test(arguments: changes, Stack.allTypes)
  func `a change is rolled back`(change: Change, type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10, 20, 30, 40])
    let before = dog.walks
    try change.make(dog, stack)
    stack.context.rollback()
    #expect(dog.walks == before)
    #expect(before.allSatisfy { $0.dog === dog })
    #expect(!stack.context.hasChanges)
  }

  @Test(arguments: changes, Stack.allTypes)
  func `a change of an unread list is rolled back`(
    change: Change, type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10, 20, 30, 40])
    let other = Stack(sharing: stack)
    let dog = try #require(try other.context.fetch(Dog.fetchRequest()).first)
    try change.make(dog, other)
    other.context.rollback()
    #expect(dog.minutes == [10, 20, 30, 40])
    #expect(dog.walks.allSatisfy { $0.dog === dog })
    #expect(!other.context.hasChanges)
  }

  @Test(arguments: changes, Stack.allTypes)
  func `a second change may follow a saved one`(
    change: Change, type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10, 20, 30, 40])
    try change.make(dog, stack)
    try saveWithoutOrphans(stack.context)
    dog.addToWalks(stack.walk(minutes: 90))
    dog.insertIntoWalks(stack.walk(minutes: 80), at: 0)
    try stack.context.save()
    let reread = try stack.reread(Dog.self)
    #expect(reread.first { $0.name == "Fido" }?.minutes == [80] + change.minutes + [90])
  }
}

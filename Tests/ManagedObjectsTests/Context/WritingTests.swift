import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Searching and saving with no other write in between.
@Suite struct WritingTests {
  /// Adds a walk of so many minutes, unless the dog has one.
  private func addMissing(minutes: Int, in context: ManagedObjectContext) throws {
    try context.performWriting {
      let dog = try Dog.findOrCreate(named: "Fido", in: context)
      try context.refresh(dog, mergeChanges: true)
      guard !dog.minutes.contains(minutes) else { return }
      dog.addToWalks(Walk(minutes: minutes, in: context))
      try context.save()
    }
  }

  @Test(arguments: Stack.allTypes)
  func `what was found missing is still missing when it is saved`(
    type: PersistentStore.StoreType
  ) async throws {
    let stack = try Stack(type)
    try stack.dog("Fido")
    let container = stack.container
    let count = 8
    // With files, each writer has a connection of its own, as a process does.
    let containers = try (0..<count).map { _ in
      type.isFile ? try stack.anotherContainer() : container
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for container in containers {
        group.addTask {
          let context = container.newBackgroundContext()
          for minutes in 1...20 {
            try self.addMissing(minutes: minutes, in: context)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try stack.reread(Dog.self)[0].minutes.sorted() == Array(1...20))
  }

  @Test func `other writers wait until the save, and no longer`() throws {
    let stack = try Stack()
    let dog = try stack.dog("Fido", minutes: [10])
    var options = PersistentStoreOptions()
    options.busyTimeout = 0
    let container = try PersistentContainer(
      name: "Other", model: .dogWalk, storeURL: stack.url, options: options)
    let other = container.newBackgroundContext()
    let otherDog = try Dog.findOrCreate(named: "Fido", in: other)
    otherDog.addToWalks(Walk(minutes: 30, in: other))
    try stack.context.performWriting {
      #expect(throws: PersistentStoreError.self) { try other.save() }
      // Nothing was saved here, and reading continues.
      let third = try stack.anotherContainer().newBackgroundContext()
      let count = try third.count(for: Walk.fetchRequest())
      #expect(count == 1)
      dog.addToWalks(stack.walk(minutes: 20))
      try stack.context.save()
      try other.save()
      // Another save inside is a transaction of its own.
      dog.addToWalks(stack.walk(minutes: 40))
      try stack.context.save()
    }
    #expect(try stack.reread(Walk.self).count == 4)
  }

  @Test(arguments: Stack.allTypes)
  func `a body that saves nothing, or throws, writes nothing and lets other writers continue`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10])
    let inside = try stack.context.performWriting {
      try stack.context.performWriting { dog.minutes }
    }
    #expect(inside == [10])
    dog.targetMinutes = 30
    #expect(throws: CancellationError.self) {
      try stack.context.performWriting { throw CancellationError() }
    }
    #expect(try stack.reread(Dog.self)[0].targetMinutes == nil)
    try stack.context.save()
    #expect(try stack.reread(Dog.self)[0].targetMinutes == 30)
  }

  @Test func `a read-only store cannot be written this way either`() throws {
    let folder = try StoreFolder()
    try folder.save("Fido", minutes: [10])
    let context = try folder.open { $0.isReadOnly = true }.newBackgroundContext()
    try context.performWriting {
      let count = try context.count(for: Walk.fetchRequest())
      #expect(count == 1)
      try Dog.findOrCreate(named: "Fido", in: context).targetMinutes = 20
      #expect(throws: PersistentStoreError.self) { try context.save() }
    }
  }

  // MARK: What does not end it

  /// Another connection that does not wait.
  private func rival(of stack: Stack) throws -> PersistentContainer {
    var options = PersistentStoreOptions()
    options.busyTimeout = 0
    return try PersistentContainer(
      name: "Other", model: .dogWalk, storeURL: stack.url, options: options)
  }

  @Test func `obtaining permanent IDs or setting metadata keeps the lock until the save`() throws {
    let stack = try Stack()
    let dog = try stack.dog("Fido")
    let container = try rival(of: stack)
    let other = container.newBackgroundContext()
    try Dog.findOrCreate(named: "Fido", in: other).targetMinutes = 7
    func expectBusy() { #expect(throws: PersistentStoreError.self) { try other.save() } }
    try stack.context.performWriting {
      let walk = stack.walk(minutes: 20)
      try stack.context.obtainPermanentIDs(for: [walk])
      expectBusy()
      try stack.set("fido", "current")
      expectBusy()
      dog.addToWalks(walk)
      try stack.context.save()
      try other.save()
    }
    #expect(try stack.reread(Dog.self)[0].minutes == [20])
    #expect(try stack.metadata()["current"] == .string("fido"))
  }

  @Test func `a failed save keeps the lock too`() throws {
    let stack = try Stack()
    let dog = try stack.dog("Fido")
    let other = try rival(of: stack).newBackgroundContext()
    try Dog.findOrCreate(named: "Fido", in: other).targetMinutes = 7
    try stack.context.performWriting {
      try stack.set("fido", "current")
      let twin = Dog(context: stack.context)
      (twin.name, twin.nameKey) = ("Fido", "fido")
      dog.targetMinutes = 5
      #expect(throws: PersistentStoreError.self) { try stack.context.save() }
      #expect(throws: PersistentStoreError.self) { try other.save() }
      (twin.name, twin.nameKey) = ("Rex", "rex")
      try stack.context.save()
    }
    #expect(throws: ConflictError.self) { try other.save() }
    #expect(try stack.reread(Dog.self).map(\.name) == ["Fido", "Rex"])
    #expect(try stack.metadata()["current"] == .string("fido"))
  }

  @Test(arguments: Stack.allTypes, [false, true])
  func `permanent IDs and metadata are kept even if the body fails`(
    type: PersistentStore.StoreType, isThrowing: Bool
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    let walk = stack.walk(minutes: 20)
    try? stack.context.performWriting {
      try stack.context.obtainPermanentIDs(for: [walk])
      try stack.set("fido", "current")
      if isThrowing { throw CancellationError() }
    }
    #expect(try stack.metadata()["current"] == .string("fido"))
    // No other object gets the key.
    let other = stack.anotherContext()
    let another = stack.walk(minutes: 30, in: other)
    try Dog.findOrCreate(named: "Fido", in: other).addToWalks(another)
    try other.save()
    #expect(another.objectID != walk.objectID)
    dog.addToWalks(walk)
    try stack.context.save()
    #expect(try stack.reread(Walk.self).count == 2)
  }

  @Test func `a second performWriting within, after the save, begins anew`() throws {
    let stack = try Stack()
    let dog = try stack.dog("Fido")
    let other = try rival(of: stack).newBackgroundContext()
    try Dog.findOrCreate(named: "Fido", in: other).addToWalks(stack.walk(minutes: 9, in: other))
    try stack.context.performWriting {
      dog.targetMinutes = 1
      try stack.context.save()
      try stack.context.performWriting {
        _ = #expect(throws: PersistentStoreError.self) { try other.save() }
      }
      try other.save()
      let count = try stack.context.performReading {
        try stack.context.count(for: Walk.fetchRequest())
      }
      #expect(count == 1)
    }
  }
}

import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// How the merge policies resolve duplicates of values that have to be unique.
@Suite struct ConstraintConflictTests {
  private static let merging = [
    MergePolicy.MergePolicyType.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite,
  ]

  /// A stack with Fido stored, with a target of 10 minutes and a walk of 10, not yet read.
  private func stack(_ type: PersistentStore.StoreType) throws -> Stack {
    let stack = try Stack(type)
    let other = Stack(sharing: stack)
    try other.dog("fido", minutes: [10]).targetMinutes = 10
    try other.context.save()
    return stack
  }

  /// A dog made without looking for one with its name.
  private func insert(_ key: String, _ name: String, into stack: Stack) -> Dog {
    let dog = Dog(context: stack.context)
    (dog.nameKey, dog.name) = (key, name)
    return dog
  }

  @Test(arguments: Stack.allTypes)
  func `a new object is merged into the stored one`(type: PersistentStore.StoreType) throws {
    for rule in Self.merging {
      let stack = try stack(type)
      stack.context.mergePolicy = MergePolicy(rule)
      let dog = insert("fido", "FIDO", into: stack)
      dog.maximumGap = 60
      dog.addToWalks(stack.walk(minutes: 20))
      try stack.context.save()
      #expect(!stack.context.hasChanges && dog.managedObjectContext == nil)
      let stored = try stack.reread(Dog.self)
      #expect(stored.count == 1 && stored[0].primaryKey == type.firstKey)
      #expect(stored[0].minutes == [10, 20] && stored[0].maximumGap == 60)
      switch rule {
      case .mergeByPropertyStoreTrump:
        #expect(stored[0].name == "fido" && stored[0].targetMinutes == 10)
      case .mergeByPropertyObjectTrump:
        #expect(stored[0].name == "FIDO" && stored[0].targetMinutes == 10)
      default: #expect(stored[0].name == "FIDO" && stored[0].targetMinutes == nil)
      }
    }
  }

  @Test(arguments: Stack.allTypes)
  func `no write comes between reading the stored object and the save`(
    type: PersistentStore.StoreType
  ) throws {
    /// Has another thread delete the stored dog once its ID is known.
    final class Meeting: MergePolicy {
      let rival: ManagedObjectContext
      let isThrough = DispatchSemaphore(value: 0)
      var wasThroughAtOnce = false

      init(rival: ManagedObjectContext) {
        self.rival = rival
        super.init(.mergeByPropertyStoreTrump)
      }

      override func resolve(constraintConflicts: [ConstraintConflict]) throws {
        nonisolated(unsafe) let rival = rival
        Thread.detachNewThread { [isThrough] in
          for dog in (try? rival.fetch(Dog.fetchRequest())) ?? [] { rival.delete(dog) }
          // It comes too late: the dog may have been changed by then.
          try? rival.save()
          isThrough.signal()
        }
        wasThroughAtOnce = isThrough.wait(timeout: .now() + 0.2) == .success
        try super.resolve(constraintConflicts: constraintConflicts)
      }
    }
    let stack = try stack(type)
    let container = type.isFile ? try stack.anotherContainer() : stack.container
    let policy = Meeting(rival: container.newBackgroundContext())
    stack.context.mergePolicy = policy
    let dog = insert("fido", "FIDO", into: stack)
    dog.addToWalks(stack.walk(minutes: 20))
    try stack.context.save()
    #expect(!policy.wasThroughAtOnce)
    if !policy.wasThroughAtOnce { policy.isThrough.wait() }
    withExtendedLifetime(container) {}
  }

  @Test(arguments: Stack.allTypes)
  func `a new object is discarded for the stored one`(type: PersistentStore.StoreType) throws {
    let stack = try stack(type)
    stack.context.mergePolicy = .rollback
    let dog = insert("fido", "FIDO", into: stack)
    let rex = insert("rex", "Rex", into: stack)
    try stack.context.save()
    #expect(dog.managedObjectContext == nil && !rex.isInserted)
    let stored = try stack.reread(Dog.self)
    #expect(stored.map(\.name) == ["fido", "Rex"] && stored[0].targetMinutes == 10)
  }

  @Test(arguments: Stack.allTypes)
  func `two new objects become one`(type: PersistentStore.StoreType) throws {
    for rule in Self.merging {
      let stack = try Stack(type)
      stack.context.mergePolicy = MergePolicy(rule)
      let (one, two) = (insert("rex", "One", into: stack), insert("rex", "Two", into: stack))
      (one.targetMinutes, two.maximumGap) = (5, 60)
      one.addToWalks(stack.walk(minutes: 10))
      two.addToWalks(stack.walk(minutes: 20))
      try stack.context.save()
      #expect(one.minutes == [10, 20] && two.managedObjectContext == nil)
      let stored = try stack.reread(Dog.self)
      #expect(stored.count == 1 && stored[0].minutes == [10, 20] && stored[0].maximumGap == 60)
      #expect(stored[0].name == (rule == .mergeByPropertyStoreTrump ? "One" : "Two"))
      #expect(stored[0].targetMinutes == (rule == .overwrite ? nil : 5))
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a stored object that takes another's value replaces it or gets its own value back`(
    type: PersistentStore.StoreType
  ) throws {
    for rule in Self.merging {
      let stack = try stack(type)
      let rex = insert("rex", "Rex", into: stack)
      rex.addToWalks(stack.walk(minutes: 20))
      try stack.context.save()
      stack.context.mergePolicy = MergePolicy(rule)
      (rex.nameKey, rex.name) = ("fido", "Fido the Second")
      try stack.context.save()
      let stored = try stack.reread(Dog.self)
      if rule == .mergeByPropertyStoreTrump {
        #expect(stored.map(\.nameKey) == ["fido", "rex"])
        #expect(stored[1].name == "Fido the Second" && rex.nameKey == "rex")
      } else {
        #expect(stored.map(\.name) == ["Fido the Second"])
        #expect(stored[0].minutes.sorted() == [10, 20] && stored[0].targetMinutes == 10)
        #expect(stored[0].objectID == rex.objectID)
      }
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a custom policy receives the objects`(type: PersistentStore.StoreType) throws {
    final class Renaming: MergePolicy {
      var seen: [String] = []
      override func resolve(constraintConflicts: [ConstraintConflict]) throws {
        for conflict in constraintConflicts {
          #expect(conflict.constraint == ["nameKey"])
          #expect(conflict.constraintValues == [.string("fido")])
          #expect(conflict.databaseSnapshot?["targetMinutes"] as? Int16 == 10)
          // It was never saved.
          #expect(conflict.conflictingSnapshots.map(\.isEmpty) == [true])
          #expect(
            conflict.conflictingObjects.map { $0.value(forKey: "name") as? String } == ["FIDO"])
          seen.append((conflict.databaseObject as? Dog)?.name ?? "none")
          for case let dog as Dog in conflict.conflictingObjects { dog.nameKey = "fido the second" }
        }
      }
    }
    let stack = try stack(type)
    let policy = Renaming(.error)
    stack.context.mergePolicy = policy
    let dog = insert("fido", "FIDO", into: stack)
    try stack.context.save()
    #expect(policy.seen == ["fido"] && dog.nameKey == "fido the second" && !dog.isInserted)
    #expect(try stack.reread(Dog.self).count == 2)
  }

  @Test(arguments: Stack.allTypes)
  func `a conflict that no policy resolves fails the save`(type: PersistentStore.StoreType) throws {
    final class Idle: MergePolicy {
      override func resolve(constraintConflicts: [ConstraintConflict]) {}
    }
    let stack = try stack(type)
    stack.context.mergePolicy = Idle(.overwrite)
    let dog = insert("fido", "FIDO", into: stack)
    #expect(throws: PersistentStoreError.self) { try stack.context.save() }
    #expect(dog.isInserted)
  }

  @Test(arguments: Stack.allTypes)
  func `values may be swapped in one save`(type: PersistentStore.StoreType) throws {
    let stack = try stack(type)
    stack.context.mergePolicy = .mergeByPropertyObjectTrump
    let fido = try #require(try stack.context.fetch(Dog.fetchRequest()).first)
    stack.context.delete(fido)
    let dog = insert("fido", "The new one", into: stack)
    try stack.context.save()
    #expect(try stack.reread(Dog.self).map(\.name) == ["The new one"])
    #expect(dog.managedObjectContext === stack.context)
  }

  // MARK: Find or create

  @Test(arguments: Stack.allTypes)
  func `an object that was found and then deleted by another context is made again`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try stack(type)
    let dog = try Dog.findOrCreate(named: "Fido", in: stack.context)
    let id = dog.objectID
    dog.addToWalks(stack.walk(minutes: 20))
    let rival = stack.anotherContext()
    rival.delete(try #require(try rival.fetch(Dog.fetchRequest()).first))
    try rival.save()
    try stack.context.save()
    let stored = try stack.reread(Dog.self)
    #expect(stored.map(\.minutes) == [[20]] && stored[0].name == "fido")
    #expect(stored[0].objectID == id && dog.objectID == id)
  }

  @Test(arguments: Stack.allTypes)
  func `an object made without looking is found before it is saved`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = insert("fido", "Fido", into: stack)
    #expect(try Dog.findOrCreate(named: "FIDO", in: stack.context) === dog)
    try stack.context.save()
    #expect(try stack.reread(Dog.self).count == 1)
  }

  @Test(arguments: Stack.allTypes)
  func `an unsaved duplicate is merged into the object that find or create returned`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    stack.context.mergePolicy = .mergeByPropertyObjectTrump
    let dog = try Dog.findOrCreate(named: "Fido", in: stack.context)
    let twin = insert("fido", "Twin", into: stack)
    twin.addToWalks(stack.walk(minutes: 10))
    try stack.context.save()
    #expect(dog.name == "Twin" && dog.minutes == [10] && twin.managedObjectContext == nil)
    #expect(try stack.reread(Dog.self).map(\.minutes) == [[10]])
  }

  // MARK: Children

  @Test(arguments: Stack.allTypes)
  func `a child that merges gets its parent's objects as a policy resolved them`(
    type: PersistentStore.StoreType
  ) throws {
    for rule in Self.merging + [.rollback] {
      let stack = try Stack(type)
      stack.context.mergePolicy = MergePolicy(rule)
      let child = ManagedObjectContext(parent: stack.context)
      child.automaticallyMergesChangesFromParent = true
      let dog = Dog(context: child)
      (dog.nameKey, dog.name) = ("fido", "Fido")
      dog.addToWalks(Walk(minutes: 5, in: child))
      try child.save()
      try Stack(sharing: stack).dog("fido", minutes: [10])
      try stack.context.save()
      let found = try child.fetch(Dog.fetchRequest())
      #expect(found.count == 1 && found[0] !== dog && !dog.exists, "\(rule)")
      #expect(found[0].minutes == (rule == .rollback ? [10] : [10, 5]), "\(rule)")
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a child that merges gets the values of a row that its parent adopted`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let child = ManagedObjectContext(parent: stack.context)
    child.automaticallyMergesChangesFromParent = true
    let dog = try Dog.findOrCreate(named: "Fido", in: child)
    try child.save()
    let other = Stack(sharing: stack)
    try other.dog("FIDO").targetMinutes = 30
    try other.context.save()
    try stack.context.save()
    child.processPendingChanges()
    #expect(dog.name == "FIDO" && dog.targetMinutes == 30)
  }

  @Test(arguments: Stack.allTypes)
  func `a child that merges loses the changes that its parent gave up`(
    type: PersistentStore.StoreType
  ) throws {
    let (stack, dog, child, childDog) = try Stack.family(type)
    stack.context.mergePolicy = .rollback
    child.automaticallyMergesChangesFromParent = true
    let other = Stack(sharing: stack)
    let theirs = try #require(try other.context.fetch(Dog.fetchRequest()).first)
    (theirs.name, theirs.targetMinutes) = ("FIDO", 30)
    try other.context.save()
    dog.targetMinutes = 5
    try stack.context.save()
    child.processPendingChanges()
    #expect(dog.targetMinutes == 30 && childDog.targetMinutes == 30 && childDog.name == "FIDO")
  }
}

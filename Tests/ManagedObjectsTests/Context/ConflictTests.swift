import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Concurrent work on the same rows: by contexts on one store, or containers on one file.
@Suite struct ConflictTests {
  enum Rival: CaseIterable { case contextInMemory, context, container }

  /// A dog with two walks, and the same dog elsewhere.
  private struct Contest {
    let stack: Stack
    let dog: Dog
    let rival: ManagedObjectContext
    let rivalDog: Dog
    // Contexts do not retain their container.
    private let container: PersistentContainer

    init(_ rivalry: Rival) throws {
      stack = try Stack(rivalry == .contextInMemory ? .inMemory : .sqlite)
      dog = try stack.dog("Fido", minutes: [10, 20])
      container = rivalry == .container ? try stack.anotherContainer() : stack.container
      rival = container.newBackgroundContext()
      rivalDog = try #require(try rival.fetch(Dog.fetchRequest()).first)
      #expect(rivalDog.minutes == [10, 20])
    }
  }

  @Test(arguments: Rival.allCases)
  func `a change over another's change is refused`(rivalry: Rival) throws {
    let contest = try Contest(rivalry)
    contest.rivalDog.targetMinutes = 30
    try contest.rival.save()
    contest.dog.targetMinutes = 60
    let error = #expect(throws: ConflictError.self) { try contest.stack.context.save() }
    #expect(error?.objectID == contest.dog.objectID)
    #expect(
      error?.description == "\(contest.dog.objectID) was changed by someone else since it was read."
    )
    #expect(try contest.stack.reread(Dog.self)[0].targetMinutes == 30)
  }

  @Test(arguments: Rival.allCases)
  func `a change over another's delete is refused`(rivalry: Rival) throws {
    let contest = try Contest(rivalry)
    contest.rival.delete(contest.rivalDog)
    try contest.rival.save()
    contest.dog.targetMinutes = 60
    #expect(throws: ConflictError.self) { try contest.stack.context.save() }
    #expect(try contest.stack.reread(Dog.self).isEmpty)
  }

  @Test(arguments: Rival.allCases)
  func `a delete over another's change is refused`(rivalry: Rival) throws {
    let contest = try Contest(rivalry)
    contest.rivalDog.walks[0].note = "wet"
    try contest.rival.save()
    contest.stack.context.delete(contest.dog.walks[0])
    #expect(throws: ConflictError.self) { try contest.stack.context.save() }
    #expect(try contest.stack.reread(Walk.self).count == 2)
  }

  @Test(arguments: Rival.allCases)
  func `a delete over another's delete is refused`(rivalry: Rival) throws {
    let contest = try Contest(rivalry)
    contest.rival.delete(contest.rivalDog.walks[0])
    try contest.rival.save()
    contest.stack.context.delete(contest.dog.walks[0])
    #expect(throws: ConflictError.self) { try contest.stack.context.save() }
  }

  @Test(arguments: Rival.allCases)
  func `nothing of a refused save is stored`(rivalry: Rival) throws {
    let contest = try Contest(rivalry)
    contest.rivalDog.targetMinutes = 30
    try contest.rival.save()
    contest.dog.targetMinutes = 60
    contest.dog.walks[0].note = "wet"
    contest.dog.addToWalks(contest.stack.walk(minutes: 30))
    contest.stack.context.delete(contest.dog.walks[1])
    #expect(throws: ConflictError.self) { try contest.stack.context.save() }
    #expect(try contest.stack.reread(Walk.self).map(\.duration) == [600, 1200])
    #expect(try contest.stack.reread(Walk.self).allSatisfy { $0.note == nil })
  }

  @Test(arguments: Rival.allCases)
  func `changes are still pending after a conflict`(rivalry: Rival) throws {
    let contest = try Contest(rivalry)
    contest.rivalDog.targetMinutes = 30
    try contest.rival.save()
    contest.dog.targetMinutes = 60
    let walk = contest.stack.walk(minutes: 30)
    contest.dog.addToWalks(walk)
    #expect(throws: ConflictError.self) { try contest.stack.context.save() }
    #expect(contest.dog.targetMinutes == 60 && contest.dog.isUpdated)
    #expect(walk.isInserted && walk.objectID.isTemporaryID)
    #expect(contest.dog.minutes == [10, 20, 30])
  }

  @Test(arguments: Rival.allCases)
  func `changes of different rows do not conflict`(rivalry: Rival) throws {
    let contest = try Contest(rivalry)
    contest.rivalDog.walks[0].note = "one"
    contest.dog.walks[1].note = "two"
    try contest.rival.save()
    try contest.stack.context.save()
    #expect(try contest.stack.reread(Walk.self).map(\.note) == ["one", "two"])
  }

  @Test(arguments: Rival.allCases)
  func `both contexts may append to one list`(rivalry: Rival) throws {
    let contest = try Contest(rivalry)
    contest.rivalDog.addToWalks(contest.stack.walk(minutes: 30, in: contest.rival))
    contest.dog.addToWalks(contest.stack.walk(minutes: 40))
    try contest.rival.save()
    try contest.stack.context.save()
    #expect(try contest.stack.reread(Dog.self)[0].minutes == [10, 20, 30, 40])
  }

  @Test(arguments: Rival.allCases)
  func `a context may save repeatedly`(rivalry: Rival) throws {
    let contest = try Contest(rivalry)
    for minutes in Int16(1)...5 {
      contest.dog.targetMinutes = minutes
      try contest.stack.context.save()
    }
    contest.rivalDog.name = "Rex"
    #expect(throws: ConflictError.self) { try contest.rival.save() }
  }

  @Test(arguments: Rival.allCases)
  func `rolling back and refreshing resolves a conflict`(rivalry: Rival) throws {
    let contest = try Contest(rivalry)
    contest.dog.walks[0].note = "one"
    try contest.stack.context.save()
    contest.rivalDog.walks[0].note = "two"
    #expect(throws: ConflictError.self) { try contest.rival.save() }
    contest.rival.rollback()
    #expect(contest.rivalDog.walks[0].note == nil)
    let fresh = contest.stack.anotherContext()
    let walk = try #require(try fresh.fetch(Walk.fetchRequest()).first)
    #expect(walk.note == "one")
    walk.note = "two"
    try fresh.save()
  }

  @Test(arguments: Rival.allCases)
  func `an unread object can be deleted though its row was deleted elsewhere`(
    rivalry: Rival
  ) throws {
    let contest = try Contest(rivalry)
    let late = contest.stack.anotherContext()
    let fault = late.object(with: contest.dog.objectID)
    contest.rival.delete(contest.rivalDog)
    try contest.rival.save()
    late.delete(fault)
    try late.save()
    #expect(try contest.stack.reread(Dog.self).isEmpty)
  }

  @Test(arguments: Rival.allCases)
  func `a change of an unread object whose row is gone is refused`(rivalry: Rival) throws {
    let contest = try Contest(rivalry)
    let late = contest.stack.anotherContext()
    let fault = try #require(late.object(with: contest.dog.objectID) as? Dog)
    contest.rival.delete(contest.rivalDog)
    try contest.rival.save()
    fault.targetMinutes = 60
    #expect(late.hasChanges)
    let error = #expect(throws: ConflictError.self) { try late.save() }
    #expect(error?.objectID == contest.dog.objectID)
    late.rollback()
    #expect(!late.hasChanges)
    try late.save()
  }
}

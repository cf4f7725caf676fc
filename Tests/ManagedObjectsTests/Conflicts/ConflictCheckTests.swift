import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// `detectConflicts(for:)`: objects that a save depends on without changing them.
@Suite struct ConflictCheckTests {
  @Test(arguments: Stack.allTypes)
  func `an unchanged object is checked for conflicts on request`(
    type: PersistentStore.StoreType
  ) throws {
    let contest = try Contest(type, .error)
    contest.rivalDog.name = "Theirs"
    try contest.rival.save()
    contest.dog.walks[0].note = "one"
    try contest.stack.context.save()
    contest.stack.context.detectConflicts(for: contest.dog)
    contest.dog.walks[0].note = "two"
    let error = #expect(throws: ConflictError.self) { try contest.stack.context.save() }
    #expect(error?.objectID == contest.dog.objectID)
    contest.stack.context.mergePolicy = .mergeByPropertyObjectTrump
    try contest.stack.context.save()
    #expect(contest.dog.name == "Theirs" && !contest.dog.hasChanges)
    // The request covered one save.
    contest.rivalDog.name = "Theirs again"
    try contest.rival.save()
    contest.dog.walks[0].note = "three"
    contest.stack.context.mergePolicy = .error
    try contest.stack.context.save()
  }

  /// What happened to an object that is checked for conflicts.
  enum Aftermath: CaseIterable { case isMerged, isFault, isSetToTheSame, isDeletedAndMerged }

  @Test(arguments: Stack.allTypes, Aftermath.allCases)
  func `an object is checked against its values at the time of the request`(
    type: PersistentStore.StoreType, aftermath: Aftermath
  ) throws {
    let contest = try Contest(type, .error)
    let (context, dog) = (contest.stack.context, contest.dog)
    let rex = try contest.stack.dog("Rex")
    context.automaticallyMergesChangesFromParent = true
    context.detectConflicts(for: dog)
    rex.targetMinutes = dog.targetMinutes
    if aftermath == .isDeletedAndMerged {
      contest.rival.delete(contest.rivalDog)
    } else {
      contest.rivalDog.targetMinutes = 20
    }
    switch aftermath {
    case .isFault: try context.refresh(dog, mergeChanges: false)
    case .isSetToTheSame:
      context.automaticallyMergesChangesFromParent = false
      dog.name = dog.name
    case .isMerged, .isDeletedAndMerged: break
    }
    try contest.rival.save()
    let error = #expect(throws: ConflictError.self) { try context.save() }
    #expect(error?.objectIDs == [dog.objectID])
    #expect(try stored(contest) == [aftermath == .isDeletedAndMerged ? nil : 20, nil])
    // It is checked until it is saved, and a policy resolves it once.
    #expect(throws: ConflictError.self) { try context.save() }
    var conflicts = 0
    context.mergePolicy = MergePolicy(.mergeByPropertyObjectTrump) { _ in conflicts += 1 }
    try context.save()
    #expect(conflicts == 1)
    #expect(try stored(contest) == [aftermath == .isDeletedAndMerged ? nil : 20, 10])
    rex.targetMinutes = 11
    try context.save()
    #expect(conflicts == 1 && !context.hasChanges)
  }

  @Test(arguments: Stack.allTypes, [false, true])
  func `after a conflict an object is checked against its newly read values`(
    type: PersistentStore.StoreType, asksAgain: Bool
  ) throws {
    let contest = try Contest(type, .error)
    let (context, dog) = (contest.stack.context, contest.dog)
    let rex = try contest.stack.dog("Rex")
    context.detectConflicts(for: dog)
    rex.targetMinutes = 10
    contest.rivalDog.targetMinutes = 20
    try contest.rival.save()
    #expect(throws: ConflictError.self) { try context.save() }
    if asksAgain {
      try context.refresh(dog, mergeChanges: false)
      #expect(dog.targetMinutes == 20)
      context.detectConflicts(for: dog)
    } else {
      try context.refresh(dog, mergeChanges: true)
    }
    try context.save()
    #expect(try stored(contest) == [20, 10])
    context.detectConflicts(for: dog)
    rex.targetMinutes = 11
    contest.rivalDog.targetMinutes = 30
    try contest.rival.save()
    #expect(throws: ConflictError.self) { try context.save() }
  }

  /// The targets of Fido and Rex.
  private func stored(_ contest: Contest) throws -> [Int16?] {
    let dogs = try contest.stack.reread(Dog.self)
    return ["Fido", "Rex"].map { name in dogs.first { $0.name == name }?.targetMinutes }
  }

  @Test(arguments: Stack.allTypes)
  func `an object that is checked for conflicts may be changed and deleted here`(
    type: PersistentStore.StoreType
  ) throws {
    let contest = try Contest(type, .error)
    let (context, dog) = (contest.stack.context, contest.dog)
    context.detectConflicts(for: dog)
    dog.targetMinutes = 11
    try context.save()
    context.detectConflicts(for: dog)
    context.delete(dog)
    try context.save()
    #expect(try contest.stack.reread(Dog.self).isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `an object deleted here is checked against its former values`(
    type: PersistentStore.StoreType
  ) throws {
    let contest = try Contest(type, .error)
    let (context, dog) = (contest.stack.context, contest.dog)
    context.automaticallyMergesChangesFromParent = true
    context.detectConflicts(for: dog)
    contest.rivalDog.targetMinutes = 20
    try contest.rival.save()
    context.processPendingChanges()
    #expect(dog.targetMinutes == 20)
    context.delete(dog)
    #expect(throws: ConflictError.self) { try context.save() }
    #expect(try contest.stack.reread(Dog.self).count == 1)
    context.mergePolicy = .overwrite
    try context.save()
    #expect(try contest.stack.reread(Dog.self).isEmpty)
  }

  @Test(arguments: Stack.allTypes, [false, true])
  func `a child checks an object against its parent, and then against the store`(
    type: PersistentStore.StoreType, isMerged: Bool
  ) throws {
    let contest = try Contest(type, .error)
    let context = contest.stack.context
    let child = ManagedObjectContext(parent: context)
    if isMerged { context.automaticallyMergesChangesFromParent = true }
    child.automaticallyMergesChangesFromParent = isMerged
    let dog = try #require(try child.existingObject(with: contest.dog.objectID) as? Dog)
    let rex = try Dog.findOrCreate(named: "Rex", in: child)
    rex.targetMinutes = dog.targetMinutes
    child.detectConflicts(for: dog)
    contest.rivalDog.targetMinutes = 20
    try contest.rival.save()
    // After a merge the parent has the change; without one, only the store does.
    if !isMerged { try child.save() }
    let saving = isMerged ? child : context
    let error = #expect(throws: ConflictError.self) { try saving.save() }
    #expect(error?.objectIDs == [dog.objectID])
    saving.mergePolicy = .mergeByPropertyObjectTrump
    try saving.save()
    try context.save()
    #expect(try stored(contest) == [20, 10])
  }

  @Test(arguments: Stack.allTypes)
  func `a child meets no conflict with its own changes saved through its parent`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let child = ManagedObjectContext(parent: stack.context)
    let dog = try Dog.findOrCreate(named: "Fido", in: child)
    let walk = stack.walk(minutes: 10, in: child)
    walk.dog = dog
    try child.save()
    child.detectConflicts(for: walk)
    try stack.context.save()
    dog.targetMinutes = 10
    try child.save()
    try stack.context.save()
    #expect(try stack.reread(Dog.self).map(\.targetMinutes) == [10])
    // A sibling's change is a conflict, though no store knows of it.
    child.detectConflicts(for: walk)
    let sibling = ManagedObjectContext(parent: stack.context)
    try #require(try sibling.fetch(Walk.fetchRequest()).first).note = "changed"
    try sibling.save()
    dog.targetMinutes = 20
    let error = #expect(throws: ConflictError.self) { try child.save() }
    #expect(error?.objectIDs == [walk.objectID])
    // A change made here is not a conflict, though the parent has saved it since.
    child.mergePolicy = .rollback
    try child.save()
    try stack.context.save()
    #expect(try stack.reread(Dog.self).map(\.targetMinutes) == [20])
  }
}

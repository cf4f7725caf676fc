import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// How the merge policies resolve conflicts with rows that others changed or deleted.
@Suite struct MergePolicyTests {
  @Test(arguments: Stack.allTypes)
  func `the error policy is the default`(type: PersistentStore.StoreType) throws {
    let contest = try Contest(type, .error)
    #expect(contest.stack.anotherContext().mergePolicy.mergeType == .error)
    try contest.meet()
    #expect(throws: ConflictError.self) { try contest.stack.context.save() }
    #expect(contest.dog.targetMinutes == 30)
  }

  @Test(arguments: Stack.allTypes)
  func `changes here win, property by property`(type: PersistentStore.StoreType) throws {
    let contest = try Contest(type, .mergeByPropertyObjectTrump)
    try contest.meet()
    try contest.expect("Theirs", 30, 60)
  }

  @Test(arguments: Stack.allTypes)
  func `changes in the store win, property by property`(
    type: PersistentStore.StoreType
  ) throws {
    let contest = try Contest(type, .mergeByPropertyStoreTrump)
    try contest.meet()
    try contest.expect("Theirs", 20, 60)
  }

  @Test(arguments: Stack.allTypes)
  func `the object replaces the row`(type: PersistentStore.StoreType) throws {
    let contest = try Contest(type, .overwrite)
    try contest.meet()
    try contest.expect("Fido", 30, 60)
  }

  @Test(arguments: Stack.allTypes)
  func `the row replaces the object`(type: PersistentStore.StoreType) throws {
    let contest = try Contest(type, .rollback)
    try contest.meet()
    try contest.expect("Theirs", 20, nil)
  }

  @Test(arguments: Stack.allTypes)
  func `properties without a conflict are saved under every policy`(
    type: PersistentStore.StoreType
  ) throws {
    for policy in [
      MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    ] {
      let contest = try Contest(type, policy)
      try contest.meet()
      contest.dog.walks[0].note = "wet"
      let rex = try Dog.findOrCreate(named: "Rex", in: contest.stack.context)
      rex.addToWalks(contest.stack.walk(minutes: 5))
      try contest.stack.context.save()
      #expect(try contest.stack.reread(Walk.self).map(\.note) == ["wet", nil, nil])
      #expect(try contest.stack.reread(Dog.self).count == 2)
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a one-to-one that both contexts changed keeps a single inverse`(
    type: PersistentStore.StoreType
  ) throws {
    for policy in [
      MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    ] {
      let stack = try Stack.kennel(type)
      let people = ["Ada", "Bo", "Cy", "Di"].map { name in
        let person = Person(context: stack.context)
        person.name = name
        return person
      }
      let licence = Licence(context: stack.context)
      (licence.number, licence.person) = (1, people[0])
      let other = Licence(context: stack.context)
      (other.number, other.person) = (2, people[3])
      try stack.context.save()
      let rival = stack.anotherContext()
      let theirs = try #require(try rival.existingObject(with: licence.objectID) as? Licence)
      theirs.person = try rival.existingObject(with: people[2].objectID) as? Person
      try rival.save()
      stack.context.mergePolicy = policy
      licence.person = people[1]
      try stack.context.save()
      let stored = try stack.reread(Licence.self)
      let holders = try stack.reread(Person.self).filter { $0.licence != nil }
      #expect(holders.map { $0.licence?.person === $0 } == [true, true], "\(policy.mergeType)")
      #expect(stored.map { $0.person?.licence === $0 } == [true, true], "\(policy.mergeType)")
      for person in people { #expect(person.licence.map { $0.person === person } != false) }
    }
  }

  // MARK: Deletions

  @Test(arguments: Stack.allTypes)
  func `a change of an object deleted elsewhere inserts it again or is discarded`(
    type: PersistentStore.StoreType
  ) throws {
    for (policy, isKept) in [
      (MergePolicy.mergeByPropertyObjectTrump, true), (.overwrite, true),
      (.mergeByPropertyStoreTrump, false), (.rollback, false),
    ] {
      let contest = try Contest(type, policy)
      let walk = contest.dog.walks[0]
      let id = walk.objectID
      contest.rival.delete(contest.rivalDog.walks[0])
      try contest.rival.save()
      walk.note = "wet"
      try contest.stack.context.save()
      #expect(!contest.stack.context.hasChanges)
      let walks = try contest.stack.reread(Walk.self)
      #expect(walks.map(\.note) == (isKept ? ["wet", nil] : [nil]))
      #expect(walks.contains { $0.objectID == id } == isKept)
      #expect((walk.managedObjectContext != nil) == isKept)
      #expect(contest.dog.minutes == (isKept ? [10, 20] : [20]))
      #expect(try contest.stack.reread(Dog.self)[0].minutes == contest.dog.minutes)
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a deletion of an object changed elsewhere wins or is discarded`(
    type: PersistentStore.StoreType
  ) throws {
    for (policy, isKept) in [
      (MergePolicy.mergeByPropertyObjectTrump, false), (.overwrite, false),
      (.mergeByPropertyStoreTrump, true), (.rollback, true),
    ] {
      let contest = try Contest(type, policy)
      let walk = contest.dog.walks[0]
      contest.rivalDog.walks[0].note = "wet"
      try contest.rival.save()
      contest.stack.context.delete(walk)
      try contest.stack.context.save()
      #expect(try contest.stack.reread(Walk.self).count == (isKept ? 2 : 1))
      #expect(contest.dog.minutes == (isKept ? [10, 20] : [20]))
      if isKept { #expect(walk.note == "wet" && !walk.isDeleted) }
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a row that is deleted while a policy resolves counts as deleted`(
    type: PersistentStore.StoreType
  ) throws {
    for (rule, isKept) in [
      (MergePolicy.MergePolicyType.mergeByPropertyObjectTrump, true), (.overwrite, true),
      (.mergeByPropertyStoreTrump, false), (.rollback, false),
    ] {
      var deletions = [{}]
      let policy = MergePolicy(rule) { _ in deletions.popLast()?() }
      let contest = try Contest(type, policy)
      let walk = contest.dog.walks[0]
      let theirs = contest.rivalDog.walks[0]
      theirs.peeCount = 2
      try contest.rival.save()
      deletions = [
        {
          contest.rival.delete(theirs)
          #expect(throws: Never.self) { try contest.rival.save() }
        }
      ]
      walk.note = "wet"
      // With another object to save, however the conflict ends.
      contest.dog.targetMinutes = 30
      var deleted: [ManagedObject] = []
      let observation = contest.stack.context.observe(.didSave) { deleted = $0.deleted }
      try contest.stack.context.save()
      withExtendedLifetime(observation) {}
      #expect(deletions.isEmpty && deleted.isEmpty)
      #expect(try contest.stack.reread(Walk.self).map(\.note) == (isKept ? ["wet", nil] : [nil]))
      try contest.stack.context.refreshAllObjects()
      #expect(contest.dog.minutes == (isKept ? [10, 20] : [20]))
      #expect(try contest.stack.reread(Dog.self)[0].minutes == contest.dog.minutes)
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a changed end of a one-to-one that is deleted while a policy resolves is inserted again`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack.kennel(type)
    let people = ["Ada", "Bo"].map { name in
      let person = Person(context: stack.context)
      person.name = name
      return person
    }
    let licence = Licence(context: stack.context)
    (licence.number, licence.person) = (1, people[0])
    try stack.context.save()
    let rival = stack.anotherContext()
    let theirs = try #require(try rival.existingObject(with: licence.objectID) as? Licence)
    theirs.person = try rival.existingObject(with: people[1].objectID) as? Person
    try rival.save()
    var deletions = [
      {
        if let bo = theirs.person { rival.delete(bo) }
        #expect(throws: Never.self) { try rival.save() }
      }
    ]
    stack.context.mergePolicy =
      MergePolicy(.mergeByPropertyObjectTrump) { _ in deletions.popLast()?() }
    licence.number = 2
    licence.person = nil
    people[1].name = "Bob"
    try stack.context.save()
    #expect(deletions.isEmpty)
    #expect(try stack.reread(Person.self).map(\.name) == ["Ada", "Bob"])
  }

  @Test(arguments: Stack.allTypes)
  func `both contexts may delete the same object`(type: PersistentStore.StoreType) throws {
    for policy in [
      MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    ] {
      let contest = try Contest(type, policy)
      contest.rival.delete(contest.rivalDog)
      try contest.rival.save()
      contest.stack.context.delete(contest.dog)
      try contest.stack.context.save()
      #expect(try contest.stack.reread(Walk.self).isEmpty)
      #expect(contest.dog.managedObjectContext == nil)
    }
  }

  @Test(arguments: Stack.allTypes)
  func `members of an owner that another context deleted do not dangle`(
    type: PersistentStore.StoreType
  ) throws {
    let contest = try Contest(type, .error)
    contest.rival.delete(contest.rivalDog)
    try contest.rival.save()
    contest.dog.addToWalks(contest.stack.walk(minutes: 30))
    let error = #expect(throws: ConflictError.self) { try contest.stack.context.save() }
    #expect(error?.objectID == contest.dog.objectID)
    contest.stack.context.mergePolicy = .rollback
    try contest.stack.context.save()
    #expect(try contest.stack.reread(Walk.self).isEmpty)
  }

  // MARK: Relationships

  @Test(arguments: Stack.allTypes)
  func `a member that both contexts moved is where the policy decides`(
    type: PersistentStore.StoreType
  ) throws {
    for (policy, name) in [
      (MergePolicy.mergeByPropertyObjectTrump, "Ours"), (.overwrite, "Ours"),
      (.mergeByPropertyStoreTrump, "Theirs"), (.rollback, "Theirs"),
    ] {
      let contest = try Contest(type, policy)
      let walk = contest.dog.walks[0]
      let theirs = try Dog.findOrCreate(named: "Theirs", in: contest.rival)
      contest.rivalDog.walks[0].dog = theirs
      try contest.rival.save()
      let ours = try Dog.findOrCreate(named: "Ours", in: contest.stack.context)
      walk.dog = ours
      try contest.stack.context.save()
      #expect(walk.dog?.name == name)
      #expect(contest.dog.minutes == [20])
      #expect(ours.minutes == (name == "Ours" ? [10] : []))
      let dogs = try contest.stack.reread(Dog.self)
      #expect(dogs.first { $0.name == name }?.minutes == [10])
      #expect(dogs.map { $0.minutes.count }.reduce(0, +) == 2)
    }
  }

  // MARK: What a policy receives

  @Test(arguments: Stack.allTypes)
  func `a conflict has the values that were read, are stored, and are here`(
    type: PersistentStore.StoreType
  ) throws {
    var seen: [MergeConflict] = []
    let policy = MergePolicy(.mergeByPropertyObjectTrump) { conflict in
      #expect(conflict.cachedSnapshot["targetMinutes"] as? Int16 == 10)
      #expect(conflict.persistedSnapshot?["targetMinutes"] as? Int16 == 20)
      #expect(conflict.objectSnapshot["targetMinutes"] as? Int16 == 10)
      #expect((conflict.sourceObject as? Dog)?.targetMinutes == 30)
      #expect(conflict.persistedSnapshot?["name"] as? String == "Theirs")
      #expect(conflict.objectSnapshot["name"] as? String == "Fido")
      #expect(conflict.cachedSnapshot["maximumGap"] == nil)
      seen.append(conflict)
    }
    let contest = try Contest(type, policy)
    try contest.meet()
    try contest.stack.context.save()
    #expect(seen.count == 1 && seen[0].sourceObject === contest.dog)
    #expect(seen[0].oldVersionNumber == 2 && seen[0].newVersionNumber == 3)
  }

  /// Adds the amounts that both contexts added.
  private final class Summing: MergePolicy {
    override func resolve(mergeConflicts: [MergeConflict]) throws {
      for conflict in mergeConflicts {
        guard let dog = conflict.sourceObject as? Dog else { continue }
        let values = [conflict.persistedSnapshot, conflict.objectSnapshot]
          .map { $0?["targetMinutes"] as? Int16 ?? 0 }
        dog.targetMinutes = (dog.targetMinutes ?? 0) + Int16(values[0] - values[1])
        dog.name = conflict.persistedSnapshot?["name"] as? String ?? dog.name
      }
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a custom policy resolves a conflict its own way`(
    type: PersistentStore.StoreType
  ) throws {
    let contest = try Contest(type, Summing(.error))
    try contest.meet()
    try contest.expect("Theirs", 40, 60)
  }

  @Test(arguments: Stack.allTypes)
  func `a policy may throw, and then nothing is saved`(type: PersistentStore.StoreType) throws {
    struct Refusal: Error {}
    let contest = try Contest(type, MergePolicy(.overwrite) { _ in throw Refusal() })
    try contest.meet()
    #expect(throws: Refusal.self) { try contest.stack.context.save() }
    #expect(contest.dog.targetMinutes == 30 && contest.dog.isUpdated)
    #expect(try contest.stack.reread(Dog.self)[0].targetMinutes == 20)
  }

  @Test(arguments: Stack.allTypes)
  func `values adopted by a policy are not undone`(type: PersistentStore.StoreType) throws {
    let contest = try Contest(type, .mergeByPropertyObjectTrump)
    contest.stack.context.undoManager = ContextUndoManager()
    try contest.meet()
    try contest.stack.context.save()
    contest.stack.context.undo()
    #expect(contest.dog.name == "Theirs" && contest.dog.targetMinutes == 10)
    #expect(contest.dog.maximumGap == nil)
    try contest.stack.context.save()
  }
}

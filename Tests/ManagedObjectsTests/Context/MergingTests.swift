import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Several contexts on one store: isolated until they save, and notified or not.
@Suite struct MergingTests {
  @Test(arguments: Stack.allTypes)
  func `contexts are isolated from each other`(type: PersistentStore.StoreType) throws {
    let pair = try MergingPair(type)
    pair.dog.targetMinutes = 30
    #expect(pair.otherDog.targetMinutes == nil)
    try pair.stack.context.save()
    #expect(pair.otherDog.targetMinutes == nil)
    #expect(try pair.stack.reread(Dog.self)[0].targetMinutes == 30)
  }

  @Test(arguments: Stack.allTypes)
  func `merging adopts values, new members and deletions`(
    type: PersistentStore.StoreType
  ) throws {
    let pair = try MergingPair(type)
    pair.dog.targetMinutes = 30
    pair.dog.addToWalks(pair.stack.walk(minutes: 30))
    let gone = pair.otherDog.walks[0]
    pair.stack.context.delete(pair.dog.walks[0])
    try pair.saveAndMerge()
    #expect(pair.otherDog.targetMinutes == 30)
    #expect(pair.otherDog.minutes == [20, 30])
    #expect(pair.other.context.updatedObjects.isEmpty)
    #expect(pair.other.context.deletedObjects == [gone])
  }

  // MARK: Deletions

  @Test(arguments: Stack.allTypes)
  func `a context that retains its objects retains merged ones`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let other = stack.anotherContext()
    other.automaticallyMergesChangesFromParent = true
    other.retainsRegisteredObjects = true
    let id = try stack.dog("Fido").objectID
    other.processPendingChanges()
    #expect(other.registeredObject(for: id)?.isFault == false)
    other.retainsRegisteredObjects = false
    #expect(other.registeredObject(for: id) == nil)
  }

  // MARK: Values and lists

  @Test(arguments: Stack.allTypes)
  func `a member that left and returned here goes where it was moved elsewhere`(
    type: PersistentStore.StoreType
  ) throws {
    let pair = try MergingPair(type)
    let rex = try pair.stack.dog("Rex", minutes: [30])
    let otherRex = try Dog.findOrCreate(named: "Rex", in: pair.other.context)
    let walk = pair.otherDog.walks[0]
    walk.dog = otherRex
    walk.dog = pair.otherDog
    #expect(pair.otherDog.minutes == [20, 10])
    pair.dog.walks[0].dog = rex
    try pair.saveAndMerge()
    #expect(walk.dog === otherRex)
    #expect(pair.otherDog.minutes == [20] && otherRex.minutes == [30, 10])
    try pair.other.context.save()
    #expect(try pair.stack.reread(Dog.self).map(\.minutes) == [[20], [30, 10]])
  }

  @Test(arguments: Stack.allTypes)
  func `merging keeps local changes`(type: PersistentStore.StoreType) throws {
    let pair = try MergingPair(type)
    pair.dog.targetMinutes = 30
    pair.dog.name = "FIDO"
    pair.dog.addToWalks(pair.stack.walk(minutes: 30))
    pair.otherDog.targetMinutes = 60
    pair.otherDog.addToWalks(pair.other.walk(minutes: 40))
    try pair.saveAndMerge()
    #expect(pair.otherDog.targetMinutes == 60 && pair.otherDog.name == "FIDO")
    #expect(pair.otherDog.minutes == [10, 20, 30, 40])
    try pair.other.context.save()
    let reread = try pair.stack.reread(Dog.self)[0]
    #expect(reread.targetMinutes == 60 && reread.minutes == [10, 20, 30, 40])
  }

  @Test(arguments: Stack.allTypes)
  func `a list whose owner is not reported gets its new order`(
    type: PersistentStore.StoreType
  ) throws {
    let pair = try MergingPair(type)
    pair.dog.walks = OrderedSet(pair.dog.walks.reversed())
    try pair.saveAndMerge()
    #expect(pair.otherDog.minutes == [20, 10])
    // The rows that moved have new lock counts, which the other context has to know.
    for walk in pair.otherDog.walks { walk.note = "dry" }
    try pair.other.context.save()
  }

  @Test(arguments: Stack.allTypes)
  func `a member that moved is in its new list only`(type: PersistentStore.StoreType) throws {
    let pair = try MergingPair(type)
    let rex = try pair.stack.dog("Rex")
    let otherRex = try #require(pair.other.context.object(with: rex.objectID) as? Dog)
    #expect(otherRex.minutes == [])
    rex.addToWalks(pair.dog.walks[1])
    try pair.saveAndMerge()
    #expect(pair.otherDog.minutes == [10] && otherRex.minutes == [20])
    #expect(otherRex.walks[0].dog === otherRex)
  }

  @Test(arguments: Stack.allTypes)
  func `a member unknown to the context joins a list that was read`(
    type: PersistentStore.StoreType
  ) throws {
    let pair = try MergingPair(type)
    let rex = try pair.stack.dog("Rex", minutes: [30])
    let third = pair.stack.anotherContext()
    // Changed by a context that has not read the list it goes to.
    let walk = try #require(third.object(with: rex.walks[0].objectID) as? Walk)
    let fault = try #require(third.object(with: pair.dog.objectID) as? Dog)
    walk.dog = fault
    var saved = ChangedObjectIDs()
    let observation = third.observe(.didSave) { saved = $0.objectIDs }
    defer { observation.cancel() }
    try third.save()
    saved.updated.removeAll { $0 == fault.objectID }
    try pair.other.context.mergeChanges(from: saved)
    #expect(pair.otherDog.minutes == [10, 20, 30])
  }

  @Test(arguments: Stack.allTypes)
  func `one-to-ones are merged at both ends`(type: PersistentStore.StoreType) throws {
    let stack = try Stack.kennel(type)
    let (ann, bob) = (Person(context: stack.context), Person(context: stack.context))
    ann.licence = Licence(context: stack.context)
    try stack.context.save()
    let other = stack.anotherContext()
    let otherAnn = try #require(other.object(with: ann.objectID) as? Person)
    let otherBob = try #require(other.object(with: bob.objectID) as? Person)
    let licence = otherAnn.licence
    other.automaticallyMergesChangesFromParent = true
    bob.licence = ann.licence
    try stack.context.save()
    other.processPendingChanges()
    #expect(otherAnn.licence == nil && otherBob.licence === licence)
    #expect(licence?.person === otherBob)
  }

  @Test(arguments: Stack.allTypes)
  func `many-to-many links are merged`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: ManyToMany.model)
    let (red, blue) = (Tag(context: stack.context), Tag(context: stack.context))
    let post = Post(context: stack.context)
    post.tags = [red]
    try stack.context.save()
    let other = stack.anotherContext()
    other.automaticallyMergesChangesFromParent = true
    let otherPost = try #require(other.object(with: post.objectID) as? Post)
    let otherRed = try #require(other.object(with: red.objectID) as? Tag)
    let otherBlue = try #require(other.object(with: blue.objectID) as? Tag)
    #expect(otherPost.tags == [otherRed] && otherRed.posts.count == 1 && otherBlue.posts.isEmpty)
    post.tags = [blue]
    try stack.context.save()
    other.processPendingChanges()
    #expect(otherPost.tags == [otherBlue])
    #expect(otherRed.posts.isEmpty && otherBlue.posts == [otherPost])
  }

  @Test(arguments: Stack.allTypes)
  func `observers receive merged changes`(type: PersistentStore.StoreType) throws {
    let pair = try MergingPair(type)
    var heard: ObjectChanges?
    let observation = pair.other.context.observe(.objectsDidChange) { heard = $0 }
    defer { observation.cancel() }
    pair.dog.targetMinutes = 30
    let walk = pair.stack.walk(minutes: 30)
    pair.dog.addToWalks(walk)
    let gone = pair.otherDog.walks[0]
    pair.stack.context.delete(pair.dog.walks[0])
    try pair.saveAndMerge()
    #expect(heard?.inserted.map(\.objectID) == [walk.objectID])
    #expect(heard?.refreshed == [pair.otherDog])
    #expect(heard?.deleted == [gone])
  }

  // MARK: Automatically

  @Test(arguments: Stack.allTypes, ["fetch", "save", "process"])
  func `changes are merged when the context is used`(
    type: PersistentStore.StoreType, how: String
  ) throws {
    let pair = try MergingPair(type)
    pair.other.context.automaticallyMergesChangesFromParent = true
    pair.dog.targetMinutes = 30
    try pair.stack.context.save()
    #expect(pair.otherDog.targetMinutes == nil)
    switch how {
    case "fetch": _ = try pair.other.context.fetch(Walk.fetchRequest())
    case "save":
      pair.otherDog.name = "FIDO"
      try pair.other.context.save()
    default: pair.other.context.processPendingChanges()
    }
    #expect(pair.otherDog.targetMinutes == 30)
  }

  @Test(arguments: Stack.allTypes)
  func `a context that merges saves without a conflict`(type: PersistentStore.StoreType) throws {
    let pair = try MergingPair(type)
    pair.other.context.automaticallyMergesChangesFromParent = true
    for minutes in Int16(1)...5 {
      pair.dog.targetMinutes = minutes
      pair.otherDog.name = "Fido \(minutes)"
      try pair.stack.context.save()
      try pair.other.context.save()
      try pair.stack.context.refresh(pair.dog, mergeChanges: true)
      #expect(pair.dog.name == "Fido \(minutes)" && pair.otherDog.targetMinutes == minutes)
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a context unused for long merges even if any object may have changed`(
    type: PersistentStore.StoreType
  ) throws {
    let pair = try MergingPair(type)
    pair.other.context.automaticallyMergesChangesFromParent = true
    for _ in 0..<3 {
      for minutes in 0..<8_000 { pair.dog.addToWalks(pair.stack.walk(minutes: minutes)) }
      pair.dog.targetMinutes = (pair.dog.targetMinutes ?? 0) + 1
      try pair.stack.context.save()
    }
    pair.other.context.processPendingChanges()
    #expect(pair.otherDog.targetMinutes == 3 && pair.otherDog.walks.count == 24_002)
  }

  @Test(arguments: Stack.allTypes)
  func `several contexts merge another program's changes`(
    type: PersistentStore.StoreType
  ) throws {
    let pair = try MergingPair(type)
    let third = pair.stack.anotherContext()
    let thirdDog = try #require(try third.fetch(Dog.fetchRequest()).first)
    pair.dog.targetMinutes = 30
    try pair.stack.context.save()
    let elsewhere = try Stack(.inMemory).dog("Rex").objectID
    try ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: ChangedObjectIDs(updated: [pair.dog.objectID, elsewhere]),
      into: [pair.other.context, third])
    #expect(pair.otherDog.targetMinutes == 30 && thirdDog.targetMinutes == 30)
  }

  // MARK: A textbook's listing

  /// Two contexts editing one patient: the second to save is refused, and continues.
  @Test(arguments: Stack.allTypes)
  func `two contexts edit one patient`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Clinic.model)
    let patient = Patient(context: stack.context)
    (patient.firstName, patient.surname) = ("Ruth", "Archer")
    try stack.context.save()

    let ward = stack.anotherContext()
    let reception = stack.anotherContext()
    let inWard = try #require(try ward.fetch(Patient.fetchRequest()).first)
    let atReception = try #require(try reception.fetch(Patient.fetchRequest()).first)
    #expect(inWard.objectID == atReception.objectID && inWard != atReception)

    inWard.diagnosis = "Measles"
    atReception.surname = "Pritchard"
    try reception.save()
    #expect(inWard.surname == "Archer")
    let conflict = #expect(throws: ConflictError.self) { try ward.save() }
    #expect(conflict?.objectID == patient.objectID)

    try ward.refresh(inWard, mergeChanges: true)
    #expect(inWard.surname == "Pritchard" && inWard.diagnosis == "Measles")
    try ward.save()
    try reception.refresh(atReception, mergeChanges: false)
    #expect(atReception.diagnosis == "Measles")
  }
}

/// Posts and tags, many to many.
private enum ManyToMany {
  static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Post",
        properties: [
          .relationship(
            .init(
              name: "tags", destinationEntityName: "Tag", inverseName: "posts", isOptional: true,
              maxCount: 0))
        ]),
      EntityDescription(
        name: "Tag",
        properties: [
          .relationship(
            .init(
              name: "posts", destinationEntityName: "Post", inverseName: "tags", isOptional: true,
              maxCount: 0))
        ]),
    ], classes: ["Post": Post.self, "Tag": Tag.self])
}

private final class Post: ManagedObject {
  var tags: Set<Tag> {
    get { unorderedToMany(at: PropertySlot(-1, "tags")) }
    set { setUnorderedToMany(newValue, at: PropertySlot(-1, "tags")) }
  }
}

private final class Tag: ManagedObject {
  var posts: Set<Post> { unorderedToMany(at: PropertySlot(-1, "posts")) }
}

/// A patient of a clinic.
private enum Clinic {
  static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Patient",
        properties: ["firstName", "surname", "diagnosis"].map {
          .attribute(.init(name: $0, type: .string, isOptional: true))
        })
    ], classes: ["Patient": Patient.self])
}

private final class Patient: ManagedObject {
  var firstName: String? {
    get { optionalValue(at: PropertySlot(-1, "firstName")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "firstName")) }
  }
  var surname: String? {
    get { optionalValue(at: PropertySlot(-1, "surname")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "surname")) }
  }
  var diagnosis: String? {
    get { optionalValue(at: PropertySlot(-1, "diagnosis")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "diagnosis")) }
  }
}

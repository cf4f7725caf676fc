import Testing

@testable import DataModel

@Suite("The version hash of an entity")
struct VersionHashTests {
  // Hashes that Apple's framework computed for the tutorial's model.
  @Test func `the tutorial's entities hash as in Core Data`() {
    let hashes = ManagedObjectModel.tutorial.entityVersionHashesByName
    #expect(
      hashes["Dog"]?.description
        == "c299d57af0e7c9c09b36c4fc7c5337257f901131dbd6c92d7a15836b7fa1aa4d")
    #expect(
      hashes["Walk"]?.description
        == "15ece72cca3c9f174113eeb1967ee4b40c112375ed11b3ffb62ea344f3604b42")
  }

  @Test func `the order of properties, constraints and entities does not matter`() {
    let model = ManagedObjectModel(entities: [.animal, .dog])
    var (animal, dog) = (EntityDescription.animal, EntityDescription.dog)
    animal.properties.reverse()
    dog.properties.reverse()
    dog.uniquenessConstraints.reverse()
    let other = ManagedObjectModel(entities: [dog, animal])
    #expect(other.entityVersionHashesByName == model.entityVersionHashesByName)
    #expect(other.versionHashesDigest == model.versionHashesDigest)
    #expect(other.versionChecksum == model.versionChecksum)
  }

  @Test(arguments: EntityChange.hashed)
  func `a setting that affects how rows are stored changes it`(change: EntityChange) {
    #expect(change.hashOfDog != EntityChange.nothing.hashOfDog)
  }

  @Test(arguments: EntityChange.unhashed)
  func `a setting that does not affect how rows are stored leaves it unchanged`(
    change: EntityChange
  ) {
    #expect(change.changesSomething)
    #expect(change.hashOfDog == EntityChange.nothing.hashOfDog)
  }

  @Test func `a relationship that is its own inverse hashes as one without an inverse`() {
    var friends = RelationshipDescription(
      name: "friends", destinationEntityName: "Dog", inverseName: "friends", maxCount: 0)
    let withInverse = hash(
      of: "Dog", in: [.init(name: "Dog", properties: [.relationship(friends)])])
    friends.inverseName = nil
    let without = hash(of: "Dog", in: [.init(name: "Dog", properties: [.relationship(friends)])])
    #expect(withInverse == without)
  }

  @Test func `a superentity's change affects its subentities, but not vice versa`() {
    var puppy = EntityDescription(name: "Puppy", superentityName: "Dog")
    let before = ManagedObjectModel(entities: [puppy, .dog, .animal]).entityVersionHashesByName
    puppy.isAbstract = true
    let puppyChanged = ManagedObjectModel(entities: [puppy, .dog, .animal])
      .entityVersionHashesByName
    #expect(puppyChanged["Puppy"] != before["Puppy"])
    #expect(puppyChanged["Dog"] == before["Dog"])
    puppy.isAbstract = false
    var animal = EntityDescription.animal
    animal.properties.removeLast()
    let animalChanged = ManagedObjectModel(entities: [puppy, .dog, animal])
      .entityVersionHashesByName
    #expect(animalChanged["Puppy"] != before["Puppy"])
    #expect(animalChanged["Dog"] != before["Dog"])
  }

  @Test func `a transient property hides the inherited one with its name`() {
    let name = AttributeDescription(name: "name", type: .string)
    var transient = name
    transient.isTransient = true
    let inherited = hash(
      of: "Dog",
      in: [
        .init(name: "Animal", properties: [.attribute(name)]),
        .init(name: "Dog", superentityName: "Animal"),
      ])
    let hidden = hash(
      of: "Dog",
      in: [
        .init(name: "Animal", properties: [.attribute(name)]),
        .init(name: "Dog", superentityName: "Animal", properties: [.attribute(transient)]),
      ])
    #expect(inherited != hidden)
  }

  @Test func `circular or unknown superentities still give every entity a hash`() {
    let circle = ManagedObjectModel(entities: [
      .init(name: "A", superentityName: "B"), .init(name: "B", superentityName: "C"),
      .init(name: "C", superentityName: "A"), .init(name: "D", superentityName: "D"),
      .init(name: "E", superentityName: "nobody"),
    ])
    #expect(circle.entityVersionHashesByName.count == 5)
  }

  @Test func `a long chain of superentities does not overflow the stack`() {
    let entities = (0..<20_000).map {
      EntityDescription(name: "E\($0)", superentityName: "E\($0 + 1)")
    }
    #expect(ManagedObjectModel(entities: entities).entityVersionHashesByName.count == 20_000)
  }

  // Computed from the entities' hashes above, with Python's hashlib.
  @Test func `digest and checksum summarize the hashes`() {
    let model = ManagedObjectModel.tutorial
    #expect(
      model.versionHashesDigest == """
        D4M+nfGUZLuqhZM9XPO6CWIKY1DlMCE8opKp+FVYiEfc8z2ApvXGZuGnuQoAvS2J\
        lqRqYzlQPDx7aqkXVpV8rw==
        """)
    #expect(model.versionChecksum == "vNlEDAifMhKZONs/suZRZa7+zEF9ojb71CnAcZWq8oU=")
  }
}

private func hash(of name: String, in entities: [EntityDescription]) -> VersionHash? {
  ManagedObjectModel(entities: entities).entityVersionHashesByName[name]
}

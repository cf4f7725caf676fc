import Testing

@testable import DataModel

@Suite("A data model")
struct ManagedObjectModelTests {
  private let model = ManagedObjectModel(entities: [.animal, .dog, .walk])

  @Test func `entities are found by name`() {
    #expect(model.entities.map(\.name) == ["Animal", "Dog", "Walk"])
    #expect(model.entitiesByName["Dog"] == .dog)
    #expect(model.entitiesByName["Cat"] == nil)
  }

  @Test func `a lineage goes from the root to the entity`() {
    #expect(model.lineage(of: .dog).map(\.name) == ["Animal", "Dog"])
    #expect(model.lineage(of: .animal).map(\.name) == ["Animal"])
  }

  @Test func `a lineage ends at an unknown name, or where names form a circle`() {
    let stray = EntityDescription(name: "Stray", superentityName: "nobody")
    let (one, two) = (
      EntityDescription(name: "One", superentityName: "Two"),
      EntityDescription(name: "Two", superentityName: "One")
    )
    let model = ManagedObjectModel(entities: [stray, one, two])
    #expect(model.lineage(of: stray).map(\.name) == ["Stray"])
    #expect(model.lineage(of: one).map(\.name) == ["Two", "One"])
  }

  @Test func `inherited properties come first`() {
    let names = model.properties(of: .dog).map(\.name)
    #expect(names == ["weight", "tag", "name", "walks", "photo"])
  }

  @Test func `a redeclared property replaces the inherited one`() {
    let heavy = EntityDescription(
      name: "Heavy", superentityName: "Animal",
      properties: [.attribute(.init(name: "weight", type: .integer64))])
    let model = ManagedObjectModel(entities: [.animal, heavy])
    let properties = model.properties(of: heavy)
    #expect(properties.map(\.name) == ["weight", "tag"])
    #expect(properties[0] == heavy.properties[0])
  }

  @Test func `an inverse leads back, even to an inherited property`() throws {
    let walks = try #require(EntityDescription.dog.relationships.first)
    let dog = try #require(EntityDescription.walk.relationships.first)
    #expect(model.inverse(of: walks) == dog)
    #expect(model.inverse(of: dog) == walks)
    let puppy = EntityDescription(name: "Puppy", superentityName: "Dog")
    let family = ManagedObjectModel(entities: [.animal, .dog, .walk, puppy])
    var toPuppy = dog
    toPuppy.destinationEntityName = "Puppy"
    #expect(family.inverse(of: toPuppy) == walks)
  }

  @Test(arguments: [nil, "mood", "name"])
  func `without a relationship at the other end there is no inverse`(name: String?) {
    let relationship = RelationshipDescription(
      name: "dog", destinationEntityName: "Dog", inverseName: name)
    #expect(model.inverse(of: relationship) == nil)
  }

  @Test func `precomputed hashes are used as they are`() {
    let hash = VersionHash(bytes: Array(0..<32))
    let model = ManagedObjectModel(entities: [.dog], versionHashes: ["Dog": hash!])
    #expect(model.entityVersionHashesByName == ["Dog": hash!])
    #expect(model.isCompiled)
    #expect(!ManagedObjectModel(entities: [.dog]).isCompiled)
  }

  @Test func `an entity separates its own attributes from its relationships`() {
    #expect(EntityDescription.dog.attributes.map(\.name) == ["name", "photo"])
    #expect(EntityDescription.dog.relationships.map(\.name) == ["walks"])
  }

  @Test func `the class is named like the entity by default`() {
    #expect(EntityDescription(name: "Dog").managedObjectClassName == "Dog")
    let hound = EntityDescription(name: "Dog", managedObjectClassName: "Hound")
    #expect(hound.managedObjectClassName == "Hound")
  }

  @Test(arguments: [(1, false), (0, true), (2, true)])
  func `a relationship of at most one object is a to-one`(maxCount: Int, isToMany: Bool) {
    let relationship = RelationshipDescription(
      name: "dogs", destinationEntityName: "Dog", maxCount: maxCount)
    #expect(relationship.isToMany == isToMany)
  }

  @Test func `entities are numbered depth first, by name without regard to case`() {
    let names = [
      ("walk", nil), ("Zebra", "animal"), ("animal", nil), ("ant", "animal"), ("Bee", "ant"),
      ("Walker", nil), ("beetle", "ant"),
    ]
    let model = ManagedObjectModel(
      entities: names.map { EntityDescription(name: $0, superentityName: $1) })
    #expect(
      model.entitiesInNumberOrder.map(\.name)
        == ["animal", "ant", "Bee", "beetle", "Zebra", "walk", "Walker"])
  }

  @Test func `an entity that leaves its parent no longer inherits from it`() {
    let old = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Animal", properties: [.attribute(.init(name: "name", type: .string))]),
      EntityDescription(name: "Dog", superentityName: "Animal"),
    ])
    var dog = old.entitiesByName["Dog"]!
    dog.superentityName = nil
    let new = ManagedObjectModel(entities: [old.entitiesByName["Animal"]!, dog])
    #expect(new.entitiesByName["Dog"]!.attributesByName.isEmpty)
  }
}

extension EntityDescription {
  fileprivate static let walk = EntityDescription(
    name: "Walk",
    properties: [
      .relationship(.init(name: "dog", destinationEntityName: "Dog", inverseName: "walks"))
    ])
}

import TestSupport
import Testing

@testable import DataModel
@testable import ModelComparison

@Suite struct `The difference between two models` {
  private let old = ManagedObjectModel(entities: [.dog, .animal])

  private func difference(_ change: EntityChange) -> ModelDifference {
    var dog = EntityDescription.dog
    change.apply(&dog)
    return ModelDifference(from: old, to: ManagedObjectModel(entities: [dog, .animal]))
  }

  @Test func `is empty where nothing differs`() {
    let same = ManagedObjectModel(entities: [.animal, .dog])
    #expect(ModelDifference(from: old, to: same).isEmpty)
  }

  @Test(arguments: EntityChange.hashed)
  func `reports what changes a version hash`(change: EntityChange) {
    let found = difference(change)
    #expect(!found.keepsVersionHashes)
    // A new name without a renaming identifier is another entity.
    if change.name != "the entity's name" {
      #expect(found.entities.map(\.name) == ["Dog"])
      #expect(found.entities.first?.changes.contains(where: \.movesVersionHash) == true)
    }
  }

  @Test(arguments: EntityChange.unhashed)
  func `reports what changes no version hash`(change: EntityChange) {
    let found = difference(change)
    #expect(found.keepsVersionHashes)
    #expect(!found.isEmpty)
    #expect(found.entities.flatMap(\.changes).allSatisfy { !$0.movesVersionHash })
  }

  @Test func `names a subentity whose parent differs`() {
    var animal = EntityDescription.animal
    animal.properties.removeLast()
    let found = ModelDifference(from: old, to: ManagedObjectModel(entities: [.dog, animal]))
    #expect(found.entities.map(\.name) == ["Animal", "Dog"])
    #expect(found.entities[1].movedByParent == "Animal")
    #expect(found.entities[1].changes.isEmpty)
    #expect(
      found.entities[0].changes == [
        .init(kind: .removed, property: "tag", movesVersionHash: true)
      ])
  }

  @Test func `recognizes renamings by renaming identifiers`() {
    var dog = EntityDescription.dog
    dog.name = "Hound"
    dog.renamingIdentifier = "Dog"
    dog.properties[0] = .attribute(
      .init(name: "called", type: .string, isOptional: true, renamingIdentifier: "name"))
    let found = ModelDifference(from: old, to: ManagedObjectModel(entities: [dog, .animal]))
    #expect(found.entities.map(\.kind) == [.renamed])
    #expect(found.entities.first?.oldName == "Dog")
    #expect(
      found.entities.first?.changes == [
        .init(
          kind: .renamed, property: "called", old: "name", new: "called", movesVersionHash: true),
        .init(
          kind: .changed, property: "called", aspect: "optional", old: "no", new: "yes",
          movesVersionHash: true),
      ])
  }

  @Test func `follows identifiers that were kept, and names that were swapped`() {
    let model = { (pairs: [(String, String?)]) in
      ManagedObjectModel(
        entities: pairs.map { EntityDescription(name: $0.0, renamingIdentifier: $0.1) })
    }
    // An older version's identifier adds nothing, though another entity has its name now.
    let kept = ModelDifference(
      from: model([("Dog", "Hound")]), to: model([("Dog", "Hound"), ("Hound", nil)]))
    #expect(kept.entities.map(\.name) == ["Hound"])
    #expect(kept.entities.map(\.kind) == [.added])
    let swapped = ModelDifference(
      from: model([("A", nil), ("B", nil)]), to: model([("A", "B"), ("B", "A")]))
    #expect(swapped.entities.map(\.oldName) == ["B", "A"])
    #expect(swapped.entities.map(\.kind) == [.renamed, .renamed])
  }

  @Test func `includes changes outside of entities`() {
    let new = ManagedObjectModel(
      entities: [.dog, .animal], versionIdentifiers: ["2"], configurations: ["dogs": ["Dog"]],
      fetchRequestTemplates: ["all": FetchRequestDescription(entityName: "Dog")])
    let found = ModelDifference(from: old, to: new)
    #expect(found.keepsVersionHashes)
    #expect(
      found.changes.map(\.aspect)
        == ["version identifiers", "configuration dogs", "fetch request all"])
    #expect(found.changes.map(\.new) == ["2", "Dog", "Dog"])
  }

  @Test func `is based on version hashes alone where nothing else is known`() {
    var animal = EntityDescription.animal
    animal.isAbstract = true
    let new = ManagedObjectModel(entities: [animal, EntityDescription(name: "Walk")])
    let found = ModelDifference(
      from: old.entityVersionHashesByName, to: new.entityVersionHashesByName)
    #expect(found.entities.map(\.name) == ["Animal", "Dog", "Walk"])
    #expect(found.entities.map(\.kind) == [.changed, .removed, .added])
    #expect(!found.keepsVersionHashes)
  }

  /// Whatever differs, an entity's hash changes exactly where a reported change affects it.
  @Test(arguments: 0..<300) func `explains every changed hash`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var (dog, animal) = (EntityDescription.dog, EntityDescription.animal)
    let changes = EntityChange.hashed + EntityChange.unhashed
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      changes.randomElement(using: &generator)?.apply(&dog)
    }
    if Bool.random(using: &generator) { animal.versionHashModifier = "2" }
    let new = ManagedObjectModel(entities: [dog, animal])
    let found = ModelDifference(from: old, to: new)
    #expect(
      found.keepsVersionHashes == (old.entityVersionHashesByName == new.entityVersionHashesByName))
    for entity in found.entities where entity.kind == .changed {
      let isTold = entity.changes.contains(where: \.movesVersionHash) || entity.movedByParent != nil
      #expect(isTold == entity.movesVersionHash, "\(entity)")
    }
  }
}

import DataModel
import Foundation
import ManagedObjects
import ModelCompiler
import TestSupport
import Testing

/// What can be inferred between two versions of a model, and what cannot.
struct MappingModelTests {
  // MARK: Accepted

  @Test func `equal entities are copied, changed ones transformed, others added and removed`()
    throws
  {
    let old = model([
      entity("Dog", [.value("name", .string)]), entity("Cat", [.value("name", .string)]),
      entity("Collar"),
    ])
    let new = model([
      entity("Dog", [.value("name", .string)]), entity("Walk"),
      entity("Cat", [.value("name", .string), .value("age", .integer16)]),
    ])
    let mapping = try MappingModel.inferred(from: old, to: new)
    #expect(
      mapping.entityMappings.map(\.name) == [
        "IEM_Transform_Cat", "IEM_Copy_Dog", "IEM_Add_Walk", "IEM_Remove_Collar",
      ])
    #expect(mapping.entityMappings.map(\.mappingType) == [.transform, .copy, .add, .remove])
    let cat = try #require(mapping.entityMappingsByName["IEM_Transform_Cat"])
    #expect(cat.attributeMappings.map(\.name) == ["age", "name"])
    #expect(cat.attributeMappings.map(\.sourceName) == [nil, "name"])
    #expect(cat.sourceEntityVersionHash == old.entityVersionHashesByName["Cat"])
    #expect(cat.destinationEntityVersionHash == new.entityVersionHashesByName["Cat"])
  }

  @Test func `a renamed entity and its renamed properties keep their identity`() throws {
    let old = model([
      entity("Dog", [.value("name", .string), .toMany("walks", "Walk", back: "dog")]),
      entity("Walk", [.toOne("dog", "Dog", back: "walks")]),
    ])
    var title = AttributeDescription(name: "title", type: .string, isOptional: true)
    title.renamingIdentifier = "name"
    let owner = RelationshipDescription(
      name: "owner", destinationEntityName: "Hound", inverseName: "walks", isOptional: true,
      renamingIdentifier: "dog")
    let new = model([
      entity(
        "Hound", [.attribute(title), .toMany("walks", "Walk", back: "owner")], was: "Dog"),
      entity("Walk", [.relationship(owner)]),
    ])
    let mapping = try MappingModel.inferred(from: old, to: new)
    let hound = try #require(mapping.entityMappingsByName["IEM_Transform_Hound"])
    #expect(hound.sourceEntityName == "Dog")
    #expect(hound.attributeMappings.map(\.sourceName) == ["name"])
    #expect(
      mapping.entityMappingsByName["IEM_Transform_Walk"]?.relationshipMappings.map(\.sourceName)
        == ["dog"])
  }

  @Test func `a renaming identifier names the entity in the version before, or in the first one`()
    throws
  {
    let first = model([entity("A")])
    let second = model([entity("B", was: "A")])
    for identifier in ["A", "B", nil] {
      let third = model([entity("C", was: identifier)])
      let found = try MappingModel.inferred(from: second, to: third).entityMappings[0]
      #expect(found.sourceEntityName == (identifier == nil ? nil : "B"), "\(identifier ?? "none")")
    }
    #expect(
      try MappingModel.inferred(from: second, to: second).entityMappings[0].mappingType == .copy)
    #expect(
      try MappingModel.inferred(from: second, to: first).entityMappings[0].sourceEntityName == "B")
  }

  @Test func `a name given up and reused belongs to the new entity`() throws {
    let version = model([entity("B", was: "A"), entity("A")])
    let mapping = try MappingModel.inferred(from: version, to: version)
    #expect(mapping.entityMappings.map(\.sourceEntityName) == ["A", "B"])
  }

  @Test func `properties move up and down a hierarchy`() throws {
    let down = model([
      entity("Animal"), entity("Cat", [.value("name", .string)], parent: "Animal"),
      entity("Dog", [.value("name", .string)], parent: "Animal"),
    ])
    let up = model([
      entity("Animal", [.value("name", .string)]), entity("Cat", parent: "Animal"),
      entity("Dog", parent: "Animal"),
    ])
    for (old, new) in [(up, down), (down, up)] {
      let mapping = try MappingModel.inferred(from: old, to: new)
      for name in ["IEM_Transform_Cat", "IEM_Transform_Dog"] {
        #expect(
          mapping.entityMappingsByName[name]?.attributeMappings.map(\.sourceName) == ["name"])
      }
    }
  }

  @Test func `an entity gets a parent, and leaves it`() throws {
    let alone = model([entity("Dog")])
    let family = model([entity("Animal"), entity("Dog", parent: "Animal")])
    #expect(
      try MappingModel.inferred(from: alone, to: family).entityMappings.map(\.name)
        == ["IEM_Add_Animal", "IEM_Transform_Dog"])
    #expect(
      try MappingModel.inferred(from: family, to: alone).entityMappings.map(\.name)
        == ["IEM_Transform_Dog", "IEM_Remove_Animal"])
  }

  @Test func `a to-one becomes a to-many, and a list ordered or unordered`() throws {
    func walks(_ dog: PropertyDescription, isOrdered: Bool) -> ManagedObjectModel {
      model([
        entity("Dog", [.toMany("walks", "Walk", back: "dog", isOrdered: isOrdered)]),
        entity("Walk", [dog]),
      ])
    }
    let toOne = PropertyDescription.toOne("dog", "Dog", back: "walks")
    let toMany = PropertyDescription.toMany("dog", "Dog", back: "walks")
    for (old, new) in [(toOne, toOne), (toOne, toMany), (toMany, toMany)] {
      for isOrdered in [false, true] {
        let (from, to) = (walks(old, isOrdered: isOrdered), walks(new, isOrdered: !isOrdered))
        _ = try MappingModel.inferred(from: from, to: to)
      }
    }
  }

  @Test func `an attribute may become optional, required with a default, or transient`() throws {
    func size(_ change: (inout AttributeDescription) -> Void) -> ManagedObjectModel {
      var attribute = AttributeDescription(name: "size", type: .integer16, isOptional: true)
      change(&attribute)
      return model([entity("Dog", [.attribute(attribute)])])
    }
    let optional = size { _ in }
    let required = size { $0.isOptional = false }
    let withDefault = size { ($0.isOptional, $0.defaultValue) = (false, .integer(1)) }
    let transient = size { $0.isTransient = true }
    for (old, new) in [
      (optional, withDefault), (required, optional), (required, withDefault),
      (required, transient), (transient, optional), (transient, withDefault),
      (model([entity("Dog")]), withDefault), (model([]), required),
    ] {
      _ = try MappingModel.inferred(from: old, to: new)
    }
    for old in [optional, transient, model([entity("Dog")])] {
      #expect(throws: MigrationError.missingDefaultValue(entity: "Dog", attribute: "size")) {
        try MappingModel.inferred(from: old, to: required)
      }
    }
  }

  // MARK: Refused

  @Test func `an attribute cannot change its type`() {
    let old = model([entity("Walk", [.value("duration", .double)])])
    let new = model([entity("Walk", [.value("duration", .string)])])
    let error = #expect(throws: MigrationError.self) {
      try MappingModel.inferred(from: old, to: new)
    }
    #expect(
      error?.description == "Walk.duration was of the type Double and cannot become String.")
  }

  @Test func `two hierarchies cannot become one`() {
    let old = model([entity("Cat"), entity("Dog")])
    let new = model([
      entity("Animal"), entity("Cat", parent: "Animal"), entity("Dog", parent: "Animal"),
    ])
    #expect(
      throws: MigrationError.mergedHierarchies(root: "Animal", sourceRoots: ["Cat", "Dog"])
    ) {
      try MappingModel.inferred(from: old, to: new)
    }
  }

  @Test func `a to-many cannot become a to-one`() {
    let old = model([
      entity("Dog", [.toMany("walks", "Walk", back: "dog")]),
      entity("Walk", [.toOne("dog", "Dog", back: "walks")]),
    ])
    let new = model([
      entity("Dog", [.toOne("walks", "Walk", back: "dog")]),
      entity("Walk", [.toOne("dog", "Dog", back: "walks")]),
    ])
    #expect(
      throws: MigrationError.toManyBecomesToOne(entity: "Dog", relationship: "walks")
    ) {
      try MappingModel.inferred(from: old, to: new)
    }
  }

  @Test func `a relationship cannot change its destination`() {
    let others = [entity("Cat"), entity("Dog")]
    let old = model(others + [entity("Walk", [.toOne("pet", "Dog")])])
    let new = model(others + [entity("Walk", [.toOne("pet", "Cat")])])
    #expect(
      throws: MigrationError.differentDestination(
        entity: "Walk", relationship: "pet", source: "Dog", destination: "Cat")
    ) {
      try MappingModel.inferred(from: old, to: new)
    }
  }

  @Test func `a to-one cannot get a to-one as its inverse if that would have to be filled`() {
    let old = model([entity("Dog"), entity("Collar", [.toOne("dog", "Dog")])])
    let new = model([
      entity("Dog", [.toOne("collar", "Collar", back: "dog")]),
      entity("Collar", [.toOne("dog", "Dog", back: "collar")]),
    ])
    #expect(throws: MigrationError.differentInverse(entity: "Collar", relationship: "dog")) {
      try MappingModel.inferred(from: old, to: new)
    }
  }

  @Test func `renaming identifiers that contradict each other are refused`() {
    let old = model([entity("A"), entity("B")])
    #expect(throws: MigrationError.renamingCycle(entity: nil, names: ["A", "B"])) {
      try MappingModel.inferred(
        from: old, to: model([entity("A", was: "B"), entity("B", was: "A")]))
    }
    #expect(
      throws: MigrationError.ambiguousRenaming(entity: nil, source: "A", destinations: ["C", "D"])
    ) {
      try MappingModel.inferred(
        from: old, to: model([entity("C", was: "A"), entity("D", was: "A")]))
    }
    #expect(
      throws: MigrationError.ambiguousRenaming(entity: nil, source: "A", destinations: ["A", "C"])
    ) {
      try MappingModel.inferred(from: old, to: model([entity("A"), entity("C", was: "A")]))
    }
  }

  // MARK: Real models

  @Test(.enabled(if: AppleStore.areThere, "../shared/fixtures is missing"))
  func `the versions of a real app follow each other, except for one required attribute`() throws {
    let bookmarks = try versions("bookmarks/BookmarksModel.xcdatamodeld")
    for (old, new) in zip(bookmarks, bookmarks.dropFirst()) {
      _ = try MappingModel.inferred(from: old, to: new)
    }
    let sample = try versions("sample/SampleModel.xcdatamodeld")
    let mapping = try MappingModel.inferred(from: sample[0], to: sample[1])
    #expect(
      mapping.entityMappings.map(\.name) == [
        "IEM_Transform_Car", "IEM_Transform_SportCar", "IEM_Transform_LuxuryCar",
        "IEM_Transform_Person",
      ])
    #expect(mapping.entityMappings[2].sourceEntityName == "ExpensiveSportCar")
  }

  private func versions(_ path: String) throws -> [ManagedObjectModel] {
    let folder = URL.fixtures.appending(path: path)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".xcdatamodel") }
      // "Model.xcdatamodel" comes before "Model 2.xcdatamodel".
      .sorted { ($0.count, $0) < ($1.count, $1) }
      .map { try CompiledModel(contentsOf: folder.appending(path: $0)).currentVersion.model }
  }

  // MARK: Short notation for models

  private func model(_ entities: [EntityDescription]) -> ManagedObjectModel {
    ManagedObjectModel(entities: entities)
  }

  private func entity(
    _ name: String, _ properties: [PropertyDescription] = [], parent: String? = nil,
    was identifier: String? = nil
  ) -> EntityDescription {
    EntityDescription(
      name: name, superentityName: parent, properties: properties, renamingIdentifier: identifier)
  }
}

import Testing

@testable import DataModel

@Suite("Models merged into one")
struct ModelMergingTests {
  private let place = EntityDescription(
    name: "Place", properties: [.attribute(.init(name: "name", type: .string))])
  private let spot = FetchRequestDescription(entityName: "Place", predicateFormat: "name == $NAME")

  @Test func `have the entities, configurations and fetch requests of all`() throws {
    let places = ManagedObjectModel(
      entities: [place], versionIdentifiers: ["1"], configurations: ["Cloud": ["Place"]],
      fetchRequestTemplates: ["Spot": spot])
    let dogs = ManagedObjectModel(
      entities: [.animal, .dog], versionIdentifiers: ["1", "2"],
      configurations: ["Cloud": ["Dog"], "Local": ["Animal"]])

    let merged = try ManagedObjectModel(byMerging: [places, dogs])

    #expect(merged.entities.map(\.name) == ["Place", "Animal", "Dog"])
    #expect(merged.versionIdentifiers == ["1", "2"])
    #expect(merged.configurations == ["Cloud", "Local"])
    #expect(
      merged.entities(forConfigurationName: "Cloud")?.map(\.name) == ["Place", "Dog"])
    #expect(merged.fetchRequestTemplatesByName == ["Spot": spot])
    #expect(
      merged.entityVersionHashesByName["Dog"] == dogs.entityVersionHashesByName["Dog"])
  }

  @Test func `have an entity once that several have alike`() throws {
    let model = ManagedObjectModel(entities: [place])
    let merged = try ManagedObjectModel(byMerging: [model, model])
    #expect(merged.entities == [place])
  }

  @Test func `cannot have two different entities of one name`() {
    var other = place
    other.isAbstract = true
    let models = [ManagedObjectModel(entities: [place]), ManagedObjectModel(entities: [other])]
    #expect(throws: ModelMergeError.differentEntities(name: "Place")) {
      try ManagedObjectModel(byMerging: models)
    }
  }

  @Test func `cannot have two different fetch requests of one name`() {
    let models = [spot, FetchRequestDescription(entityName: "Place")].map {
      ManagedObjectModel(entities: [place], fetchRequestTemplates: ["Spot": $0])
    }
    #expect(throws: ModelMergeError.differentFetchRequests(name: "Spot")) {
      try ManagedObjectModel(byMerging: models)
    }
  }

  @Test func `of one are that one, as compiled as it was`() throws {
    let compiled = ManagedObjectModel(entities: [place], versionHashes: [:])
    #expect(try ManagedObjectModel(byMerging: [compiled]).isCompiled)
    #expect(try !ManagedObjectModel(byMerging: [compiled, compiled]).isCompiled)
  }

  @Test func `of none are empty`() throws {
    #expect(try ManagedObjectModel(byMerging: []).entities.isEmpty)
  }
}

@Suite("The configurations of a model")
struct ConfigurationTests {
  private let model = ManagedObjectModel(
    entities: [.animal, .dog], configurations: ["B": ["Dog", "Nobody"], "A": []])

  @Test func `are named in order`() {
    #expect(model.configurations == ["A", "B"])
  }

  @Test func `give their entities, and all without a name`() {
    #expect(model.entities(forConfigurationName: "B")?.map(\.name) == ["Dog"])
    #expect(model.entities(forConfigurationName: "A") == [])
    #expect(model.entities(forConfigurationName: nil)?.count == 2)
    #expect(model.entities(forConfigurationName: "C") == nil)
  }
}

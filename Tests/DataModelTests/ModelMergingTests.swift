import Testing

@testable import DataModel

@Suite("Models merged into one")
struct ModelMergingTests {
  private let place = EntityDescription(
    name: "Place", properties: [.attribute(.init(name: "name", type: .string))])
  private let spot = FetchRequestDescription(entityName: "Place", predicateFormat: "name == $NAME")

  @Test func `have all entities, configurations and fetch requests`() throws {
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

  @Test func `have an entity once when several models have the same one`() throws {
    let model = ManagedObjectModel(entities: [place])
    let merged = try ManagedObjectModel(byMerging: [model, model])
    #expect(merged.entities == [place])
  }

  @Test func `cannot have two different entities with one name`() {
    var other = place
    other.isAbstract = true
    let models = [ManagedObjectModel(entities: [place]), ManagedObjectModel(entities: [other])]
    #expect(throws: ModelMergeError.differentEntities(name: "Place")) {
      try ManagedObjectModel(byMerging: models)
    }
  }

  @Test func `cannot have two different fetch requests with one name`() {
    let models = [spot, FetchRequestDescription(entityName: "Place")].map {
      ManagedObjectModel(entities: [place], fetchRequestTemplates: ["Spot": $0])
    }
    #expect(throws: ModelMergeError.differentFetchRequests(name: "Spot")) {
      try ManagedObjectModel(byMerging: models)
    }
  }

  @Test func `of a single model are that model, and compiled only if it is`() throws {
    let compiled = ManagedObjectModel(entities: [place], versionHashes: [:])
    #expect(try ManagedObjectModel(byMerging: [compiled]).isCompiled)
    #expect(try !ManagedObjectModel(byMerging: [compiled, compiled]).isCompiled)
  }

  @Test func `of no model are empty`() throws {
    #expect(try ManagedObjectModel(byMerging: []).entities.isEmpty)
  }
}

@Suite("The configurations of a model")
struct ConfigurationTests {
  private let model = ManagedObjectModel(
    entities: [.animal, .dog], configurations: ["B": ["Dog", "Nobody"], "A": []])

  @Test func `are listed by name`() {
    #expect(model.configurations == ["A", "B"])
  }

  @Test func `return their entities, and all entities for nil`() {
    #expect(model.entities(forConfigurationName: "B")?.map(\.name) == ["Dog"])
    #expect(model.entities(forConfigurationName: "A") == [])
    #expect(model.entities(forConfigurationName: nil)?.count == 2)
    #expect(model.entities(forConfigurationName: "C") == nil)
  }
}

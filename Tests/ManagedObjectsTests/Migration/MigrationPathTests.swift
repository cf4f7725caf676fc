import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Stores that are several versions old.
struct MigrationPathTests {
  /// Dogs with a `name`, then a `title`, a `number` and a `count`: each renames the one before.
  private static let versions: [ManagedObjectModel] = [
    version(.attribute(.init(name: "name", type: .string, isOptional: true))),
    version(
      .attribute(.init(name: "title", type: .string, isOptional: true, renamingIdentifier: "name"))),
    version(.attribute(.init(name: "number", type: .integer64, isOptional: true))),
    version(
      .attribute(
        .init(name: "count", type: .integer64, isOptional: true, renamingIdentifier: "number"))),
  ]

  private static func version(_ property: PropertyDescription) -> ManagedObjectModel {
    ManagedObjectModel(entities: [EntityDescription(name: "Dog", properties: [property])])
  }

  /// A title becomes its length.
  private static let counting: MappingModel = {
    var dogs = EntityMapping(name: "DogToDog", from: "Dog", to: "Dog")
    dogs.sourceEntityVersionHash = versions[1].entityVersionHashesByName["Dog"]
    dogs.destinationEntityVersionHash = versions[2].entityVersionHashesByName["Dog"]
    dogs.attributeMappings = [
      PropertyMapping(
        name: "number",
        value: .expression(
          .function(.length, [.property(of: .variable("source"), "title")])))
    ]
    return MappingModel(entityMappings: [dogs])
  }()

  private static var options: PersistentStoreOptions {
    var options = PersistentStoreOptions.migrating
    options.sourceModels = versions
    options.mappingModels = [counting]
    return options
  }

  private static func kennel() throws -> StoreFolder {
    let folder = try StoreFolder()
    try folder.fill(versions[0]) { context in
      for name in ["Fido", "Rex"] {
        ManagedObject("Dog", in: context).setValue(name, forKey: "name")
      }
    }
    return folder
  }

  @Test func `a given mapping is not skipped for an inferred one`() throws {
    // From the first to the last a mapping can be inferred, which loses the name.
    _ = try MappingModel.inferred(from: Self.versions[0], to: Self.versions[3])
    let path = try #require(
      try MigrationPath(from: Self.versions[0], to: Self.versions[3], Self.options))
    #expect(path.steps.map(\.mapping.isInferred) == [true, false, true])
    #expect(path.steps[1].mapping == Self.counting)
    let next = try #require(
      try MigrationPath(from: Self.versions[1], to: Self.versions[2], Self.options))
    #expect(next.steps.map(\.mapping) == [Self.counting])
    let folder = try Self.kennel()
    let context = try folder.open(Self.versions[3]) { $0 = Self.options }.newBackgroundContext()
    let counts = try context.fetch(FetchRequest<ManagedObject>(entityName: "Dog")).map {
      $0.value(forKey: "count") as? Int64
    }
    #expect(counts == [4, 3])
  }

  @Test func `where no mapping is given in between, the path is the shortest one`() throws {
    var options = Self.options
    options.mappingModels = []
    let path = try #require(
      try MigrationPath(from: Self.versions[0], to: Self.versions[3], options))
    #expect(path.steps.count == 1)
    // One that leads all the way is shorter than the same in two steps.
    options = Self.options
    var whole = Self.counting
    whole.entityMappings[0].sourceEntityVersionHash = nil
    whole.entityMappings[0].destinationEntityVersionHash =
      Self.versions[3].entityVersionHashesByName["Dog"]
    options.mappingModels.append(whole)
    let short = try #require(
      try MigrationPath(from: Self.versions[1], to: Self.versions[3], options))
    #expect(short.steps.map(\.mapping) == [whole])
  }

  @Test func `versions in another order are passed through too, where there is no other path`()
    throws
  {
    var options = Self.options
    options.infersMapping = false
    var back = Self.counting
    back.entityMappings[0].sourceEntityVersionHash =
      Self.versions[2].entityVersionHashesByName["Dog"]
    back.entityMappings[0].destinationEntityVersionHash =
      Self.versions[3].entityVersionHashesByName["Dog"]
    options.mappingModels.append(back)
    for versions in [Self.versions, Self.versions.reversed(), []] {
      options.sourceModels = versions
      let path = try MigrationPath(from: Self.versions[1], to: Self.versions[3], options)
      #expect(path?.steps.count == (versions.isEmpty ? nil : 2))
    }
  }

  @Test func `a store is migrated through the versions in between, in one transaction`() throws {
    let folder = try Self.kennel()
    try SQLiteFile(folder.store).execute("CREATE TABLE strangers (name)")
    var options = Self.options
    options.infersMapping = false
    options.mappingModels.append(
      contentsOf: try [(0, 1), (2, 3)].map { pair in
        var mapping = MappingModel(
          entityMappings: try MappingModel.inferred(
            from: Self.versions[pair.0], to: Self.versions[pair.1]
          ).entityMappings)
        mapping.entityMappings[0].name = "DogToDog"
        return mapping
      })
    options.migrationBackupURL = folder.url.appending(path: "Old.sqlite")
    let path = try #require(
      try MigrationPath(from: Self.versions[0], to: Self.versions[3], options))
    #expect(path.steps.count == 3)
    let model = Self.versions[3]
    let container = try PersistentContainer(
      name: "Test", model: model, storeURL: folder.store, options: options)
    let counts = try container.newBackgroundContext()
      .fetch(FetchRequest<ManagedObject>(entityName: "Dog")).map {
        $0.value(forKey: "count") as? Int64
      }
    #expect(counts == [4, 3])
    #expect(try SQLiteFile(folder.store).value("SELECT count(*) FROM strangers") == "0")
    #expect(
      try PersistentStoreCoordinator.problems(ofStoreAt: folder.store, model: model).isEmpty)
    let old = folder.url.appending(path: "Old.sqlite")
    #expect(try SQLiteFile(old).column("SELECT ZNAME FROM ZDOG ORDER BY 1") == ["Fido", "Rex"])
  }

  @Test func `a failed step leaves the store at its first version`() throws {
    let folder = try Self.kennel()
    let before = try folder.bytes()
    var options = Self.options
    options.infersMapping = false
    var first = MappingModel(
      entityMappings: try MappingModel.inferred(from: Self.versions[0], to: Self.versions[1])
        .entityMappings)
    first.entityMappings[0].name = "DogToDog"
    var second = Self.counting
    second.entityMappings[0].entityMigrationPolicyClassName = "Nobody"
    options.mappingModels = [first, second]
    #expect(throws: MigrationError.missingPolicy(mapping: "DogToDog", className: "Nobody")) {
      try PersistentContainer(
        name: "Test", model: Self.versions[2], storeURL: folder.store, options: options)
    }
    #expect(try folder.bytes() == before)
    #expect(try folder.names() == ["DogWalk.sqlite"])
  }

  @Test func `without a path the error is that between the two versions`() throws {
    let folder = try Self.kennel()
    let strict = Self.version(.attribute(.init(name: "name", type: .double)))
    #expect(
      throws: MigrationError.incompatibleAttributeTypes(
        entity: "Dog", attribute: "name", source: .string, destination: .double)
    ) {
      try PersistentContainer(
        name: "Test", model: strict, storeURL: folder.store, options: Self.options)
    }
    var options = Self.options
    options.infersMapping = false
    #expect(throws: MigrationError.missingMappingModel(folder.store)) {
      try PersistentContainer(
        name: "Test", model: strict, storeURL: folder.store, options: options)
    }
  }
}

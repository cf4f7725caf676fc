import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Stores that hold a part of a model, and are migrated to the same part of the next version.
struct ConfigurationMigrationTests {
  private static func model(_ walk: [PropertyDescription]) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: StoreMigrationTests.changed("Walk") { $0.properties += walk }.entities + [
        EntityDescription(name: "Book", properties: [.value("title", .string)])
      ], configurations: ["Kennel": ["Dog", "Walk"], "Shelf": ["Book"]])
  }

  private static let old = model([])
  private static let new = model([.value("note", .string)])

  /// A coordinator with two stores of a folder, each with a part of a model.
  private static func open(
    _ folder: StoreFolder, _ model: ManagedObjectModel,
    options: PersistentStoreOptions = PersistentStoreOptions()
  ) throws -> ManagedObjectContext {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    for name in ["Kennel", "Shelf"] {
      _ = try coordinator.addPersistentStore(
        type: .sqlite, configurationName: name, at: url(name, in: folder), options: options)
    }
    return ManagedObjectContext(persistentStoreCoordinator: coordinator)
  }

  private static func url(_ name: String, in folder: StoreFolder) -> URL {
    folder.url.appending(path: "\(name).sqlite")
  }

  private static func library() throws -> StoreFolder {
    let folder = try StoreFolder()
    let context = try open(folder, old)
    let dog = ManagedObject("Dog", in: context)
    let walks = [10.0, 20].map { minutes in
      let walk = ManagedObject("Walk", in: context)
      walk.setValue(minutes, forKey: "duration")
      return walk
    }
    dog.setValuesForKeys(["name": "Fido", "walks": [walks[1], walks[0]]])
    ManagedObject("Book", in: context).setValue("Emma", forKey: "title")
    try context.save()
    return folder
  }

  @Test func `the named configuration is migrated, and gets no tables of another`() throws {
    let folder = try Self.library()
    let before = try StoreSnapshot(of: Self.open(folder, Self.old)).objects
    let kennel = Self.url("Kennel", in: folder)
    let result = try PersistentStoreCoordinator.migrateStore(
      at: kennel, to: Self.new, configurationName: "Kennel")
    #expect(
      result?.mapping.entityMappings.map(\.name) == ["IEM_Copy_Dog", "IEM_Transform_Walk"])
    #expect(
      try SQLiteFile(kennel).column(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z[A-Z]*' ORDER BY 1")
        == ["ZDOG", "ZWALK"])
    // What is named there is the whole model's.
    let metadata = try PersistentStoreCoordinator.metadata(
      forPersistentStoreAt: kennel, type: .sqlite)
    #expect(Self.new.isCompatible(withStoreMetadata: metadata, configurationName: "Kennel"))
    // The book's entity has not changed, so that store is of both versions.
    let after = try StoreSnapshot(of: Self.open(folder, Self.new)).objects
    #expect(
      after
        == before.mapValues { $0["duration"] == nil ? $0 : $0.merging(["note": []]) { $1 } })
    #expect(
      try PersistentStoreCoordinator.migrateStore(
        at: kennel, to: Self.new, configurationName: "Kennel") == nil)
  }

  @Test func `the old configuration of a store added with its own is found where it is given`()
    throws
  {
    let folder = try Self.library()
    let before = try StoreSnapshot(of: Self.open(folder, Self.old)).objects
    try SQLiteFile(Self.url("Kennel", in: folder)).execute("DELETE FROM Z_MODELCACHE")
    #expect(throws: PersistentStoreError.self) { try Self.open(folder, Self.new) }
    #expect(throws: MigrationError.missingSourceModel(Self.url("Kennel", in: folder))) {
      try Self.open(folder, Self.new, options: .migrating)
    }
    var options = PersistentStoreOptions.migrating
    options.sourceModels = [Self.new, Self.old]
    let context = try Self.open(folder, Self.new, options: options)
    let after = try StoreSnapshot(of: context).objects
    #expect(after.count == before.count)
    #expect(after.mapValues { $0.filter { $0.key != "note" } } == before)
    #expect(
      after[.init(entity: "Dog", key: 1)]?["walks"]
        == before[.init(entity: "Dog", key: 1)]?["walks"])
  }

  @Test
  func `a migration to another configuration would lose the first, and is planned like any other`()
    throws
  {
    let folder = try Self.library()
    let url = Self.url("Shelf", in: folder)
    let result = try PersistentStoreCoordinator.migrateStore(
      at: url, to: Self.new, configurationName: "Kennel")
    #expect(
      result?.mapping.entityMappings.map(\.name)
        == ["IEM_Add_Dog", "IEM_Add_Walk", "IEM_Remove_Book"])
  }

  // MARK: By a mapping

  /// Of all entities; a walk's note is its dog's name, which cannot be inferred.
  private static let mapping: MappingModel = {
    var dogs = EntityMapping(name: "DogToDog", from: "Dog", to: "Dog")
    dogs.attributeMappings = [PropertyMapping(name: "name", sourceName: "name")]
    dogs.relationshipMappings = [
      PropertyMapping(name: "walks", sourceName: "walks", mappedBy: "WalkToWalk")
    ]
    var walks = EntityMapping(name: "WalkToWalk", from: "Walk", to: "Walk")
    walks.attributeMappings = [
      PropertyMapping(name: "duration", sourceName: "duration"),
      PropertyMapping(name: "note", sourceName: "dog.name"),
    ]
    var books = EntityMapping(name: "BookToBook", from: "Book", to: "Book")
    books.attributeMappings = [PropertyMapping(name: "title", sourceName: "title")]
    return MappingModel(entityMappings: [dogs, walks, books])
  }()

  @Test(arguments: [2, 3])
  func `a manager migrates a configuration, by a mapping of it or of all entities`(
    entityCount: Int
  ) throws {
    let folder = try Self.library()
    let (kennel, made) = (Self.url("Kennel", in: folder), Self.url("New", in: folder))
    let mapping = MappingModel(
      entityMappings: Array(Self.mapping.entityMappings.prefix(entityCount)))
    let manager = MigrationManager(sourceModel: Self.old, destinationModel: Self.new)
    try manager.migrateStore(
      from: kennel, configurationName: "Kennel", mapping: mapping, to: made,
      configurationName: "Kennel")
    try manager.migrateStore(at: kennel, configurationName: "Kennel", mapping: mapping)
    for url in [made, kennel] {
      let file = try SQLiteFile(url)
      #expect(try file.column("SELECT ZNOTE FROM ZWALK") == ["Fido", "Fido"])
      #expect(try file.value("SELECT count(ZDOG) FROM ZWALK") == "2")
      #expect(
        try file.column(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z[A-Z]*' ORDER BY 1")
          == ["ZDOG", "ZWALK"])
    }
  }

  @Test func `a store of a configuration is migrated by a mapping of all entities`() throws {
    let folder = try Self.library()
    var options = PersistentStoreOptions.migrating
    options.mappingModels = [Self.mapping]
    let context = try Self.open(folder, Self.new, options: options)
    let walks = try context.fetch(FetchRequest<ManagedObject>(entityName: "Walk"))
    #expect(walks.map { $0.value(forKey: "note") as? String } == ["Fido", "Fido"])
    let books = try context.fetch(FetchRequest<ManagedObject>(entityName: "Book"))
    #expect(books.map { $0.value(forKey: "title") as? String } == ["Emma"])
  }

  @Test func `a configuration's part of a mapping must fit, and must not be empty`() throws {
    let old = try #require(Self.old.restricted(toConfiguration: "Kennel"))
    let new = try #require(Self.new.restricted(toConfiguration: "Kennel"))
    #expect(
      Self.mapping.restricted(from: old, to: new)?.entityMappings.map(\.name)
        == ["DogToDog", "WalkToWalk"])
    var other = Self.mapping
    other.entityMappings[0].sourceEntityVersionHash = VersionHash(
      bytes: Array(repeating: 1, count: 32))
    #expect(other.restricted(from: old, to: new) == nil)
    let books = MappingModel(entityMappings: [Self.mapping.entityMappings[2]])
    #expect(books.restricted(from: old, to: new) == nil)
  }
}

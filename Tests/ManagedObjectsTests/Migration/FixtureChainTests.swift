import Foundation
import ModelCompiler
import TestSupport
import Testing

@testable import ManagedObjects

/// One real app's store on its way through all versions, and what it holds at the end.
@Suite(.enabled(if: AppleStore.areThere, "../shared/fixtures is missing"))
struct FixtureChainTests {
  private static func model(_ path: String) throws -> ManagedObjectModel {
    try VersionedModel(contentsOf: URL.fixtures.appending(path: path)).currentVersion.model
  }

  /// Migrates a store by the mapping that can be inferred; nothing differs from what that says.
  private static func migrate(
    _ folder: StoreFolder, from old: ManagedObjectModel, to new: ManagedObjectModel
  ) throws {
    let before = try folder.snapshot(old)
    let result = try #require(try folder.migrate(to: new, from: [old]))
    let comparison = MigrationComparison(
      from: (old, before), to: (new, try folder.snapshot(new)), by: result.mapping)
    #expect(comparison.differences() == [])
  }

  /// Has the independent checker examine a store.
  private static func check(_ folder: StoreFolder, _ model: String, entities: Int) throws {
    guard StoreChecker.isAvailable else { return }
    #expect(
      try StoreChecker.check(folder.store, against: URL.fixtures.appending(path: model))
        == "0 differences, \(entities) entities\n")
  }

  // MARK: Inferred

  @Test func `LoopKit's store is migrated to its fourth version`() throws {
    let (old, new) = (
      "loop/Model.xcdatamodeld/Model.xcdatamodel", "loop/Model.xcdatamodeld/Modelv4.xcdatamodel"
    )
    let folder = try StoreFolder(copyOf: URL.fixtures.appending(path: "loop/Model.sqlite"))
    let before = try folder.snapshot(Self.model(old))
    #expect(before.objects.count == 7)
    try Self.migrate(folder, from: Self.model(old), to: Self.model(new))
    try Self.check(folder, new, entities: Self.model(new).entities.count)
    let file = try SQLiteFile(folder.store)
    // What is new and must be there has the model's default; a renamed counter is new, too.
    #expect(
      try file.rows("SELECT ZOPERATION, ZPROVENANCEIDENTIFIER FROM ZCACHEDCARBOBJECT")
        == [["0", ""]])
    #expect(
      try file.column("SELECT name FROM sqlite_schema WHERE name LIKE '%DELETEDCARB%'") == [])
  }

  @Test func `a store with a many-to-many gets a publisher for its books`() throws {
    let versions = "testmodel/Sample.xcdatamodeld/TestModel"
    let old = try Self.model("\(versions).xcdatamodel")
    let new = try Self.model("\(versions) 2.xcdatamodel")
    let folder = try StoreFolder(copyOf: URL.fixtures.appending(path: "testmodel/TestModel.sqlite"))
    let links = try #require(
      old.entitiesByName["Book"]?.relationships.first { $0.destinationEntityName == "Author" })
    do {
      // The app's store is empty.
      let context = try folder.open(old).newBackgroundContext()
      let authors = (0..<3).map { _ in ManagedObject("Author", in: context) }
      for author in authors {
        for attribute in author.entity.attributesByName.values where attribute.type == .string {
          author.setValue("Anne", forKey: attribute.name)
        }
      }
      for number in 0..<4 {
        let book = ManagedObject("Book", in: context)
        for attribute in book.entity.attributesByName.values where attribute.type == .string {
          book.setValue("Book \(number)", forKey: attribute.name)
        }
        book.setValue(Array(authors.prefix(number)), forKey: links.name)
      }
      try context.save()
    }
    try Self.migrate(folder, from: old, to: new)
    let books = try folder.snapshot(new).objects.filter { $0.key.entity == "Book" }
    #expect(books.values.map { $0[links.name]?.count ?? 0 }.sorted() == [0, 1, 2, 3])
    #expect(books.values.allSatisfy { $0["publisher"] == [] })
    try Self.check(folder, "\(versions) 2.xcdatamodel", entities: 3)
  }

  @Test func `a store of compiled models is migrated to the second version and the third`() throws {
    let models = try ["", "_v2", "_v3"].map {
      try Self.model("sample/SampleModel3.momd/SampleModel3\($0).mom")
    }
    let folder = try StoreFolder(
      copyOf: URL.fixtures.appending(path: "sample/SampleModel3_V1.sqlite"))
    for version in 1...2 {
      try Self.migrate(folder, from: models[version - 1], to: models[version])
      guard StoreChecker.isAvailable else { continue }
      // By the model that the store has in it now.
      let answer = try Python.runTool("check_store.py", [folder.store.path])
      #expect(answer.text == "0 differences, 2 entities\n", "\(answer.errors)")
    }
    #expect(try SQLiteFile(folder.store).value("SELECT count(ZNAME) FROM ZUSER") == "12")
  }

  @Test func `a handler between two versions moves values to another entity`() throws {
    let models = try ["", "_v2", "_v3"].map {
      try Self.model("sample/SampleModel3.momd/SampleModel3\($0).mom")
    }
    let folder = try StoreFolder(
      copyOf: URL.fixtures.appending(path: "sample/SampleModel3_V1.sqlite"))
    let names = try SQLiteFile(folder.store).rows("SELECT ZNAME, ZPETNAME FROM ZUSER ORDER BY 1, 2")
    #expect(names.count == 12 && names.contains { $0[1] != "NULL" })
    let pet = try #require(
      models[1].entitiesByName["Pet"]?.attributes.first { $0.type == .string }?.name)
    _ = try folder.open(models[2]) {
      $0 = .migrating
      $0.sourceModels = models
      $0.stagedMigrationManager = StagedMigrationManager([
        .custom(
          from: models[0], to: models[1],
          didMigrate: { container in
            let context = container.newBackgroundContext()
            for user in try context.fetch(FetchRequest<ManagedObject>(entityName: "User")) {
              let animal = ManagedObject("Pet", in: context)
              animal.setValue(user.value(forKey: "petName"), forKey: pet)
              user.setValue(animal, forKey: "pet")
            }
            try context.save()
          }),
        .lightweight([models[1], models[2]]),
      ])
    }
    #expect(
      try SQLiteFile(folder.store).rows(
        """
        SELECT u.ZNAME, p.Z\(pet.uppercased()) FROM ZUSER u JOIN ZPET p ON u.ZPET = p.Z_PK
        ORDER BY 1, 2
        """) == names)
  }

  // MARK: By mappings

  /// Moods and countries of the third app, without their keys, which a mapping assigns anew.
  private struct World: Equatable {
    var moods: [[String]] = []
    var countries: [[String]] = []

    init(_ folder: StoreFolder, _ model: ManagedObjectModel) throws {
      let objects = try folder.snapshot(model).objects
      func number(_ entity: String, _ key: [String]?) -> [String] {
        guard let key = key?.first.flatMap({ Int64($0) }) else { return [] }
        return objects[.init(entity: entity, key: key)]?["numericISO3166Code"] ?? []
      }
      for (key, values) in objects where key.entity == "Mood" {
        let names = [
          "colors", "creatorID", "date", "latitude", "longitude", "markedForRemoteDeletion",
          "rating", "remoteID",
        ]
        moods.append(
          names.map { "\($0) \(values[$0] ?? [])" } + number("Country", values["country"]))
      }
      for (key, values) in objects where key.entity == "Country" {
        let names = ["numberOfMoods", "numericISO3166Code", "uniquenessDummy", "updatedAt"]
        countries.append(
          names.map { "\($0) \(values[$0] ?? [])" }
            + (values["isoContinent"] ?? number("Continent", values["continent"])))
      }
      moods.sort { $0.lexicographicallyPrecedes($1) }
      countries.sort { $0.lexicographicallyPrecedes($1) }
    }
  }

  private static let moody = URL.fixtures.appending(path: "moody")
  private static func moody(_ version: Int) -> String {
    "moody/Moody.xcdatamodeld/Moody\(version == 1 ? "" : " \(version)").xcdatamodel"
  }

  @Test func `one store is migrated through five versions by four mappings, one after another`()
    throws
  {
    let folder = try StoreFolder(copyOf: Self.moody.appending(path: "Moody 2.moody"))
    let before = try World(folder, Self.model(Self.moody(2)))
    #expect(before.moods.count == 4 && before.countries.count == 3)
    #expect(before.countries.contains { $0.count == 5 })
    for version in 3...6 {
      let old = try Self.model(Self.moody(version - 1))
      let new = try Self.model(Self.moody(version))
      let manager = MigrationManager(sourceModel: old, destinationModel: new)
      manager.entityMigrationPolicies["Country5ToCountry6Policy"] = ContinentPolicy.self
      let mapping = try #require(
        try MappingModel(from: [Self.moody], forSourceModel: old, destinationModel: new))
      try manager.migrateStore(at: folder.store, mapping: mapping)
      #expect(try World(folder, new) == before, "version \(version)")
      #expect(try PersistentStoreCoordinator.problems(ofStoreAt: folder.store, model: new).isEmpty)
      try Self.check(folder, Self.moody(version), entities: new.entities.count)
    }
  }

  @Test func `one store is migrated through five versions when it is opened`() throws {
    let folder = try StoreFolder(copyOf: Self.moody.appending(path: "Moody 2.moody"))
    let models = try (2...6).map { try Self.model(Self.moody($0)) }
    let before = try World(folder, models[0])
    var options = PersistentStoreOptions.migrating
    options.infersMapping = false
    options.sourceModels = models.dropLast().reversed()
    options.mappingModels = try zip(models, models.dropFirst()).reversed().map { old, new in
      try #require(
        try MappingModel(from: [Self.moody], forSourceModel: old, destinationModel: new))
    }
    options.entityMigrationPolicies = ["Country5ToCountry6Policy": ContinentPolicy.self]
    options.migrationBackupURL = folder.url.appending(path: "Old.moody")
    _ = try PersistentContainer(
      name: "Moody", model: models[4], storeURL: folder.store, options: options)
    #expect(try World(folder, models[4]) == before)
    #expect(
      try PersistentStoreCoordinator.problems(ofStoreAt: folder.store, model: models[4]).isEmpty)
    try Self.check(folder, Self.moody(6), entities: 3)
    let old = try StoreFolder(copyOf: folder.url.appending(path: "Old.moody"))
    #expect(try World(old, models[0]) == before)
  }

  @Test
  func `every store of an app is migrated by one version without a mapping, and keeps its values`()
    throws
  {
    for version in 1...5 {
      let name = version == 1 ? "Moody" : "Moody \(version)"
      let folder = try StoreFolder(copyOf: Self.moody.appending(path: "\(name).moody"))
      try Self.migrate(
        folder, from: Self.model(Self.moody(version)), to: Self.model(Self.moody(version + 1)))
      try Self.check(
        folder, Self.moody(version + 1),
        entities: Self.model(Self.moody(version + 1)).entities.count)
    }
  }
}

import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Stores that are migrated object by object, by mappings that cannot be inferred.
struct MigrationManagerTests {
  @Test func `a mapping and a policy make a new file, and the old one is unchanged`() throws {
    let folder = try StoreMigrationTests.kennel()
    do {
      let coordinator = try folder.open(StoreMigrationTests.dogs).persistentStoreCoordinator
      try coordinator.setMetadata(
        .string("red"), forKey: "colour", of: coordinator.persistentStores[0])
    }
    let before = try folder.bytes()
    let made = folder.url.appending(path: "New.sqlite")
    let manager = KennelMigration.manager()
    try manager.migrateStore(from: folder.store, mapping: KennelMigration.mapping, to: made)
    #expect(try KennelMigration.contents(of: made) == KennelMigration.expected)
    var after = try folder.bytes()
    after["New.sqlite"] = nil
    #expect(after == before)
    #expect(
      try SQLiteFile(made).value("SELECT Z_UUID FROM Z_METADATA")
        == SQLiteFile(folder.store).value("SELECT Z_UUID FROM Z_METADATA"))
    let metadata = try PersistentStoreCoordinator.metadata(
      forPersistentStoreAt: made, type: .sqlite)
    #expect(metadata["colour"] == .string("red"))
    #expect(KennelMigration.new.isCompatible(withStoreMetadata: metadata))
    // The second time the name is taken.
    #expect(throws: PersistentStoreError.self) {
      try manager.migrateStore(from: folder.store, mapping: KennelMigration.mapping, to: made)
    }
    #expect(try folder.names() == ["DogWalk.sqlite", "New.sqlite"])
  }

  @Test func `a policy finds all objects that it has created in the destination's context`() throws
  {
    let folder = try StoreFolder()
    try folder.fill(StoreMigrationTests.dogs) { context in
      for number in 1...1_200 {
        ManagedObject("Dog", in: context).setValue("Dog \(number)", forKey: "name")
      }
    }
    let manager = KennelMigration.manager()
    manager.entityMigrationPolicies["KennelPolicy"] = RememberingPolicy.self
    let made = folder.url.appending(path: "New.sqlite")
    try manager.migrateStore(from: folder.store, mapping: KennelMigration.mapping, to: made)
    let file = try SQLiteFile(made)
    #expect(try file.value("SELECT count(*) FROM ZKENNEL") == "1")
    #expect(try file.value("SELECT count(*) FROM ZHOUND WHERE ZKENNEL = 1") == "1200")
  }

  @Test func `a store is replaced in its file, with other programs' tables in it`() throws {
    let folder = try StoreMigrationTests.kennel()
    try SQLiteFile(folder.store).execute(
      """
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZENTITY INTEGER);
      CREATE TABLE strangers (name)
      """)
    #expect(throws: PersistentStoreError.self) {
      try KennelMigration.manager().migrateStore(at: folder.store, mapping: KennelMigration.mapping)
    }
    var options = PersistentStoreOptions()
    options.ignoredObstacles = [.persistentHistory]
    let backup = folder.url.appending(path: "Old.sqlite")
    options.migrationBackupURL = backup
    let result = try KennelMigration.manager().migrateStore(
      at: folder.store, mapping: KennelMigration.mapping, options: options)
    #expect(result?.mapping == KennelMigration.mapping)
    #expect(try KennelMigration.contents(of: folder.store) == KennelMigration.expected)
    for (query, value) in [
      "SELECT count(*) FROM strangers": "0", "PRAGMA integrity_check": "ok",
    ] {
      #expect(try SQLiteFile(folder.store).value(query) == value)
    }
    #expect(try SQLiteFile(backup).column("SELECT ZNAME FROM ZDOG ORDER BY 1") == ["Fido", "Rex"])
    #expect(try folder.names() == ["DogWalk.sqlite", "Old.sqlite"])
    // There is nothing left to do, as for a process that was slower.
    #expect(
      try KennelMigration.manager().migrateStore(
        at: folder.store, mapping: KennelMigration.mapping, options: options)
        == nil)
  }

  @Test func `a method of the policy gives attributes and relationships their values`() throws {
    let folder = try StoreMigrationTests.kennel()
    var mapping = KennelMigration.mapping
    let source = FetchExpression.variable("source")
    mapping.entityMappings[0].entityMigrationPolicyClassName = "LoudPolicy"
    mapping.entityMappings[0].attributeMappings[1].value = .policyFunction(
      "loudly:times:", arguments: [source.property("name"), .constant(.integer(2))])
    mapping.entityMappings[0].relationshipMappings.append(
      PropertyMapping(
        name: "kennel",
        value: .policyFunction(
          "kennelOf:manager:mapping:property:",
          arguments: ["destination", "manager", "entityMapping", "propertyMapping"]
            .map { .variable($0) })))
    let manager = KennelMigration.manager()
    manager.entityMigrationPolicies["LoudPolicy"] = LoudPolicy.self
    try manager.migrateStore(at: folder.store, mapping: mapping)
    #expect(
      try KennelMigration.contents(of: folder.store) == [
        ["1", "Fido", "FIDO!FIDO!", "Fido", "180,60,120"],
        ["2", "Rex", "REX!REX!", "Rex", "NULL"],
      ])
  }

  @Test func `a method that the policy does not have, or without a policy, ends the migration`()
    throws
  {
    let folder = try StoreMigrationTests.kennel()
    let before = try folder.bytes()
    var mapping = KennelMigration.mapping
    mapping.entityMappings[0].attributeMappings[1].value = .policyFunction(
      "whisper:", arguments: [.variable("source")])
    for policy in [mapping.entityMappings[0].entityMigrationPolicyClassName, nil] {
      mapping.entityMappings[0].entityMigrationPolicyClassName = policy
      #expect(
        throws: MigrationError.unknownPolicyFunction(
          mapping: "DogToHound", property: "shout", name: "whisper:")
      ) { try KennelMigration.manager().migrateStore(at: folder.store, mapping: mapping) }
      #expect(try folder.bytes() == before)
    }
  }

  @Test func `an inferred mapping that was changed is carried out as changed`() throws {
    let folder = try StoreMigrationTests.kennel()
    let loud = StoreMigrationTests.changed(StoreMigrationTests.dogs, "Dog") {
      $0.properties.append(.value("shout", .string))
    }
    var mapping = try MappingModel.inferred(from: StoreMigrationTests.dogs, to: loud)
    let dogs = try #require(
      mapping.entityMappings.firstIndex { $0.destinationEntityName == "Dog" })
    let shout = try #require(
      mapping.entityMappings[dogs].attributeMappings.firstIndex { $0.name == "shout" })
    mapping.entityMappings[dogs].attributeMappings[shout].value = .expression(
      .function(.uppercase, [.property(of: .variable("source"), "name")]))
    let container = try folder.open(loud) {
      $0.migratesAutomatically = true
      $0.mappingModels = [mapping]
    }
    var request = FetchRequest<ManagedObject>(entityName: "Dog")
    request.sortDescriptors = [.init(key: "name")]
    let context = container.newBackgroundContext()
    let found = try context.fetch(request)
    #expect(found.map { $0.value(forKey: "shout") as? String } == ["FIDO", "REX"])
    withExtendedLifetime(context) {
      #expect(
        found.map { ($0.value(forKey: "walks") as? OrderedSet<ManagedObject>)?.count } == [3, 0])
    }
  }

  @Test func `a container that has the mapping migrates the store automatically`() throws {
    let folder = try StoreMigrationTests.kennel()
    let container = try folder.open(KennelMigration.new) {
      $0 = .migrating
      $0.mappingModels = [MappingModel(entityMappings: []), KennelMigration.mapping]
      $0.mappingModels.removeFirst()
      $0.entityMigrationPolicies = ["KennelPolicy": KennelPolicy.self]
    }
    let hounds = try container.newBackgroundContext().count(
      for: FetchRequest<ManagedObject>(entityName: "Hound"))
    #expect(hounds == 2)
    #expect(try KennelMigration.contents(of: folder.store) == KennelMigration.expected)
  }

  @Test func `the methods of a policy are called in Core Data's order`() throws {
    let folder = try StoreMigrationTests.kennel()
    var mapping = KennelMigration.mapping
    for index in mapping.entityMappings.indices {
      mapping.entityMappings[index].entityMigrationPolicyClassName = "Noting"
    }
    let manager = KennelMigration.manager()
    manager.entityMigrationPolicies["Noting"] = NotingPolicy.self
    try manager.migrateStore(
      from: folder.store, mapping: mapping, to: folder.url.appending(path: "New.sqlite"))
    #expect(
      manager.userInfo["calls"] as? [String] == [
        "begin DogToHound", "create", "create", "endCreation DogToHound",
        "begin WalkToOuting", "create", "create", "create", "endCreation WalkToOuting",
        "relate", "relate", "endRelating DogToHound",
        "relate", "relate", "relate", "endRelating WalkToOuting",
        "validate DogToHound", "end DogToHound", "validate WalkToOuting", "end WalkToOuting",
      ])
  }

  @Test func `a predicate excludes objects, and relationships to them are empty`() throws {
    let folder = try StoreMigrationTests.kennel()
    var mapping = KennelMigration.mapping
    mapping.entityMappings[1].sourcePredicate = try FetchPredicate(format: "duration > 1")
    try KennelMigration.manager().migrateStore(at: folder.store, mapping: mapping)
    #expect(
      try KennelMigration.contents(of: folder.store)
        == [["1", "Fido", "FIDO", "F", "180,120"], ["2", "Rex", "REX", "R", "NULL"]])
  }

  @Test(arguments: [true, false])
  func `large values are copied with their files, and no other file remains`(inSteps: Bool) throws {
    func version(_ name: String, from old: String?) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Dog",
          properties: [
            .attribute(
              .init(
                name: name, type: .binaryData, isOptional: true,
                allowsExternalBinaryDataStorage: true, renamingIdentifier: old))
          ])
      ])
    }
    let versions = [
      version("picture", from: nil), version("photo", from: "picture"),
      version("image", from: "photo"),
    ]
    let folder = try StoreFolder()
    let values = (0..<3).map { Data(repeating: UInt8($0), count: 150_000) }
    try folder.fill(versions[0]) { context in
      for value in values {
        ManagedObject("Dog", in: context).setValue(value, forKey: "picture")
      }
    }
    func mapping(_ old: String, _ new: String) -> MappingModel {
      var dogs = EntityMapping(name: "DogToDog", from: "Dog", to: "Dog")
      dogs.attributeMappings = [PropertyMapping(name: new, sourceName: old)]
      return MappingModel(entityMappings: [dogs])
    }
    var options = PersistentStoreOptions()
    options.migratesAutomatically = true
    options.sourceModels = [versions[0], versions[1]]
    options.mappingModels =
      inSteps
      ? [mapping("picture", "photo"), mapping("photo", "image")].enumerated().map {
        index, mapping in
        var mapping = mapping
        mapping.entityMappings[0].sourceEntityVersionHash =
          versions[index].entityVersionHashesByName["Dog"]
        mapping.entityMappings[0].destinationEntityVersionHash =
          versions[index + 1].entityVersionHashesByName["Dog"]
        return mapping
      } : [mapping("picture", "image")]
    let dogs = try PersistentContainer(
      name: "Test", model: versions[2], storeURL: folder.store, options: options
    ).newBackgroundContext().fetch(FetchRequest<ManagedObject>(entityName: "Dog"))
    #expect(dogs.map { $0.value(forKey: "image") as? Data } == values)
    let files = folder.url.appending(path: ".DogWalk_SUPPORT/_EXTERNAL_DATA")
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).count == 3)
    #expect(
      try PersistentStoreCoordinator.problems(ofStoreAt: folder.store, model: versions[2]).isEmpty)
  }

  @Test func `leftovers of a killed migration do no harm`() throws {
    let folder = try StoreMigrationTests.kennel()
    let rest = folder.url.appending(path: ".DogWalk.sqlite.migrating/deep")
    try FileManager.default.createDirectory(at: rest, withIntermediateDirectories: true)
    try KennelMigration.manager().migrateStore(at: folder.store, mapping: KennelMigration.mapping)
    #expect(try folder.names() == ["DogWalk.sqlite"])
  }

  @Test func `thousands of objects are copied in batches, and progress rises to the end`() throws {
    let folder = try StoreFolder()
    try folder.fill(StoreMigrationTests.dogs) { context in
      for number in 0..<700 {
        let dog = ManagedObject("Dog", in: context)
        dog.setValue("Dog \(number)", forKey: "name")
        for minutes in 0..<3 {
          let walk = ManagedObject("Walk", in: context)
          walk.setValue(Double(minutes), forKey: "duration")
          walk.setValue(dog, forKey: "dog")
        }
      }
    }
    let manager = KennelMigration.manager()
    var heard: [Double] = []
    manager.progressHandler = { heard.append($0) }
    try manager.migrateStore(at: folder.store, mapping: KennelMigration.mapping)
    #expect(
      heard == heard.sorted() && heard.count > 10 && heard.allSatisfy { (0...1).contains($0) })
    let file = try SQLiteFile(folder.store)
    #expect(try file.value("SELECT count(*), count(ZHOUND) FROM ZOUTING") == "2100")
    let wrong = try file.value(
      """
      SELECT count(*) FROM ZHOUND h WHERE (SELECT group_concat(ZSECONDS) FROM
        (SELECT ZSECONDS FROM ZOUTING WHERE ZHOUND = h.Z_PK ORDER BY Z_FOK_HOUND)) <> '0,60,120'
      """)
    #expect(wrong == "0")
    #expect(try file.value("SELECT count(*) FROM ZKENNEL") == "1")
  }
}

/// Records what is called.
private final class NotingPolicy: EntityMigrationPolicy {
  private func note(_ call: String, _ manager: MigrationManager) {
    manager.userInfo["calls"] = (manager.userInfo["calls"] as? [String] ?? []) + [call]
  }

  override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
    note("begin \(mapping.name)", manager)
    #expect(manager.currentEntityMapping == mapping)
  }
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    note("create", manager)
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
  }
  override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) {
    note("endCreation \(mapping.name)", manager)
  }
  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    note("relate", manager)
    try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
  }
  override func endRelationshipCreation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) {
    note("endRelating \(mapping.name)", manager)
  }
  override func performCustomValidation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) {
    note("validate \(mapping.name)", manager)
  }
  override func end(_ mapping: EntityMapping, manager: MigrationManager) {
    note("end \(mapping.name)", manager)
  }
}

/// Has methods that mappings call by their names.
private final class LoudPolicy: EntityMigrationPolicy {
  override func value(
    forFunction selector: String, arguments: [Any?], of property: PropertyMapping,
    manager: MigrationManager
  ) throws -> Any? {
    switch selector {
    case "loudly:times:":
      let name = try #require(arguments[0] as? String)
      let count = try #require(arguments[1] as? Int64)
      return String(repeating: name.uppercased() + "!", count: Int(count))
    case "kennelOf:manager:mapping:property:":
      let hound = try #require(arguments[0] as? ManagedObject)
      #expect(arguments[1] as? MigrationManager === manager)
      #expect((arguments[2] as? EntityMapping)?.name == "DogToHound")
      #expect(arguments[3] as? PropertyMapping == property)
      let kennel = EntityDescription.insertNewObject(
        forEntityName: "Kennel", into: manager.destinationContext)
      kennel.setValue(hound.value(forKey: "title"), forKey: "letter")
      return kennel
    default:
      return try super.value(
        forFunction: selector, arguments: arguments, of: property, manager: manager)
    }
  }
}

/// Looks for the kennel among the registered objects, as policies for Core Data often do.
private final class RememberingPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let context = manager.destinationContext
    let kennel =
      context.registeredObjects.first { !$0.isFault && $0.entity.name == "Kennel" }
      ?? EntityDescription.insertNewObject(forEntityName: "Kennel", into: context)
    kennel.setValue("D", forKey: "letter")
    manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
      .first?.setValue(kennel, forKey: "kennel")
  }
}

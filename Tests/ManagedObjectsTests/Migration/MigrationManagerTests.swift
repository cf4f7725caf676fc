import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Stores that are carried over object by object, by mappings that say more than can be inferred.
struct MigrationManagerTests {
  /// Dogs that were walked become hounds with a kennel of their name, and their walks outings.
  private static let new = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Hound",
      properties: [
        .value("title", .string), .value("shout", .string),
        .toMany("outings", "Outing", back: "hound", isOrdered: true),
        .toOne("kennel", "Kennel", back: "hounds"),
      ]),
    EntityDescription(
      name: "Kennel",
      properties: [.value("letter", .string), .toMany("hounds", "Hound", back: "kennel")],
      uniquenessConstraints: [["letter"]]),
    EntityDescription(
      name: "Outing",
      properties: [.value("seconds", .integer32), .toOne("hound", "Hound", back: "outings")]),
  ])

  private static let mapping: MappingModel = {
    let source = FetchExpression.variable("source")
    var dogs = EntityMapping(name: "DogToHound", from: "Dog", to: "Hound")
    dogs.attributeMappings = [
      PropertyMapping(name: "title", sourceName: "name"),
      PropertyMapping(
        name: "shout", value: .expression(.function(.uppercase, [source.property("name")]))),
    ]
    dogs.relationshipMappings = [
      PropertyMapping(name: "outings", sourceName: "walks", mappedBy: "WalkToOuting")
    ]
    dogs.entityMigrationPolicyClassName = "App.KennelPolicy"
    var walks = EntityMapping(name: "WalkToOuting", from: "Walk", to: "Outing")
    walks.attributeMappings = [
      PropertyMapping(
        name: "seconds",
        value: .expression(
          .function(.multiply, [source.property("duration"), .constant(.integer(60))])))
    ]
    return MappingModel(entityMappings: [dogs, walks])
  }()

  private static func manager() -> MigrationManager {
    let manager = MigrationManager(sourceModel: StoreMigrationTests.dogs, destinationModel: new)
    manager.entityMigrationPolicies["KennelPolicy"] = KennelPolicy.self
    return manager
  }

  /// What the new store holds, in the order of its keys.
  private static func contents(of url: URL) throws -> [[String]] {
    try SQLiteFile(url).rows(
      """
      SELECT h.Z_PK, ZTITLE, ZSHOUT, ZLETTER, (SELECT group_concat(ZSECONDS) FROM
        (SELECT ZSECONDS FROM ZOUTING o WHERE o.ZHOUND = h.Z_PK ORDER BY Z_FOK_HOUND))
      FROM ZHOUND h JOIN ZKENNEL k ON h.ZKENNEL = k.Z_PK ORDER BY h.Z_PK
      """)
  }

  private static let expected = [
    ["1", "Fido", "FIDO", "F", "180,60,120"], ["2", "Rex", "REX", "R", "NULL"],
  ]

  @Test func `a mapping and a policy make a new file, and the old one stays`() throws {
    let folder = try StoreMigrationTests.kennel()
    do {
      let coordinator = try folder.open(StoreMigrationTests.dogs).persistentStoreCoordinator
      try coordinator.setMetadata(
        .string("red"), forKey: "colour", of: coordinator.persistentStores[0])
    }
    let before = try folder.bytes()
    let made = folder.url.appending(path: "New.sqlite")
    let manager = Self.manager()
    try manager.migrateStore(from: folder.store, mapping: Self.mapping, to: made)
    #expect(try Self.contents(of: made) == Self.expected)
    var after = try folder.bytes()
    after["New.sqlite"] = nil
    #expect(after == before)
    #expect(
      try SQLiteFile(made).value("SELECT Z_UUID FROM Z_METADATA")
        == SQLiteFile(folder.store).value("SELECT Z_UUID FROM Z_METADATA"))
    let metadata = try PersistentStoreCoordinator.metadata(
      forPersistentStoreAt: made, type: .sqlite)
    #expect(metadata["colour"] == .string("red"))
    #expect(Self.new.isCompatible(withStoreMetadata: metadata))
    // A second time the name is taken.
    #expect(throws: PersistentStoreError.self) {
      try manager.migrateStore(from: folder.store, mapping: Self.mapping, to: made)
    }
    #expect(try folder.names() == ["DogWalk.sqlite", "New.sqlite"])
  }

  @Test func `a store is replaced in its file, its undo log dropped and its history emptied`()
    throws
  {
    let folder = try StoreMigrationTests.kennel()
    try SQLiteFile(folder.store).execute(
      """
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZENTITY INTEGER);
      INSERT INTO ACHANGE VALUES (1, 1), (2, 2);
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 2);
      CREATE TABLE strangers (name)
      """)
    #expect(throws: PersistentStoreError.self) {
      try Self.manager().migrateStore(at: folder.store, mapping: Self.mapping)
    }
    var options = PersistentStoreOptions()
    options.ignoredObstacles = [.persistentHistory]
    let backup = folder.url.appending(path: "Old.sqlite")
    options.migrationBackupURL = backup
    let result = try Self.manager().migrateStore(
      at: folder.store, mapping: Self.mapping, options: options)
    #expect(result?.mapping == Self.mapping)
    #expect(try Self.contents(of: folder.store) == Self.expected)
    for (query, value) in [
      "SELECT count(*) FROM ACHANGE": "0", "SELECT count(*) FROM strangers": "0",
      "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16001": "2", "PRAGMA integrity_check": "ok",
    ] {
      #expect(try SQLiteFile(folder.store).value(query) == value)
    }
    #expect(try SQLiteFile(backup).column("SELECT ZNAME FROM ZDOG ORDER BY 1") == ["Fido", "Rex"])
    #expect(try folder.names() == ["DogWalk.sqlite", "Old.sqlite"])
    // There is nothing left to do, as for a process that was slower.
    #expect(
      try Self.manager().migrateStore(at: folder.store, mapping: Self.mapping, options: options)
        == nil)
  }

  @Test func `a container that has the mapping carries the store over by itself`() throws {
    let folder = try StoreMigrationTests.kennel()
    let container = try folder.open(Self.new) {
      $0 = .migrating
      $0.mappingModels = [MappingModel(entityMappings: []), Self.mapping]
      $0.mappingModels.removeFirst()
      $0.entityMigrationPolicies = ["KennelPolicy": KennelPolicy.self]
    }
    let hounds = try container.newBackgroundContext().count(
      for: FetchRequest<ManagedObject>(entityName: "Hound"))
    #expect(hounds == 2)
    #expect(try Self.contents(of: folder.store) == Self.expected)
  }

  @Test func `the methods of a policy are called in Core Data's order`() throws {
    let folder = try StoreMigrationTests.kennel()
    var mapping = Self.mapping
    for index in mapping.entityMappings.indices {
      mapping.entityMappings[index].entityMigrationPolicyClassName = "Noting"
    }
    let manager = Self.manager()
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

  @Test func `a predicate leaves objects out, and what leads to them leads nowhere`() throws {
    let folder = try StoreMigrationTests.kennel()
    var mapping = Self.mapping
    mapping.entityMappings[1].sourcePredicate = try FetchPredicate(format: "duration > 1")
    try Self.manager().migrateStore(at: folder.store, mapping: mapping)
    #expect(
      try Self.contents(of: folder.store)
        == [["1", "Fido", "FIDO", "F", "180,120"], ["2", "Rex", "REX", "R", "NULL"]])
  }

  // MARK: What is in the way

  @Test(arguments: ["throw", "cancel"])
  func `a policy that fails in the middle leaves the store as it was`(how: String) throws {
    let folder = try StoreMigrationTests.kennel()
    let before = try folder.bytes()
    var mapping = Self.mapping
    mapping.entityMappings[1].entityMigrationPolicyClassName = "Failing"
    mapping.entityMappings[1].userInfo = ["how": how]
    let manager = Self.manager()
    manager.entityMigrationPolicies["Failing"] = FailingPolicy.self
    var options = PersistentStoreOptions()
    options.migrationBackupURL = folder.url.appending(path: "Old.sqlite")
    #expect(throws: FailingPolicy.Failure.self) {
      try manager.migrateStore(at: folder.store, mapping: mapping, options: options)
    }
    #expect(throws: FailingPolicy.Failure.self) {
      try manager.migrateStore(
        from: folder.store, mapping: mapping, to: folder.url.appending(path: "New.sqlite"))
    }
    #expect(try folder.bytes() == before)
    // The manager can be used again.
    try manager.migrateStore(at: folder.store, mapping: Self.mapping)
    #expect(try Self.contents(of: folder.store) == Self.expected)
  }

  @Test(arguments: ["WAL", "DELETE"])
  func `what is not valid in the end is refused`(journalMode: String) throws {
    let folder = try StoreMigrationTests.kennel()
    try SQLiteFile(folder.store).execute("PRAGMA journal_mode = \(journalMode)")
    let before = try folder.bytes()
    let strict = StoreMigrationTests.changed(Self.new, "Hound") {
      $0.properties[1] = .attribute(.init(name: "shout", type: .string, isOptional: false))
    }
    var mapping = Self.mapping
    mapping.entityMappings[0].attributeMappings.removeLast()
    let manager = MigrationManager(
      sourceModel: StoreMigrationTests.dogs, destinationModel: strict)
    manager.entityMigrationPolicies["KennelPolicy"] = KennelPolicy.self
    let error = #expect(throws: ValidationError.self) {
      try manager.migrateStore(at: folder.store, mapping: mapping)
    }
    #expect(error?.failures.map(\.property) == ["shout"])
    #expect(try folder.bytes() == before)
  }

  @Test func `what a mapping names and a model lacks is an error before anything is made`() throws {
    let folder = try StoreMigrationTests.kennel()
    let before = try folder.bytes()
    func refusal(_ change: (inout MappingModel) -> Void) -> MigrationError? {
      var mapping = Self.mapping
      change(&mapping)
      return #expect(throws: MigrationError.self) {
        try Self.manager().migrateStore(at: folder.store, mapping: mapping)
      }
    }
    #expect(
      refusal { $0.entityMappings[1].sourceEntityName = "Cat" }
        == .unknownEntity(mapping: "WalkToOuting", entity: "Cat"))
    #expect(
      refusal {
        $0.entityMappings[1].sourceEntityVersionHash = VersionHash(
          bytes: Array(repeating: 1, count: 32))
      }
        == .differentVersion(mapping: "WalkToOuting", entity: "Walk"))
    #expect(
      refusal { $0.entityMappings[1].name = "DogToHound" } == .duplicateMappingName("DogToHound"))
    #expect(
      refusal { $0.entityMappings[0].attributeMappings[0].name = "nmae" }
        == .unknownProperty(mapping: "DogToHound", entity: "Hound", property: "nmae"))
    #expect(
      refusal {
        $0.entityMappings[0].attributeMappings[0] = PropertyMapping(
          name: "title", sourceName: "walks.dog.nmae")
      } == .unknownProperty(mapping: "DogToHound", entity: "Dog", property: "walks.dog.nmae"))
    #expect(
      refusal {
        $0.entityMappings[0].relationshipMappings[0] = PropertyMapping(
          name: "outings", sourceName: "walks", mappedBy: "WalkToWalk")
      }
        == .unknownMapping(mapping: "DogToHound", property: "outings", name: "WalkToWalk"))
    #expect(
      refusal {
        $0.entityMappings[0].relationshipMappings[0] = PropertyMapping(
          name: "outings", sourceName: "walks")
      } == .unusableExpression(mapping: "DogToHound", property: "outings"))
    #expect(
      refusal { $0.entityMappings[0].entityMigrationPolicyClassName = "Nobody" }
        == .missingPolicy(mapping: "DogToHound", className: "Nobody"))
    #expect(
      refusal {
        $0.entityMappings[1].attributeMappings[0] = PropertyMapping(
          name: "seconds", sourceName: "dog.name")
      }
        == .unacceptableValue(mapping: "WalkToOuting", property: "seconds", value: "Fido"))
    #expect(try folder.bytes() == before)
  }

  @Test func `rows of no entity, and a store in iCloud, are refused`() throws {
    let folder = try StoreMigrationTests.kennel()
    try SQLiteFile(folder.store).execute("INSERT INTO ZDOG (Z_PK, Z_ENT, Z_OPT) VALUES (9, 77, 1)")
    #expect(throws: MigrationError.rowsOfNoEntity(table: "ZDOG", primaryKeys: [9])) {
      try Self.manager().migrateStore(at: folder.store, mapping: Self.mapping)
    }
    try SQLiteFile(folder.store).execute(
      "DELETE FROM ZDOG WHERE Z_PK = 9; CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY)")
    var options = PersistentStoreOptions()
    options.ignoredObstacles = [.cloudKit]
    let before = try folder.bytes()
    let error = #expect(throws: PersistentStoreError.self) {
      try Self.manager().migrateStore(at: folder.store, mapping: Self.mapping, options: options)
    }
    guard case .cannotWrite(_, .cloudKit) = error else { return #expect(Bool(false), "\(error!)") }
    #expect(try folder.bytes() == before)
  }

  @Test(arguments: [true, false])
  func `large values come over with their files, and no other file stays`(inSteps: Bool) throws {
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
      try PersistentStoreCoordinator.faults(ofStoreAt: folder.store, model: versions[2]).isEmpty)
  }

  @Test func `a mapping for other versions is passed over`() throws {
    let folder = try StoreMigrationTests.kennel()
    var other = Self.mapping
    other.entityMappings[0].sourceEntityVersionHash = VersionHash(
      bytes: Array(repeating: 1, count: 32))
    #expect(throws: MigrationError.missingMappingModel(folder.store)) {
      try folder.open(Self.new) {
        $0.migratesAutomatically = true
        $0.mappingModels = [other]
      }
    }
    #expect(other.leads(from: StoreMigrationTests.dogs, to: Self.new) == false)
    #expect(Self.mapping.leads(from: StoreMigrationTests.dogs, to: Self.new))
    #expect(Self.mapping.leads(from: Self.new, to: StoreMigrationTests.dogs) == false)
  }

  @Test func `what a killed migration left behind does not stand in the way`() throws {
    let folder = try StoreMigrationTests.kennel()
    let rest = folder.url.appending(path: ".DogWalk.sqlite.migrating/deep")
    try FileManager.default.createDirectory(at: rest, withIntermediateDirectories: true)
    try Self.manager().migrateStore(at: folder.store, mapping: Self.mapping)
    #expect(try folder.names() == ["DogWalk.sqlite"])
  }

  @Test func `thousands of objects come over in batches, and progress rises to the end`() throws {
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
    let manager = Self.manager()
    var heard: [Double] = []
    manager.progressHandler = { heard.append($0) }
    try manager.migrateStore(at: folder.store, mapping: Self.mapping)
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

// MARK: Policies

/// Gives each hound the kennel of its letter, which is made once.
private final class KennelPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let hounds = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [source])
    #expect(hounds.count == 1)
    #expect(
      manager.sourceInstances(forEntityMappingName: nil, destinationInstances: hounds) == [source])
    let letter = (source.value(forKey: "name") as? String ?? "").prefix(1)
    var request = FetchRequest<ManagedObject>(entityName: "Kennel")
    request.predicate = try FetchPredicate(format: "letter == %@", String(letter))
    let context = manager.destinationContext
    let kennel =
      try context.fetch(request).first
      ?? EntityDescription.insertNewObject(forEntityName: "Kennel", into: context)
    kennel.setValue(String(letter), forKey: "letter")
    hounds.first?.setValue(kennel, forKey: "kennel")
  }
}

/// Fails at the second object, by itself or through the manager.
private final class FailingPolicy: EntityMigrationPolicy {
  struct Failure: Error {}
  private var count = 0

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    count += 1
    if count == 2 {
      if mapping.userInfo["how"] == "throw" { throw Failure() }
      manager.cancelMigration(with: Failure())
    }
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
  }
}

/// Notes what is called.
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

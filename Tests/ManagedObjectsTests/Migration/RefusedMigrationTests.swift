import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Migrations by a mapping that cannot be carried out: the store is left unchanged.
struct RefusedMigrationTests {
  @Test(arguments: ["throw", "cancel"])
  func `a policy that fails halfway leaves the store unchanged`(how: String) throws {
    let folder = try StoreMigrationTests.kennel()
    let before = try folder.bytes()
    var mapping = KennelMigration.mapping
    mapping.entityMappings[1].entityMigrationPolicyClassName = "Failing"
    mapping.entityMappings[1].userInfo = ["how": how]
    let manager = KennelMigration.manager()
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
    try manager.migrateStore(at: folder.store, mapping: KennelMigration.mapping)
    #expect(try KennelMigration.contents(of: folder.store) == KennelMigration.expected)
  }

  @Test func `a disk that is full before the draft is complete leaves the store, and nothing else`()
    async throws
  {
    let folder = try StoreFolder(at: SharedFolder.drafted(of: getpid()))
    try folder.fill(StoreMigrationTests.dogs) { context in
      for number in 0..<200 {
        let name = "\(number)" + String(repeating: "x", count: 2_000)
        ManagedObject("Dog", in: context).setValue(name, forKey: "name")
      }
    }
    let before = try folder.allBytes()
    await #expect(processExitsWith: .success) {
      let folder = try StoreFolder(at: SharedFolder.drafted(of: getppid()))
      folder.isKept = true
      let manager = KennelMigration.manager()
      FileSizeLimit.set(200_000)
      let error = #expect(throws: PersistentStoreError.self) {
        try manager.migrateStore(at: folder.store, mapping: KennelMigration.mapping)
      }
      FileSizeLimit.lift()
      guard case .full? = error else { return #expect(Bool(false), "\(error!)") }
    }
    #expect(try folder.allBytes() == before)
  }

  @Test(arguments: ["WAL", "DELETE"])
  func `an invalid result is refused`(journalMode: String) throws {
    let folder = try StoreMigrationTests.kennel()
    try SQLiteFile(folder.store).execute("PRAGMA journal_mode = \(journalMode)")
    let before = try folder.bytes()
    let strict = StoreMigrationTests.changed(KennelMigration.new, "Hound") {
      $0.properties[1] = .attribute(.init(name: "shout", type: .string, isOptional: false))
    }
    var mapping = KennelMigration.mapping
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

  @Test func `an unknown name in a mapping is an error before anything is made`() throws {
    let folder = try StoreMigrationTests.kennel()
    let before = try folder.bytes()
    func refusal(_ change: (inout MappingModel) -> Void) -> MigrationError? {
      var mapping = KennelMigration.mapping
      change(&mapping)
      return #expect(throws: MigrationError.self) {
        try KennelMigration.manager().migrateStore(at: folder.store, mapping: mapping)
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
      try KennelMigration.manager().migrateStore(at: folder.store, mapping: KennelMigration.mapping)
    }
    try SQLiteFile(folder.store).execute(
      "DELETE FROM ZDOG WHERE Z_PK = 9; CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY)")
    var options = PersistentStoreOptions()
    options.ignoredObstacles = [.cloudKit]
    let before = try folder.bytes()
    let error = #expect(throws: PersistentStoreError.self) {
      try KennelMigration.manager().migrateStore(
        at: folder.store, mapping: KennelMigration.mapping, options: options)
    }
    guard case .cannotWrite(_, .cloudKit) = error else { return #expect(Bool(false), "\(error!)") }
    #expect(try folder.bytes() == before)
  }

  @Test func `a mapping for other versions is skipped`() throws {
    let folder = try StoreMigrationTests.kennel()
    var other = KennelMigration.mapping
    other.entityMappings[0].sourceEntityVersionHash = VersionHash(
      bytes: Array(repeating: 1, count: 32))
    #expect(throws: MigrationError.missingMappingModel(folder.store)) {
      try folder.open(KennelMigration.new) {
        $0.migratesAutomatically = true
        $0.mappingModels = [other]
      }
    }
    #expect(other.leads(from: StoreMigrationTests.dogs, to: KennelMigration.new) == false)
    #expect(KennelMigration.mapping.leads(from: StoreMigrationTests.dogs, to: KennelMigration.new))
    #expect(
      KennelMigration.mapping.leads(from: KennelMigration.new, to: StoreMigrationTests.dogs)
        == false)
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

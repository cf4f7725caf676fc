import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Stores that are migrated in stages, with handlers of the program in between.
struct StagedMigrationTests {
  /// A dog's `name`, then beside it a `key` that may be missing, which then becomes required and
  /// unique.
  private static let versions: [ManagedObjectModel] = [
    version([.value("name", .string)]),
    version([.value("name", .string), .value("key", .string)]),
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Dog",
        properties: [
          .value("name", .string),
          .attribute(.init(name: "key", type: .string, defaultValue: .string(""))),
        ],
        uniquenessConstraints: [["key"]])
    ]),
  ]

  private static func version(_ properties: [PropertyDescription]) -> ManagedObjectModel {
    ManagedObjectModel(entities: [EntityDescription(name: "Dog", properties: properties)])
  }

  private static func kennel() throws -> StoreFolder {
    let folder = try StoreFolder()
    try folder.fill(versions[0]) { context in
      for name in ["Fido", "Rex", "FIDO"] {
        ManagedObject("Dog", in: context).setValue(name, forKey: "name")
      }
    }
    return folder
  }

  /// Gives every dog its key, and deletes duplicates.
  @Sendable private static func fillKeys(_ container: PersistentContainer) throws {
    let context = container.newBackgroundContext()
    var seen: Set<String> = []
    for dog in try context.fetch(FetchRequest<ManagedObject>(entityName: "Dog")) {
      let key = (dog.value(forKey: "name") as? String ?? "").lowercased()
      if seen.insert(key).inserted { dog.setValue(key, forKey: "key") } else { context.delete(dog) }
    }
    try context.save()
  }

  private static func open(
    _ folder: StoreFolder, _ stages: [MigrationStage],
    to model: ManagedObjectModel = Self.versions[2]
  ) throws -> PersistentContainer {
    try folder.open(model) {
      $0 = .migrating
      $0.stagedMigrationManager = StagedMigrationManager(stages)
    }
  }

  private static let stages: [MigrationStage] = [
    .custom(from: versions[0], to: versions[1], didMigrate: fillKeys),
    .lightweight([versions[1], versions[2]]),
  ]

  @Test func `a store is migrated through the stages, and handlers run in between`() throws {
    let folder = try Self.kennel()
    // The mapping inferred in one step is not what the program wants.
    #expect(throws: MigrationError.self) {
      try folder.open(Self.versions[2]) { $0 = .migrating }
    }
    let context = try Self.open(folder, Self.stages).newBackgroundContext()
    let dogs = try context.fetch(FetchRequest<ManagedObject>(entityName: "Dog"))
    #expect(dogs.map { $0.value(forKey: "key") as? String } == ["fido", "rex"])
    #expect(dogs.map(\.objectID.primaryKey) == [1, 2])
    #expect(try folder.names().filter { $0.contains("migrating") } == [])
  }

  @Test func `files of large values that no stage changes are kept`() throws {
    func version(_ names: [String]) -> ManagedObjectModel {
      Self.version(
        [
          .attribute(
            .init(
              name: "picture", type: .binaryData, isOptional: true,
              allowsExternalBinaryDataStorage: true))
        ] + names.map { .value($0, .string) })
    }
    let models = [version([]), version(["a"]), version(["a", "b"])]
    let folder = try StoreFolder()
    let value = Data(repeating: 7, count: 150_000)
    try folder.fill(models[0]) { ManagedObject("Dog", in: $0).setValue(value, forKey: "picture") }
    let files = folder.url.appending(path: ".DogWalk_SUPPORT/_EXTERNAL_DATA").path
    let before = try FileManager.default.contentsOfDirectory(atPath: files)
    let container = try folder.open(models[2]) {
      $0 = .migrating
      $0.stagedMigrationManager = StagedMigrationManager([.lightweight(models)])
    }
    let dogs = try container.newBackgroundContext().fetch(
      FetchRequest<ManagedObject>(entityName: "Dog"))
    #expect(dogs.map { $0.value(forKey: "picture") as? Data } == [value])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: files) == before && before.count == 1)
  }

  @Test func `a store of a version in between begins with its stage`() throws {
    let folder = try Self.kennel()
    try folder.migrate(to: Self.versions[1])
    try Self.fillKeys(folder.open(Self.versions[1]))
    let stages: [MigrationStage] = [
      .custom(from: Self.versions[0], to: Self.versions[1], didMigrate: { _ in throw Failure() }),
      .custom(from: Self.versions[1], to: Self.versions[2], willMigrate: Self.fillKeys),
    ]
    #expect(
      try Self.open(folder, stages).newBackgroundContext().count(
        for: FetchRequest<ManagedObject>(entityName: "Dog")) == 2)
  }

  private struct Failure: Error {}

  @Test func `a failing handler leaves the store unchanged, whatever came before`() throws {
    let folder = try Self.kennel()
    let before = try folder.bytes()
    let stages = [
      Self.stages[0],
      .custom(
        from: Self.versions[1], to: Self.versions[2], didMigrate: { _ in throw Failure() }),
    ]
    #expect(throws: Failure.self) { try Self.open(folder, stages) }
    #expect(try folder.bytes() == before)
  }

  @Test func `the steps between stages are inferred, and so is the one to the model`() throws {
    let latest = StoreMigrationTests.changed(Self.versions[2], "Dog") {
      $0.properties.append(.value("note", .string))
    }
    let fillsKeys = MigrationStage.custom(
      from: Self.versions[0], to: Self.versions[1], didMigrate: Self.fillKeys)
    let ways: [(stages: [MigrationStage], model: ManagedObjectModel)] = [
      (
        [
          .lightweight([Self.versions[0]]),
          .custom(from: Self.versions[1], to: Self.versions[2], willMigrate: Self.fillKeys),
        ], Self.versions[2]
      ),
      ([fillsKeys, .lightweight([Self.versions[2]])], Self.versions[2]),
      ([fillsKeys, .lightweight([Self.versions[2], latest])], latest),
      ([fillsKeys], latest),
    ]
    for (stages, model) in ways {
      let folder = try Self.kennel()
      let context = try Self.open(folder, stages, to: model).newBackgroundContext()
      let dogs = try context.fetch(FetchRequest<ManagedObject>(entityName: "Dog"))
      #expect(dogs.map { $0.value(forKey: "key") as? String } == ["fido", "rex"])
    }
  }

  @Test func `a store at a stage's last version continues with the next stage`() throws {
    let folder = try Self.kennel()
    try folder.migrate(to: Self.versions[1])
    try Self.fillKeys(folder.open(Self.versions[1]))
    let stages: [MigrationStage] = [
      .custom(from: Self.versions[0], to: Self.versions[1], didMigrate: { _ in throw Failure() }),
      .lightweight([Self.versions[2]]),
    ]
    #expect(
      try Self.open(folder, stages).newBackgroundContext().count(
        for: FetchRequest<ManagedObject>(entityName: "Dog")) == 2)
  }

  @Test func `stages may overlap, but never lead back`() throws {
    let latest = StoreMigrationTests.changed(Self.versions[2], "Dog") {
      $0.properties.append(.value("note", .string))
    }
    let manager = StagedMigrationManager([
      .lightweight(Self.versions), .lightweight([Self.versions[1], Self.versions[2], latest]),
    ])
    let steps = try #require(manager.steps(from: Self.versions[2], to: latest))
    #expect(steps.count == 1)
    // From the first version they would lead back.
    #expect(manager.steps(from: Self.versions[0], to: latest) == nil)
  }

  @Test func `a version without a stage, and stages that lead past the model, are errors`()
    throws
  {
    let folder = try Self.kennel()
    let before = try folder.bytes()
    let ways: [[MigrationStage]] = [
      [Self.stages[1]], [.lightweight(Self.versions + [Self.versions[1]])],
      [.lightweight([Self.versions[2], Self.versions[0]])],
    ]
    for stages in ways {
      #expect(throws: MigrationError.noStage(folder.store)) { try Self.open(folder, stages) }
    }
    #expect(try folder.bytes() == before)
  }
}

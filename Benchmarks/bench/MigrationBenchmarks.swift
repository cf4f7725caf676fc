import DogWalkModel
import ManagedObjects
import SystemLibraries

/// Stores that are migrated in place from one model version to the next.
struct MigrationBenchmarks {
  private let walks = 1_000_000
  private let clock = ContinuousClock()

  func run() throws -> [Result] {
    let large = MigratedStore(try SampleStore(dogs: 100, walks: walks))
    let small = MigratedStore(try SampleStore(dogs: 100, walks: 1_000))
    let optional = try Comparison(rounds: 9) {
      try clock.measure { try large.addAttribute(defaultValue: nil) }
    } yardstick: {
      try clock.measure { try small.addAttribute(defaultValue: nil) }
    }
    return [
      optional.result("add an optional attribute to 1,000,000 walks / to 1,000", bar: 1.2),
      Result(
        name: "add an optional attribute to 1,000,000 walks, ms",
        ours: optional.ours.median.fixed(2) + " ms", value: optional.ours.median, bar: 20),
      try filling(large, bar: 2),
    ]
  }

  /// Compares adding an attribute with a default with C code that writes a value into every row.
  private func filling(_ store: MigratedStore, bar: Double) throws -> Result {
    let other = try SampleStore(dogs: 100, walks: walks)
    let baseline = try other.makeBaseline()
    var seconds = 0.0
    return try Comparison(rounds: 3) {
      try clock.measure { try store.addAttribute(defaultValue: .integer(5)) }
    } yardstick: {
      seconds += 1
      return try clock.measure { try baseline.updateEveryWalk(duration: seconds) }
    }
    .result("add an attribute with a default to 1,000,000 walks / UPDATE of all", bar: bar)
  }
}

/// A store whose walks get additional attributes, one after the other.
private final class MigratedStore {
  private let store: SampleStore
  private var model = ManagedObjectModel.dogWalk
  private var count = 0

  init(_ store: SampleStore) { self.store = store }

  /// Migrates the store to a model in which walks have one more attribute.
  func addAttribute(defaultValue: AttributeValue?) throws {
    count += 1
    let attribute = AttributeDescription(
      name: "extra\(count)", type: .integer64, isOptional: defaultValue == nil,
      defaultValue: defaultValue)
    let next = ManagedObjectModel(
      entities: model.entities.map { entity in
        guard entity.name == "Walk" else { return entity }
        var walk = entity
        walk.properties.append(.attribute(attribute))
        return walk
      })
    let result = try PersistentStoreCoordinator.migrateStore(
      at: URL(filePath: store.path), to: next, from: [model])
    precondition(result != nil)
    model = next
  }
}

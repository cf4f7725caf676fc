import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Random pairs of models, the second made from the first by legal steps; a store's content is
/// migrated as the mapping says.
struct RandomMigrationTests {
  /// How many: `ROUNDS=500 swift test --filter RandomMigrationTests` for more than usual.
  private static let rounds =
    ProcessInfo.processInfo.environment["ROUNDS"].flatMap { Int($0) } ?? 60

  @Test func `stores are migrated between random models as their mappings say`() throws {
    let seed = SeededGenerator.seed()
    var done: [String: Int] = [:]
    for round in 0..<Self.rounds {
      var random = SeededGenerator(seed: seed &+ UInt64(round))
      for step in try Self.migrate(&random, "seed \(seed &+ UInt64(round))") {
        done[step, default: 0] += 1
      }
    }
    if Self.rounds > 60 { print(done.sorted { $0.key < $1.key }) }
    #expect(done.count >= (Self.rounds < 60 ? 1 : 12), "\(done)")
  }

  /// Migrates a store of a random model over two versions, and back.
  ///
  /// - Returns: the steps between the versions, each in a word.
  private static func migrate(
    _ random: inout SeededGenerator, _ hint: String
  ) throws -> [String] {
    let model = RandomModel(withComposites: RandomModel(&random), &random)
    let folder = try StoreFolder()
    let context = try folder.open(model.model).newBackgroundContext()
    var objects = RandomObjects(context: context, model: model)
    for _ in 0..<20 { objects.insert(&random) }
    try context.save()
    var versions = [model.model]
    var log: [String] = []
    for version in 0..<2 {
      var steps = RandomModelSteps(versions[version], version: version)
      for _ in 0..<Int.random(in: 1...6, using: &random) { steps.step(&random) }
      log += ["version \(version + 1):"] + steps.log
      do {
        try migrate(
          folder, from: versions[version], to: steps.model, finishes: version == 1, &random,
          "\(hint), version \(version): \(log)")
      } catch {
        Issue.record("\(error) (\(hint), version \(version): \(log))")
        return []
      }
      versions.append(steps.model)
    }
    let steps = log.map { String($0.prefix { $0 != " " }) }
    // And back, where that can be inferred.
    for version in [1, 0] {
      let (new, old) = (versions[version + 1], versions[version])
      guard (try? MappingModel.inferred(from: new, to: old)) != nil else { return steps }
      do {
        try migrate(
          folder, from: new, to: old, finishes: false, &random,
          "\(hint), back to \(version): \(log)")
      } catch is MigrationError {
        // Not every store can follow its model: rows may lack values that were not required.
        return steps
      } catch {
        Issue.record("\(error) (\(hint), back to \(version): \(log))")
      }
    }
    return steps + ["back"]
  }

  /// Migrates a store, and compares the result with the mapping.
  private static func migrate(
    _ folder: StoreFolder, from old: ManagedObjectModel, to new: ManagedObjectModel,
    finishes: Bool, _ random: inout SeededGenerator, _ hint: String
  ) throws {
    let mapping = try MappingModel.inferred(from: old, to: new)
    let before = try folder.snapshot(old)
    var options = PersistentStoreOptions()
    options.defersMigration = Bool.random(using: &random)
    let result = try PersistentStoreCoordinator.migrateStore(
      at: folder.store, to: new, options: options)
    let faults = try PersistentStoreCoordinator.problems(ofStoreAt: folder.store, model: new)
    #expect(faults.map(\.description) == [], "\(hint)")
    let after = try folder.snapshot(new)
    let comparison = MigrationComparison(from: (old, before), to: (new, after), by: mapping)
    #expect(comparison.differences() == [], "\(hint)")
    let fresh = try StoreFolder()
    try fresh.fill(new) { _ in }
    // Versions that differ in indexes alone have equal hashes: then there is nothing to do.
    if result != nil { #expect(try indexes(of: folder) == indexes(of: fresh), "\(hint)") }
    // Not always, so that more than one migration may leave something.
    guard finishes || Bool.random(using: &random) else { return }
    try folder.open(new).persistentStoreCoordinator.finishDeferredMigration()
    #expect(try folder.snapshot(new) == after, "\(hint)")
    #expect(try columns(of: folder) == columns(of: fresh), "\(hint)")
  }

  /// The columns of the model's tables, in no order.
  private static func columns(of folder: StoreFolder) throws -> [[String]] {
    try SQLiteFile(folder.store).rows(
      """
      SELECT m.name, c.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
      WHERE m.type = 'table' ORDER BY 1, 2
      """)
  }

  /// The columns of every index, in their order.
  private static func indexes(of folder: StoreFolder) throws -> [[String]] {
    try SQLiteFile(folder.store).rows(
      """
      SELECT m.tbl_name, m.name, l."unique", x.name, x.desc FROM sqlite_schema AS m
      JOIN pragma_index_list(m.tbl_name) AS l ON l.name = m.name
      JOIN pragma_index_xinfo(m.name) AS x
      WHERE m.type = 'index' AND x.key = 1 ORDER BY 1, 2, x.seqno
      """)
  }
}

extension RandomModel {
  /// A random model, some of whose entities have a composite.
  fileprivate init(withComposites other: RandomModel, _ random: inout SeededGenerator) {
    self.init(
      model: ManagedObjectModel(
        entities: other.model.entities.map { entity in
          var entity = entity
          guard Bool.random(using: &random) else { return entity }
          let elements = ["x", "y", "z"].map { name in
            AttributeDescription(
              name: name, type: Self.types.randomElement(using: &random)!, isOptional: true)
          }
          entity.properties.append(
            .attribute(
              .init(
                name: "c\(entity.name.lowercased())", type: .composite, isOptional: true,
                elements: elements)))
          return entity
        }))
  }
}

import SystemLibraries

/// Migrates a store in stages, with inferred mappings and custom code between them.
///
///     let manager = StagedMigrationManager([
///       .lightweight([version1, version2]),
///       .custom(from: version2, to: version3, didMigrate: { container in
///         let context = container.newBackgroundContext()
///         for dog in try context.fetch(FetchRequest<ManagedObject>(entityName: "Dog")) {
///           dog.setValue(UUID(), forKey: "uuid")
///         }
///         try context.save()
///       }),
///     ])
///     var options = PersistentStoreOptions.migrating
///     options.stagedMigrationManager = manager
///
/// A store begins with the stage that has its version, and goes through all stages after it. If a
/// stage begins with another version than the last one ended with, the mapping between the two is
/// inferred; the same applies from the last stage's version to the model:
///
///     let stages: [MigrationStage] = [
///       .lightweight([version1]), .custom(from: version2, to: version3),
///     ]
///
/// Each stage is performed in a copy, and the result replaces the contents of the store in one
/// transaction: if the program is killed in any stage, the store is unchanged. Core Data's commits
/// each stage by itself. Follows Core Data's `NSStagedMigrationManager`.
public final class StagedMigrationManager: Sendable {
  /// The stages, in this order.
  public let stages: [MigrationStage]

  /// Creates a manager of stages, with that of the oldest versions first.
  public init(_ stages: [MigrationStage]) { self.stages = stages }
}

extension StagedMigrationManager {
  /// Migrates a copy of a store, stage by stage, which then replaces its contents.
  ///
  /// - Throws: `MigrationError.noStage` if no stage has the store's version, or the stages go past
  ///   the model; otherwise why a mapping cannot be inferred, or an error that a handler throws.
  func migrate(
    _ url: URL, from source: ManagedObjectModel, to model: ManagedObjectModel,
    options: PersistentStoreOptions, _ progress: @escaping (Double) -> Void
  ) throws -> MigrationResult? {
    guard let steps = steps(from: source, to: model) else { throw MigrationError.noStage(url) }
    return try SQLiteStore.migrateInCopy(url, from: source, to: model, options: options) {
      copy, options in
      var mapping = MappingModel(inferred: [])
      for (index, step) in steps.enumerated() {
        try step.stage.willMigrate(container(of: copy, step.source, options))
        mapping = try MappingModel.inferred(from: step.source, to: step.destination)
        _ = try SQLiteStore.migrate(
          copy, from: step.source, to: step.destination, mapping, options: options
        ) { progress((Double(index) + $0) / Double(steps.count)) }
        try step.stage.didMigrate(container(of: copy, step.destination, options))
      }
      return mapping
    }
  }

  private func container(
    of url: URL, _ model: ManagedObjectModel, _ migrating: PersistentStoreOptions
  ) throws -> PersistentContainer {
    var options = PersistentStoreOptions()
    options.ignoredObstacles = migrating.ignoredObstacles
    options.tracksPersistentHistory = migrating.tracksPersistentHistory
    options.tombstonesAreBytes = migrating.tombstonesAreBytes
    return try PersistentContainer(
      name: "Migration", model: model.withoutClasses, storeURL: url, options: options)
  }

  /// The single steps from one version to the model.
  ///
  /// nil if no stage has the version, or the stages go past the model.
  func steps(from source: ManagedObjectModel, to model: ManagedObjectModel) -> [Step]? {
    var stops: [Stop] = stages.flatMap { stage in
      stage.models.enumerated().map { Stop(model: $1, stage: $0 == 0 ? nil : stage) }
    }
    guard let start = Self.start(of: source, in: stops) else { return nil }
    stops.append(Stop(model: model, stage: nil))
    var steps: [Step] = []
    for index in stops.indices.dropFirst(start + 1) {
      let (last, next) = (stops[index - 1].model, stops[index].model)
      if let stage = stops[index].stage {
        steps.append(Step(source: last, destination: next, stage: stage))
      } else if !last.isVersion(next) {
        // Going back would lose data that only the later version has.
        if stops[..<index].contains(where: { $0.model.isVersion(next) }) { return nil }
        steps.append(Step(source: last, destination: next, stage: .lightweight([last, next])))
      }
    }
    return steps.isEmpty ? nil : steps
  }

  /// The index of a version among the stops.
  ///
  /// It is the first one from which a stage continues, otherwise the last one.
  private static func start(of version: ManagedObjectModel, in stops: [Stop]) -> Int? {
    let places = stops.indices.filter { stops[$0].model.isVersion(version) }
    return places.first { $0 + 1 < stops.count && stops[$0 + 1].stage != nil } ?? places.last
  }

  /// A version of the store during the migration.
  private struct Stop {
    let model: ManagedObjectModel
    /// The stage that ends with it, from the version before; nil if a stage begins with it.
    let stage: MigrationStage?
  }

  /// A migration from one version to the next.
  struct Step {
    let source: ManagedObjectModel
    let destination: ManagedObjectModel
    let stage: MigrationStage
  }
}

extension ManagedObjectModel {
  /// Whether the version hashes are those of another model.
  fileprivate func isVersion(_ other: ManagedObjectModel) -> Bool {
    entityVersionHashesByName == other.entityVersionHashesByName
  }
}

public import DataModel

/// The path from one version of a model to another, by mappings and through known versions.
///
///     let versions = ManagedObjectModel.dogWalkVersions.sorted { $0.key < $1.key }
///     var options = PersistentStoreOptions.migrating
///     options.sourceModels = versions.map(\.value)
///     let path = try MigrationPath(from: versions[0].value, to: .dogWalk, options)
///     path?.steps.count   // 1: no version between has to be passed
///
/// It is the path by which a store is migrated with these options. Core Data has no counterpart:
/// there an app itself migrates from version to version.
public struct MigrationPath: Sendable {
  /// A migration from one version to the next.
  public struct Step: Sendable {
    /// The version of the store before the step.
    public let source: ManagedObjectModel
    /// The version of the store after the step.
    public let destination: ManagedObjectModel
    /// The mapping from one to the other.
    public let mapping: MappingModel
  }

  /// The steps in their order; at least one.
  public let steps: [Step]

  /// Finds the path.
  ///
  /// Among the paths that follow the order of the options' models, it is the one on which inference
  /// skips the fewest versions; if there are several, the one with the fewest steps. So a given
  /// mapping for a step in between is not skipped by an inferred one. If there is no path in that
  /// order, it is the one with the fewest steps in any order.
  ///
  /// - Parameters:
  ///   - source: the model that a store was made with.
  ///   - destination: the model to migrate it to.
  ///   - options: the known mappings and versions, and whether mappings may be inferred.
  /// - Returns: nil if there is none, and none may be inferred.
  /// - Throws: `MigrationError`: why a mapping cannot be inferred, if there is no path.
  public init?(
    from source: ManagedObjectModel, to destination: ManagedObjectModel,
    _ options: PersistentStoreOptions
  ) throws(MigrationError) {
    let search = Search(source: source, destination: destination, options: options)
    if let steps = search.forwardSteps() ?? search.fewestSteps() {
      self.steps = steps
      return
    }
    guard options.infersMapping else { return nil }
    _ = try MappingModel.inferred(from: source, to: destination)
    return nil
  }
}

extension PersistentStoreOptions {
  /// Whether all objects keep their primary keys in a migration from one version to another.
  ///
  /// They do if none of the mappings creates them again.
  ///
  /// - Throws: `MigrationError`, as the migration would.
  func keepPrimaryKeys(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(MigrationError) -> Bool {
    // Its stages are inferred.
    if stagedMigrationManager != nil { return true }
    let path = try MigrationPath(from: source, to: destination, self)
    return path?.steps.allSatisfy(\.mapping.isInferred) ?? false
  }
}

/// The search for a path.
private struct Search {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  let options: PersistentStoreOptions

  private func step(
    _ one: ManagedObjectModel, _ other: ManagedObjectModel
  ) -> MigrationPath.Step? {
    mapping(from: one, to: other).map {
      MigrationPath.Step(source: one, destination: other, mapping: $0)
    }
  }

  private func mapping(
    from one: ManagedObjectModel, to other: ManagedObjectModel
  ) -> MappingModel? {
    if let mapping = options.mappingModels.first(where: { $0.leads(from: one, to: other) }) {
      return mapping
    }
    // The models of a mapping may be larger than those of a store with a configuration.
    for mapping in options.mappingModels {
      if let part = mapping.restricted(from: one, to: other) { return part }
    }
    return options.infersMapping ? try? MappingModel.inferred(from: one, to: other) : nil
  }

  private func index(of model: ManagedObjectModel) -> Int? {
    options.sourceModels.firstIndex {
      $0.entityVersionHashesByName == model.entityVersionHashesByName
    }
  }

  /// The path through the versions between the two.
  func forwardSteps() -> [MigrationPath.Step]? {
    let first = index(of: source).map { $0 + 1 } ?? 0
    let end = index(of: destination) ?? options.sourceModels.count
    guard first <= end else { return nil }
    let versions = [source] + options.sourceModels[first..<end] + [destination]
    // The best path to each version: the number of versions skipped by inference, and the steps.
    var ways: [(inferred: Int, steps: [MigrationPath.Step])?] = [(0, [])]
    for end in versions.indices.dropFirst() {
      var best: (inferred: Int, steps: [MigrationPath.Step])?
      for start in 0..<end {
        guard let way = ways[start], let step = step(versions[start], versions[end]) else {
          continue
        }
        let inferred = way.inferred + (step.mapping.isInferred ? end - start : 0)
        let count = way.steps.count + 1
        if let best, (best.inferred, best.steps.count) <= (inferred, count) { continue }
        best = (inferred, way.steps + [step])
      }
      ways.append(best)
    }
    return ways[versions.count - 1]?.steps
  }

  /// The path with the fewest steps through any versions: breadth first, so the first match is it.
  func fewestSteps() -> [MigrationPath.Step]? {
    let ends = [index(of: source), index(of: destination)]
    var waiting = options.sourceModels.indices.filter { !ends.contains($0) }
      .map { options.sourceModels[$0] }
    var reached: [(model: ManagedObjectModel, steps: [MigrationPath.Step])] = [(source, [])]
    while !reached.isEmpty {
      for (model, steps) in reached {
        if let last = step(model, destination) { return steps + [last] }
      }
      var next: [(model: ManagedObjectModel, steps: [MigrationPath.Step])] = []
      for (model, steps) in reached {
        waiting.removeAll { version in
          guard let step = step(model, version) else { return false }
          next.append((version, steps + [step]))
          return true
        }
      }
      reached = next
    }
    return nil
  }
}

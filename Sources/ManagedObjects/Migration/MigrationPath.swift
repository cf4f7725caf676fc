public import DataModel

/// The way from one version of a model to another, by mappings and over versions that are known.
///
///     let versions = ManagedObjectModel.dogWalkVersions.sorted { $0.key < $1.key }
///     var options = PersistentStoreOptions.migrating
///     options.sourceModels = versions.map(\.value)
///     let path = try MigrationPath(from: versions[0].value, to: .dogWalk, options)
///     path?.steps.count   // 1: no version between has to be passed
///
/// It is the way on which a store is migrated with these options. Core Data has none: there an app
/// goes from version to version itself.
public struct MigrationPath: Sendable {
  /// One version to the next.
  public struct Step: Sendable {
    /// The version that the store is of before the step.
    public let source: ManagedObjectModel
    /// The version that it is of afterwards.
    public let destination: ManagedObjectModel
    /// How objects of the one become those of the other.
    public let mapping: MappingModel
  }

  /// The steps, one after the other; one at least.
  public let steps: [Step]

  /// Finds the way.
  ///
  /// Of the ways that go on from version to version, in the order of the options' models, the one
  /// on which the fewest versions are passed by inference; of several, that with the fewest steps.
  /// So a mapping that was given for a step between is not passed over by one that is inferred.
  /// Where the order has no way, the one with the fewest steps in any order.
  ///
  /// - Parameters:
  ///   - source: the model that a store was made with.
  ///   - destination: the model that it is to get.
  ///   - options: the mappings and versions that are known, and whether mappings are inferred.
  /// - Returns: nil where there is none, and none was to be inferred.
  /// - Throws: `MigrationError`: why the one cannot be inferred from the other, where there is no
  ///   way.
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
  /// Whether all objects keep their primary keys on the way from one version to another: where none
  /// of the mappings makes them anew.
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

/// The search for a way.
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
    // A store with a configuration has a part of the models that a mapping is for.
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

  /// The way over the versions that stand between the two.
  func forwardSteps() -> [MigrationPath.Step]? {
    let first = index(of: source).map { $0 + 1 } ?? 0
    let end = index(of: destination) ?? options.sourceModels.count
    guard first <= end else { return nil }
    let versions = [source] + options.sourceModels[first..<end] + [destination]
    // For each version the best way to it: what is passed by inference, and the steps.
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

  /// The way with the fewest steps over any versions: breadth first, what is reached first is it.
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

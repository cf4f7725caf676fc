import DataModel

/// The way from one version of a model to another, by mappings and over versions that are known.
struct MigrationPath {
  /// One version to the next.
  struct Step {
    let source: ManagedObjectModel
    let destination: ManagedObjectModel
    let mapping: MappingModel
  }

  /// The steps, one after the other; one at least.
  let steps: [Step]

  /// Finds the way with the fewest steps; of two versions a given mapping goes before an inferred one.
  ///
  /// - Parameters:
  ///   - source: the model that a store was made with.
  ///   - destination: the model that it is to get.
  ///   - options: the mappings and versions that are known, and whether mappings are inferred.
  /// - Returns: nil where there is none, and none was to be inferred.
  /// - Throws: `MigrationError`: why the one cannot be inferred from the other, where there is no way.
  init?(
    from source: ManagedObjectModel, to destination: ManagedObjectModel,
    _ options: PersistentStoreOptions
  ) throws(MigrationError) {
    func step(_ one: ManagedObjectModel, _ other: ManagedObjectModel) -> Step? {
      let mapping =
        options.mappingModels.first { $0.leads(from: one, to: other) }
        ?? (options.infersMapping ? try? MappingModel.inferred(from: one, to: other) : nil)
      return mapping.map { Step(source: one, destination: other, mapping: $0) }
    }
    // Breadth first: what is reached first is reached by the fewest steps.
    var waiting = options.sourceModels.filter {
      $0.entityVersionHashesByName != source.entityVersionHashesByName
        && $0.entityVersionHashesByName != destination.entityVersionHashesByName
    }
    var reached: [(model: ManagedObjectModel, steps: [Step])] = [(source, [])]
    while !reached.isEmpty {
      for (model, steps) in reached {
        guard let last = step(model, destination) else { continue }
        self.steps = steps + [last]
        return
      }
      var next: [(model: ManagedObjectModel, steps: [Step])] = []
      for (model, steps) in reached {
        waiting.removeAll { version in
          guard let step = step(model, version) else { return false }
          next.append((version, steps + [step]))
          return true
        }
      }
      reached = next
    }
    guard options.infersMapping else { return nil }
    _ = try MappingModel.inferred(from: source, to: destination)
    return nil
  }
}

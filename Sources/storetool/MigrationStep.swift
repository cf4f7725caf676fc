import DataModel
import ManagedObjects
import ModelComparison

/// One step of a migration, from one version of a model to the next.
struct MigrationStep {
  /// The change of one entity.
  struct Entity {
    /// The name in the new model or, for a removed entity, in the old one.
    var name: String
    /// The name in the old model; nil for a new entity.
    var oldName: String?
    var type: EntityMapping.MappingType
    /// The number of objects, subentities excluded.
    var objectCount: Int
    /// The changes of the entity that affect the store.
    var changes: [ModelDifference.Change]
  }

  /// The name of the version before the step.
  let sourceName: String
  /// The name of the version after the step.
  let destinationName: String
  /// The changes of each entity.
  let entities: [Entity]

  /// - Parameter objectCounts: the number of objects of each entity by name before the step;
  ///   updated to the numbers after it, as far as the mapping determines them.
  init(
    _ step: MigrationPath.Step, from sourceName: String, to destinationName: String,
    objectCounts: inout [String: Int]
  ) {
    self.sourceName = sourceName
    self.destinationName = destinationName
    let (old, new) = (step.source, step.destination)
    let differing = ModelDifference(from: old, to: new).entities
    var countsAfterwards: [String: Int] = [:]
    var entities: [Entity] = []
    for mapping in step.mapping.entityMappings {
      let name = mapping.destinationEntityName ?? mapping.sourceEntityName ?? ""
      let count = mapping.sourceEntityName.flatMap { objectCounts[$0] } ?? 0
      if mapping.destinationEntityName != nil { countsAfterwards[name, default: 0] += count }
      let difference = differing.first { $0.name == name && $0.oldName == mapping.sourceEntityName }
      let changes =
        difference.map { difference in
          difference.changes.filter(\.changesStore).map { $0.described(in: difference, old, new) }
        } ?? []
      entities.append(
        Entity(
          name: name, oldName: mapping.sourceEntityName, type: mapping.mappingType,
          objectCount: count, changes: changes))
    }
    self.entities = entities
    objectCounts = countsAfterwards
  }
}

@available(*, unavailable) extension MigrationStep: Sendable {}

extension ModelDifference.Change {
  /// Whether it changes rows, columns or indexes of the store.
  fileprivate var changesStore: Bool {
    movesVersionHash || ["indexes", "compound indexes", "indexed"].contains(aspect)
  }
}

import DataModel
import ManagedObjects
import ModelComparison

/// What a migration does from one version of a model to the next.
struct MigrationStep {
  /// What becomes of one entity.
  struct Entity {
    /// Its name in the new model; of one that is removed, in the old one.
    var name: String
    /// Its name in the old model; nil where it is new.
    var oldName: String?
    var type: EntityMapping.MappingType
    /// How many objects there are of it, without those of its subentities.
    var objectCount: Int
    /// What of it changes in the store.
    var changes: [ModelDifference.Change]
  }

  /// The name of the version that the store is of before.
  let sourceName: String
  /// The name of the version that it is of afterwards.
  let destinationName: String
  /// What becomes of each entity.
  let entities: [Entity]

  /// - Parameter objectCounts: how many objects each entity has before, by its name; afterwards,
  ///   those that it has then, as far as the mapping alone says.
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
  /// Whether something of it is done to the store: to rows, columns or indexes.
  fileprivate var changesStore: Bool {
    movesVersionHash || ["indexes", "compound indexes", "indexed"].contains(aspect)
  }
}

import DataModel

/// A model as one store uses it: with indices instead of names.
struct ModelBinding {
  /// The entities in the order of their numbers.
  let entities: [EntityBinding]
  /// The joins, each once.
  let joins: [JoinBinding]

  /// Resolves every entity of a model.
  ///
  /// - Parameter offset: how many entities the coordinator already has.
  /// - Parameter numbers: the entity numbers in the store by name; entities without one are
  ///   numbered by their position.
  init(
    _ model: ManagedObjectModel, store: PersistentStoreIdentity, offset: Int = 0,
    numbers: [String: Int] = [:]
  ) {
    let ordered = model.entitiesInNumberOrder
    var indices = [String: Int](minimumCapacity: ordered.count)
    for (index, description) in ordered.enumerated() { indices[description.name] = index + offset }
    let joins = JoinBinding.joins(of: ordered, in: model, indices: indices)
    let laidOut = LaidOutModel(model, indices: indices)
    self.joins = joins
    entities = ordered.enumerated().map { index, description in
      EntityBinding(
        description, number: numbers[description.name] ?? index + 1, store: store, model: laidOut,
        joins: joins)
    }
  }
}

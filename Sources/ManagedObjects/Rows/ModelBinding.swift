import DataModel

/// A model as one store knows it: with indices in place of names.
struct ModelBinding {
  /// Every entity, in the order of their numbers.
  let entities: [EntityBinding]
  /// Every join, once.
  let joins: [JoinBinding]

  /// Resolves every entity of a model.
  ///
  /// - Parameter offset: how many entities the coordinator has already.
  /// - Parameter numbers: the numbers that the store gave, by name; those not there are counted.
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

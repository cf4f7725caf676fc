import DataModel

/// A model as one store knows it: with places in place of names.
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
    var places = [String: Int](minimumCapacity: ordered.count)
    for (place, description) in ordered.enumerated() { places[description.name] = place + offset }
    let joins = JoinBinding.joins(of: ordered, in: model, places: places)
    let laidOut = LaidOutModel(model, places: places)
    self.joins = joins
    entities = ordered.enumerated().map { place, description in
      EntityBinding(
        description, number: numbers[description.name] ?? place + 1, store: store, model: laidOut,
        joins: joins)
    }
  }
}

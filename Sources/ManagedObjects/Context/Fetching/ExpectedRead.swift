/// A read that a transaction will most likely make.
///
///     let dogs = try context.performReading(expecting: [.fetch(Dog.fetchRequest())]) {
///       try context.fetch(Dog.fetchRequest())
///     }
///
/// A store on a server receives all of them as the transaction begins, so that together they take
/// one round trip. Other reads of the transaction, and expected reads that it does not make, work
/// all the same. Other stores ignore expected reads, whose plans are then not even computed.
package struct ExpectedRead {
  /// The fetch plans of the read.
  let plans: (ManagedObjectContext) throws -> [FetchPlan]
  let isCount: Bool

  /// The read that `fetch(_:)` and `cursor(for:)` make.
  package static func fetch<Result>(_ request: FetchRequest<Result>) -> ExpectedRead {
    ExpectedRead(plans: { try $0.plans(request) }, isCount: false)
  }

  /// The read that `count(for:)` makes.
  package static func count<Result>(_ request: FetchRequest<Result>) -> ExpectedRead {
    ExpectedRead(plans: { try $0.plans(request) }, isCount: true)
  }

  /// The read that `existingObject(with:)` makes for an object that is not registered.
  package static func object(with id: ManagedObjectID) -> ExpectedRead {
    ExpectedRead(
      plans: { context in
        guard let index = context.index(of: id) else { return [] }
        return [FetchPlan(rows: [id.key], of: context.binding(at: index))]
      }, isCount: false)
  }

  /// The read that prefetching an unordered many-to-many relationship of some objects makes.
  ///
  /// With a single object it is also the read that fires the relationship's fault.
  ///
  /// - Parameter ids: the IDs of the objects, none of which is registered; all of one entity.
  package static func members(
    of relationship: String, ofObjectsWith ids: [ManagedObjectID]
  ) -> ExpectedRead {
    ExpectedRead(
      plans: { context in
        guard let id = ids.first, let index = context.index(of: id) else { return [] }
        let entity = context.binding(at: index)
        guard let number = entity.toManysByName[relationship] else { return [] }
        let toMany = entity.toManys[number]
        guard toMany.isLinked else { return [] }
        return [
          FetchPlan(
            membersOf: toMany, owners: Set(ids.map(\.key)).sorted(),
            in: context.binding(at: toMany.destination))
        ]
      }, isCount: false)
  }

  /// The read that `findOrCreate(_:where:equals:)` makes.
  package static func findOrCreate<Object: ManagedObject>(
    _ type: Object.Type, where attribute: String, equals value: AttributeValue
  ) -> ExpectedRead {
    ExpectedRead(
      plans: { context in
        let entity = context.contextEntity(of: type).binding
        guard let slot = entity.slotsByName[attribute] else { return [] }
        let wanted = Scalar(value, kind: entity.kinds[slot])
        return [FetchPlan(lookingUp: wanted, at: slot, of: entity)]
      }, isCount: false)
  }
}

@available(*, unavailable) extension ExpectedRead: Sendable {}

extension ManagedObjectContext {
  /// Whether a store is remote, so that expected reads should be sent ahead.
  package var prefersPipelining: Bool { persistentStoreCoordinator.prefersPipelining }

  /// Runs a body as `performReading(_:)` does, and sends its expected reads ahead.
  package func performReading<Result>(
    expecting reads: @autoclosure () throws -> [ExpectedRead], _ body: () throws -> Result
  ) throws -> Result {
    try persistentStoreCoordinator.performReading(expecting: plans(reads), body)
  }

  /// Runs a body as `performWriting(_:)` does, and sends its expected reads ahead.
  package func performWriting<Result>(
    expecting reads: @autoclosure () throws -> [ExpectedRead], _ body: () throws -> Result
  ) throws -> Result {
    try persistentStoreCoordinator.performWriting(expecting: plans(reads), body)
  }

  /// Saves, and sends the reads that are expected next along with the commit.
  ///
  ///     try context.save(expecting: [.fetch(Dog.fetchRequest())])
  ///     let dogs = try context.fetch(Dog.fetchRequest())
  ///
  /// They read the store as it is after the save. Only remote stores do this. If a read fails,
  /// nothing is saved.
  package func save(expecting reads: @autoclosure () throws -> [ExpectedRead]) throws {
    try persistentStoreCoordinator.saving(expecting: plans(reads)) { try save() }
  }

  /// The plans of the expected reads if a store is remote; otherwise none is computed.
  private func plans(_ reads: () throws -> [ExpectedRead]) throws -> [ExpectedPlan] {
    guard prefersPipelining else { return [] }
    try adoptStoresOrThrow()
    return try reads().flatMap { read in
      try read.plans(self).map { ExpectedPlan(plan: $0, isCount: read.isCount) }
    }
  }
}

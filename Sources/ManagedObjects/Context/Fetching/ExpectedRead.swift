/// A read that a transaction will most likely make.
///
///     let dogs = try context.performReading(expecting: [.fetch(Dog.fetchRequest())]) {
///       try context.fetch(Dog.fetchRequest())
///     }
///
/// A store on a server is asked for all of them as the transaction begins, so that they take one
/// round trip together. Whatever the transaction reads besides, or does not read, is right all the
/// same. Other stores take no notice, and then the reads are not even worked out.
package struct ExpectedRead {
  /// The reads, in the words of stores.
  let plans: (ManagedObjectContext) throws -> [FetchPlan]
  let isCount: Bool

  /// What `fetch(_:)` and `cursor(for:)` read.
  package static func fetch<Result>(_ request: FetchRequest<Result>) -> ExpectedRead {
    ExpectedRead(plans: { try $0.plans(request) }, isCount: false)
  }

  /// What `count(for:)` reads.
  package static func count<Result>(_ request: FetchRequest<Result>) -> ExpectedRead {
    ExpectedRead(plans: { try $0.plans(request) }, isCount: true)
  }

  /// What `existingObject(with:)` reads of an object that is not registered.
  package static func object(with id: ManagedObjectID) -> ExpectedRead {
    ExpectedRead(
      plans: { context in
        guard let index = context.index(of: id) else { return [] }
        return [FetchPlan(rows: [id.key], of: context.binding(at: index))]
      }, isCount: false)
  }

  /// What prefetching an unordered many-to-many relationship of some objects reads, and firing its
  /// fault where it is only one's.
  ///
  /// - Parameter ids: the objects', none of which is registered; all of one entity.
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

  /// What `findOrCreate(_:where:equals:)` reads.
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
  /// Whether a store is far away, so that it is better asked at once for whatever will be needed.
  package var isAskedAhead: Bool { persistentStoreCoordinator.isAskedAhead }

  /// Runs a body as `performReading(_:)` does, which most likely reads what is expected.
  package func performReading<Result>(
    expecting reads: @autoclosure () throws -> [ExpectedRead], _ body: () throws -> Result
  ) throws -> Result {
    try persistentStoreCoordinator.performReading(expecting: plans(reads), body)
  }

  /// Runs a body as `performWriting(_:)` does, which most likely reads what is expected.
  package func performWriting<Result>(
    expecting reads: @autoclosure () throws -> [ExpectedRead], _ body: () throws -> Result
  ) throws -> Result {
    try persistentStoreCoordinator.performWriting(expecting: plans(reads), body)
  }

  /// Saves, and has a store that is asked ahead read with the commit what is expected to be read
  /// next: as it is then, with what was saved.
  ///
  ///     try context.save(expecting: [.fetch(Dog.fetchRequest())])
  ///     let dogs = try context.fetch(Dog.fetchRequest())
  ///
  /// Where it cannot be read, nothing is saved.
  package func save(expecting reads: @autoclosure () throws -> [ExpectedRead]) throws {
    try persistentStoreCoordinator.saving(expecting: plans(reads)) { try save() }
  }

  /// The reads, where a store is asked ahead; no others are worth thinking of.
  private func plans(_ reads: () throws -> [ExpectedRead]) throws -> [ExpectedPlan] {
    guard isAskedAhead else { return [] }
    try adoptStoresOrThrow()
    return try reads().flatMap { read in
      try read.plans(self).map { ExpectedPlan(plan: $0, isCount: read.isCount) }
    }
  }
}

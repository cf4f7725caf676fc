/// A read that a transaction will most likely make.
///
///     let dogs = try context.performReading(expecting: [.fetch(Dog.fetchRequest())]) {
///       try context.fetch(Dog.fetchRequest())
///     }
///
/// A store on a server is asked for all of them as the transaction begins, so that they take one round trip
/// together. Whatever the transaction reads besides, or does not read, is right all the same. Other stores
/// take no notice, and then the reads are not even worked out.
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

  /// The reads, where a store is asked ahead; no others are worth thinking of.
  private func plans(_ reads: () throws -> [ExpectedRead]) throws -> [ExpectedPlan] {
    guard persistentStoreCoordinator.isAskedAhead else { return [] }
    try adoptStoresOrThrow()
    return try reads().flatMap { read in
      try read.plans(self).map { ExpectedPlan(plan: $0, isCount: read.isCount) }
    }
  }
}

import ManagedObjects

/// Looking up walks by number.
extension WalkLog {
  /// Returns the walk with a number; nil if there is none.
  package func walk(numbered number: Int64) throws -> Walk? {
    try object(Walk.self, numbered: number)
  }

  /// Returns the walks with some numbers, and the numbers that no walk has.
  package func walks(
    numbered numbers: [Int64]
  ) throws -> (found: [Walk], missing: [Int64]) {
    var read: [Int64: Walk] = [:]
    if numbers.count > 1 {
      for walk in try readWalks(numbered: numbers) { read[walk.number] = walk }
    } else if let number = numbers.first {
      read[number] = try walk(numbered: number)
    }
    return (numbers.compactMap { read[$0] }, numbers.filter { read[$0] == nil })
  }

  /// Calls a closure that changes the walks with some numbers, with the write lock held.
  ///
  /// A store on a server fetches those walks and their related objects in one round trip.
  package func performWriting<Result>(
    onWalksNumbered numbers: [Int64], _ body: () throws -> Result
  ) throws -> Result {
    try performWriting(expecting: reads(ofWalksNumbered: numbers)) {
      let held: (Any, Any)? =
        context.prefersPipelining ? (try dogs(), try Walker.all(in: context)) : nil
      defer { withExtendedLifetime(held) {} }
      return try body()
    }
  }

  /// Returns the reads of ``walks(numbered:)``, with tags, and all dogs and walkers.
  private func reads(ofWalksNumbered numbers: [Int64]) -> [ExpectedRead] {
    let ids = numbers.prefix(Self.mostReadAtOnce).compactMap { id(of: Walk.self, numbered: $0) }
    guard let id = ids.first else { return [] }
    return [
      ids.count == 1 ? .object(with: id) : .fetch(request(ids)),
      .members(of: "tags", ofObjectsWith: ids), .fetch(Dog.allRequest()),
      .fetch(Walker.allRequest()),
    ]
  }

  /// The number of values bound in one statement.
  private static let mostReadAtOnce = 500

  /// Fetches the walks with some numbers in batches, with their tags and tracks: as long as they
  /// are retained, none of it has to be fetched again.
  func readWalks(
    numbered numbers: [Int64], in other: ManagedObjectContext? = nil
  ) throws -> [Walk] {
    var walks: [Walk] = []
    for start in stride(from: 0, to: numbers.count, by: Self.mostReadAtOnce) {
      let piece = numbers[start..<min(start + Self.mostReadAtOnce, numbers.count)]
      let ids = piece.compactMap { id(of: Walk.self, numbered: $0) }
      walks += try (other ?? context).fetch(request(ids))
    }
    return walks
  }

  private func request(_ ids: [ManagedObjectID]) -> FetchRequest<Walk> {
    var request = Walk.fetchRequest()
    request.predicate = .object(isIn: ids)
    request.relationshipKeyPathsForPrefetching = ["dog", "walker", "tags", "track"]
    return request
  }

  func object<Object: ManagedObject>(
    _ type: Object.Type, numbered number: Int64
  ) throws -> Object? {
    guard let id = id(of: type, numbered: number) else { return nil }
    do {
      return try context.existingObject(with: id) as? Object
    } catch PersistentStoreError.objectNotFound {
      return nil
    }
  }

  private func id(of type: ManagedObject.Type, numbered number: Int64) -> ManagedObjectID? {
    number > 0
      ? coordinator.managedObjectID(
        entityName: type == Dog.self ? "Dog" : "Walk", primaryKey: number, in: store) : nil
  }
}

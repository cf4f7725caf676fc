import ManagedObjects
import SystemLibraries

extension WalkLog {
  /// Runs a body in which everything that is read comes from one state of the store.
  package func performReading<Result>(_ body: () throws -> Result) throws -> Result {
    try context.performReading(body)
  }

  /// Calls a closure with one walk after the other, and holds none of them.
  ///
  ///     try log.forEachWalk(WalkQuery()) { walk in print(walk.date) }
  ///
  /// For everything that may be long: memory does not grow with the walks. They come as `walks(_:)`
  /// gives them, or the other way round, each once, whatever stands in their rows.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read, and what the closure throws.
  package func forEachWalk(
    _ query: WalkQuery, isReversed: Bool = false, _ body: (Walk) throws -> Void
  ) throws {
    guard isReversed else { return try forEachWalk(query, isAscending: false, body) }
    guard query.limit == nil else {
      // The newest of all are to come, and last among them the very newest.
      var numbers: [Int64] = []
      try forEachWalk(query, isAscending: false) { numbers.append($0.number) }
      for number in numbers.reversed() {
        if let walk = try walk(numbered: number) { try body(walk) }
      }
      return
    }
    // Those of one moment come by their numbers either way, and are turned round here.
    var moment: [Walk] = []
    try forEachWalk(query, isAscending: true) { walk in
      if let first = moment.first, first.date != walk.date {
        for walk in moment.reversed() { try body(walk) }
        moment.removeAll()
      }
      moment.append(walk)
    }
    for walk in moment.reversed() { try body(walk) }
  }

  /// Calls a closure with one walk after the other, those of one moment by their numbers.
  private func forEachWalk(
    _ query: WalkQuery, isAscending: Bool, _ body: (Walk) throws -> Void
  ) throws {
    var request = query.request
    request.sortDescriptors[0].ascending = isAscending
    if query.isWanted == nil { request.fetchLimit = query.limit ?? 0 }
    var rest = query.limit ?? .max
    let cursor = try context.cursor(for: request)
    defer { cursor.close() }
    while rest > 0, let walk = try cursor.next() {
      guard query.isWanted?(walk) ?? true else { continue }
      try body(walk)
      rest -= 1
    }
  }
}

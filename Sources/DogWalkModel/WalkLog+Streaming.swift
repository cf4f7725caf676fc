import ManagedObjects

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension WalkLog {
  /// Runs a body in which everything that is read comes from one state of the store.
  package func performReading<Result>(_ body: () throws -> Result) throws -> Result {
    try context.performReading(body)
  }

  /// Calls a closure with one walk after the other, and holds none of them.
  ///
  ///     try log.forEachWalk(WalkQuery()) { walk in print(walk.date) }
  ///
  /// For everything that may be long: memory does not grow with the walks. They come as `walks(_:)` gives them, or the other way round, a
  /// thousand with each fetch. Outside `performReading` one that is written meanwhile may come or
  /// not, and none comes twice.
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
    var query = query
    var rest = query.limit ?? .max
    // Where only some are asked for they are likely the newest, so look for no more at first.
    var pieceSize = min(1024, rest)
    // The walks at the moment where the last piece ended, which the next one begins with.
    var given: [Int64] = []
    var end: Date?
    while rest > 0 {
      var request = query.request
      request.sortDescriptors[0].ascending = isAscending
      request.fetchLimit = pieceSize + given.count
      let piece = try context.fetch(request)
      for walk in piece {
        if walk.date == end, given.contains(walk.number) { continue }
        guard query.isWanted?(walk) ?? true else { continue }
        try body(walk)
        rest -= 1
        if rest == 0 { return }
      }
      guard piece.count == request.fetchLimit, let last = piece.last?.date else { return }
      pieceSize = 1024
      if last != end { given = [] }
      for walk in piece.reversed() {
        guard walk.date == last else { break }
        if !given.contains(walk.number) { given.append(walk.number) }
      }
      end = last
      if isAscending { query.earliest = last } else { query.latest = last }
    }
  }
}

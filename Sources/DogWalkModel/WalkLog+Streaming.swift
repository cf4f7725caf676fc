import ManagedObjects

extension WalkLog {
  /// Calls a closure with one walk after the other, the newest first, and holds none of them.
  ///
  ///     try log.forEachWalk(WalkQuery()) { walk in print(walk.date) }
  ///
  /// For everything that may be long: memory does not grow with the number of walks. The walks come
  /// as `walks(_:)` gives them, some hundred with each fetch; one that is written meanwhile may
  /// come or not, and none comes twice.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read, and what the closure throws.
  package func forEachWalk(_ query: WalkQuery, _ body: (Walk) throws -> Void) throws {
    let pieceSize = 512
    var query = query
    var rest = query.limit ?? .max
    // The walks at the moment where the last piece ended, which the next one begins with.
    var given: [Int64] = []
    while rest > 0 {
      var request = query.request
      request.fetchLimit = pieceSize + given.count
      let piece = try context.fetch(request)
      for walk in piece {
        guard !given.contains(walk.number), query.isWanted?(walk) ?? true else { continue }
        try body(walk)
        rest -= 1
        if rest == 0 { return }
      }
      guard piece.count == request.fetchLimit, let last = piece.last?.date else { return }
      if last != query.latest { given = [] }
      for walk in piece.reversed() {
        guard walk.date == last else { break }
        if !given.contains(walk.number) { given.append(walk.number) }
      }
      query.latest = last
    }
  }
}

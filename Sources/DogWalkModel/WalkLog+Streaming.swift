import ManagedObjects

extension WalkLog {
  /// Runs a body in which everything that is read comes from one state of the store.
  package func performReading<Result>(_ body: () throws -> Result) throws -> Result {
    try context.performReading(body)
  }

  /// Calls a closure with one walk after the other, and holds none of them.
  ///
  ///     try log.forEachWalk(WalkQuery()) { walk in print(walk.date) }
  ///
  /// For everything that may be long: but for their numbers, where the newest come last, memory does
  /// not grow with the walks. They come as `walks(_:)` gives them, or the other way round, some
  /// hundred with each fetch. Outside `performReading` one that is written meanwhile may come or
  /// not, and none comes twice.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read, and what the closure throws.
  package func forEachWalk(
    _ query: WalkQuery, isReversed: Bool = false, _ body: (Walk) throws -> Void
  ) throws {
    guard isReversed else { return try forEachNewerWalk(query, body) }
    var numbers: [Int64] = []
    try forEachNewerWalk(query) { numbers.append($0.number) }
    while !numbers.isEmpty {
      let piece = numbers.suffix(pieceSize)
      let walks = try fetchedWalks(numbered: piece)
      for number in piece.reversed() { if let walk = walks[number] { try body(walk) } }
      numbers.removeLast(piece.count)
    }
  }

  /// The walks of some numbers, by their numbers, in one fetch.
  private func fetchedWalks(numbered numbers: ArraySlice<Int64>) throws -> [Int64: Walk] {
    var request = Walk.fetchRequest()
    request.predicate = .selfIn(
      numbers.compactMap {
        coordinator.managedObjectID(entityName: "Walk", primaryKey: $0, in: store)
      })
    var walks: [Int64: Walk] = [:]
    for walk in try context.fetch(request) { walks[walk.number] = walk }
    return walks
  }

  /// How many walks are held at once.
  private var pieceSize: Int { 512 }

  /// Calls a closure with one walk after the other, the newest first.
  private func forEachNewerWalk(_ query: WalkQuery, _ body: (Walk) throws -> Void) throws {
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

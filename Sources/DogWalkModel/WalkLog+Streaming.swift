package import ManagedObjects
import SystemLibraries

extension WalkLog {
  /// Calls a closure in which all reads see the same state of the store.
  ///
  /// - Parameter reads: the reads that the closure will probably make: see `ExpectedRead`.
  package func performReading<Result>(
    expecting reads: @autoclosure () throws -> [ExpectedRead] = [], _ body: () throws -> Result
  ) throws -> Result {
    try context.performReading(expecting: reads(), body)
  }

  /// Returns the reads of `forEachWalk` and `tags()`.
  package func reads(forEach query: WalkQuery, isReversed: Bool) -> [ExpectedRead] {
    var reads: [ExpectedRead] = [
      .fetch(Dog.allRequest()), .fetch(Walker.allRequest()), .count(Tag.fetchRequest()),
    ]
    let isAscending = isReversed && query.limit == nil
    reads.append(.fetch(streamRequest(query, isAscending: isAscending)))
    return reads
  }

  /// Calls a closure with each walk, without keeping the walks in memory.
  ///
  ///     try log.forEachWalk(WalkQuery()) { walk in print(walk.date) }
  ///
  /// For results of any size: memory use does not grow with the number of walks. The walks come in
  /// the order of `walks(_:)` or the reverse, each once, whatever their rows contain. Dogs, walkers
  /// and tags are not fetched separately for each walk.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read, and any error of the closure.
  package func forEachWalk(
    _ query: WalkQuery, isReversed: Bool = false, tags: WalkTags? = nil,
    _ body: (Walk) throws -> Void
  ) throws {
    let held = (try dogs(), try Walker.all(in: context))
    defer { withExtendedLifetime(held) {} }
    let tags = try tags ?? self.tags()
    guard isReversed else { return try forEachWalk(query, isAscending: false, tags, body) }
    guard query.limit == nil else {
      // The newest walks are wanted, in ascending order.
      var numbers: [Int64] = []
      try forEachWalk(query, isAscending: false, tags) { numbers.append($0.number) }
      for number in numbers.reversed() {
        if let walk = try walk(numbered: number) { try body(walk) }
      }
      return
    }
    // Walks with the same date always come in the order of their numbers, and are reversed here.
    var moment: [Walk] = []
    try forEachWalk(query, isAscending: true, tags) { walk in
      if let first = moment.first, first.date != walk.date {
        for walk in moment.reversed() { try body(walk) }
        moment.removeAll()
      }
      moment.append(walk)
    }
    for walk in moment.reversed() { try body(walk) }
  }

  /// Whether every walk can be read, with its dog, its walker, its tags and its track, as an export
  /// reads them.
  package var canReadAllWalks: Bool {
    do {
      let tags = try tags()
      try forEachWalk(WalkQuery(), tags: tags) { walk in
        _ = (walk.dog?.name, walk.walkerName, tags.names(of: walk), walk.trackPoints)
      }
      try checkEverythingRead()
      return true
    } catch {
      return false
    }
  }

  /// Calls a closure with each walk, in the order in which they are stored, and holds none of them:
  /// less work than in the order of their dates.
  func forEachStoredWalk(_ body: (Walk) throws -> Void) throws {
    let held = (try dogs(), try Walker.all(in: context))
    defer { withExtendedLifetime(held) {} }
    try forEachWalk(Walk.fetchRequest(), WalkQuery(), tags(), body)
  }

  /// Calls a closure with each walk, by date and then by number.
  private func forEachWalk(
    _ query: WalkQuery, isAscending: Bool, _ tags: WalkTags, _ body: (Walk) throws -> Void
  ) throws {
    try forEachWalk(streamRequest(query, isAscending: isAscending), query, tags, body)
  }

  private func forEachWalk(
    _ request: FetchRequest<Walk>, _ query: WalkQuery, _ tags: WalkTags,
    _ body: (Walk) throws -> Void
  ) throws {
    var rest = query.limit ?? .max
    // Tags are fetched for many walks at once.
    var chunk: [Walk] = []
    func take() throws {
      try readTags(of: chunk)
      for walk in chunk { try body(walk) }
      chunk.removeAll(keepingCapacity: true)
    }
    let cursor = try context.cursor(for: request)
    defer { cursor.close() }
    while rest > 0, let walk = try cursor.next() {
      guard query.isWanted?(walk) ?? true else { continue }
      rest -= 1
      guard tags.areThere else {
        try body(walk)
        continue
      }
      chunk.append(walk)
      if chunk.count == 200 { try take() }
    }
    if !chunk.isEmpty { try take() }
  }

  private func streamRequest(_ query: WalkQuery, isAscending: Bool) -> FetchRequest<Walk> {
    var request = query.request
    request.sortDescriptors[0].ascending = isAscending
    if query.isWanted == nil { request.fetchLimit = query.limit ?? 0 }
    return request
  }

  /// Returns the tag reader for code that visits many walks.
  package func tags() throws -> WalkTags {
    WalkTags(areThere: try context.count(for: Tag.fetchRequest()) > 0)
  }

  /// Fetches the tags of walks in one batch.
  private func readTags(of walks: [Walk]) throws {
    try context.prefetch("tags", of: walks)
  }
}

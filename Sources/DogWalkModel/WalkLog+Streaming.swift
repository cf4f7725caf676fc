package import ManagedObjects
import SystemLibraries

extension WalkLog {
  /// Runs a body in which everything that is read comes from one state of the store.
  ///
  /// - Parameter reads: what the body most likely reads: see `ExpectedRead`.
  package func performReading<Result>(
    expecting reads: @autoclosure () throws -> [ExpectedRead] = [], _ body: () throws -> Result
  ) throws -> Result {
    try context.performReading(expecting: reads(), body)
  }

  /// What `forEachWalk` reads of a store, and `tags()`.
  package func reads(forEach query: WalkQuery, isReversed: Bool) -> [ExpectedRead] {
    var reads: [ExpectedRead] = [
      .fetch(Dog.allRequest()), .fetch(Walker.allRequest()), .count(Tag.fetchRequest()),
    ]
    let isAscending = isReversed && query.limit == nil
    reads.append(.fetch(streamRequest(query, isAscending: isAscending)))
    return reads
  }

  /// Calls a closure with one walk after the other, and holds none of them.
  ///
  ///     try log.forEachWalk(WalkQuery()) { walk in print(walk.date) }
  ///
  /// For everything that may be long: memory does not grow with the walks. They come as `walks(_:)`
  /// gives them, or the other way round, each once, whatever stands in their rows. Their dogs,
  /// walkers and tags are not read once a walk.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read, and what the closure throws.
  package func forEachWalk(
    _ query: WalkQuery, isReversed: Bool = false, tags: WalkTags? = nil,
    _ body: (Walk) throws -> Void
  ) throws {
    let held = (try dogs(), try Walker.all(in: context))
    defer { withExtendedLifetime(held) {} }
    let tags = try tags ?? self.tags()
    guard isReversed else { return try forEachWalk(query, isAscending: false, tags, body) }
    guard query.limit == nil else {
      // The newest of all are to come, and last among them the very newest.
      var numbers: [Int64] = []
      try forEachWalk(query, isAscending: false, tags) { numbers.append($0.number) }
      for number in numbers.reversed() {
        if let walk = try walk(numbered: number) { try body(walk) }
      }
      return
    }
    // Those of one moment come by their numbers either way, and are turned round here.
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

  /// Calls a closure with each walk, in the order in which they are stored, and holds none of them:
  /// less work than in the order of their dates.
  func forEachStoredWalk(_ body: (Walk) throws -> Void) throws {
    let held = (try dogs(), try Walker.all(in: context))
    defer { withExtendedLifetime(held) {} }
    try forEachWalk(Walk.fetchRequest(), WalkQuery(), tags(), body)
  }

  /// Calls a closure with one walk after the other, those of one moment by their numbers.
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
    // Tags are read for many walks at once.
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

  /// The tags of walks, for whoever goes through many.
  package func tags() throws -> WalkTags {
    WalkTags(areThere: try context.count(for: Tag.fetchRequest()) > 0)
  }

  /// Reads the tags of walks, all at once.
  private func readTags(of walks: [Walk]) throws {
    try context.prefetch("tags", of: walks)
  }
}

/// The tags of walks.
///
/// Most logs have none, and then no walk is asked for its own, which would be read from the store
/// each time.
package struct WalkTags: Sendable {
  /// Whether any walk may have some.
  package let areThere: Bool

  /// The tags of walks, of which there may be some.
  package init(areThere: Bool) { self.areThere = areThere }

  /// The names of a walk's tags.
  package func names(of walk: Walk) -> [String] { areThere ? walk.tagNames : [] }
}

import ManagedObjects
import SystemLibraries

extension WalkLog {
  /// The result of recording walks.
  package struct Added {
    /// A walk for each draft and dog, in the order of both.
    package let walks: [Walk]
    /// Existing walks with the same track, which take the place of new ones.
    package let known: [Walk]
    /// The number of drafts.
    package let drafts: Int
    /// The dogs, retained so that reading a walk's dog need not fetch it again.
    let dogs: [Dog]
    /// The dogs that did not exist before.
    package let newDogs: [Dog]
    /// The walker, if no walker with that name existed before.
    package let newWalker: Walker?
    /// The names of tags that no walk had before.
    package let newTags: [String]
    /// Walks that overlap an existing walk of the same dog, each with that walk.
    package let overlaps: [(walk: Walk, there: Walk)]
  }

  /// Records a walk for each of some dogs; missing dogs are inserted.
  package func add(_ draft: WalkDraft, to names: [String]) throws -> Added {
    try add([draft], to: names)
  }

  /// Records walks for each of some dogs, in one transaction; missing dogs are inserted.
  ///
  /// A dog named twice, in any spelling, counts once. A walk whose track was recorded before, or
  /// earlier in the same call, is not recorded again.
  package func add(_ drafts: [WalkDraft], to names: [String]) throws -> Added {
    try performWriting(expecting: reads(adding: drafts, to: names)) {
      var dogs: [Dog] = []
      for name in names {
        let dog = try Dog.findOrCreate(named: name, in: context)
        if !dogs.contains(dog) { dogs.append(dog) }
      }
      let newDogs = dogs.filter(\.isInserted)
      var names = WalkNames(in: context)
      var walks: [Walk] = []
      var known: [Walk] = []
      var overlaps: [(walk: Walk, there: Walk)] = []
      for draft in drafts {
        for dog in dogs {
          // No walk of a new dog is in the store, so only one of these walks can be the same.
          let other =
            try dog.isInserted
            ? walks.first { $0.dog === dog && $0.isDuplicate(ofStart: draft.start, draft.duration) }
            : overlap(of: draft, dog)
          if let track = draft.track {
            let exists = other?.isDuplicate(ofStart: draft.start, draft.duration) ?? false
            if let same = try exists ? other : Walk.recorded(of: dog, along: track, in: context) {
              known.append(same)
              continue
            }
          }
          let walk = Walk(context: context)
          try walk.write(draft, &names)
          dog.addToWalks(walk)
          walks.append(walk)
          if let other { overlaps.append((walk, other)) }
        }
      }
      let walker = walks.first?.walker
      let isNew = walker?.isInserted ?? false
      let newTags = drafts.allSatisfy(\.tags.isEmpty) ? [] : Walk.newTags(of: walks)
      try save()
      return Added(
        walks: walks, known: known, drafts: drafts.count, dogs: dogs, newDogs: newDogs,
        newWalker: isNew ? walker : nil, newTags: newTags, overlaps: overlaps)
    }
  }

  /// Returns the reads of `add`: the dogs, and the walks of known dogs at that time.
  private func reads(adding drafts: [WalkDraft], to names: [String]) -> [ExpectedRead] {
    let keys = Set(names.map { NameKey.of($0) })
    var reads = keys.sorted().map { key -> ExpectedRead in
      .findOrCreate(Dog.self, where: "nameKey", equals: .string(key))
    }
    guard let draft = drafts.first, drafts.count == 1, !draft.isOngoing else { return reads }
    for dog in namedDogs where !dog.isFault && keys.contains(dog.nameKey) {
      reads.append(.fetch(overlapRequest(of: dog, from: draft.start, duration: draft.duration)))
    }
    return reads
  }

  private func overlap(of draft: WalkDraft, _ dog: Dog) throws -> Walk? {
    guard !draft.isOngoing else { return nil }
    return try overlap(of: dog, from: draft.start, duration: draft.duration)
  }

  /// Returns another walk of the same dog at the same time, preferring an identical one that is not
  /// among some others; nil for none.
  private func overlap(of walk: Walk, unlike others: [Walk]) throws -> Walk? {
    guard let dog = walk.dog, let start = walk.start, !walk.isOngoing else { return nil }
    return try overlap(
      of: dog, from: start, duration: walk.seconds, beside: walk, unlike: others)
  }

  /// Saves like `save()`, and finds for each of some changed walks a walk of the same dog at the
  /// same time.
  ///
  /// Everything is read before the commit: a store on a server reads it in the same round trip, any
  /// other store earlier.
  package func saveFindingOverlaps(of walks: [Walk]) throws -> [(walk: Walk, there: Walk)] {
    func overlaps() throws -> [(walk: Walk, there: Walk)] {
      let found = try walks.compactMap { walk in
        try overlap(of: walk, unlike: walks).map { (walk, $0) }
      }
      try checkEverythingRead()
      return found
    }
    guard context.prefersPipelining, !walks.isEmpty else {
      let found = try overlaps()
      try save()
      return found
    }
    try checkEverythingRead()
    try save(
      expecting: walks.compactMap { walk in
        guard let dog = walk.dog, let start = walk.start, !walk.isOngoing else { return nil }
        return .fetch(overlapRequest(of: dog, from: start, duration: walk.seconds))
      })
    return try overlaps()
  }

  /// An earlier walk that started more than this many seconds before is not considered.
  private static let longestLookedFor = 6.0 * 3600
  /// Of more walks within that time the last ones are looked at; if one is the same, these overlap.
  private static let mostLookedAt = 64

  private func overlapRequest(
    of dog: Dog, from start: Date, duration: Double?
  ) -> FetchRequest<Walk> {
    let end = start.addingTimeInterval(duration ?? 0)
    var request = Walk.fetchRequest()
    request.predicate = .all([
      .compare(.init(.keyPath("dog"), .equal, .object(dog.objectID))),
      .comparison(
        "date", .greaterThanOrEqual, .date(start.addingTimeInterval(-Self.longestLookedFor))),
      // A walk that starts when this one ends does not overlap it; a walk without a duration is a
      // moment.
      .comparison("date", end > start ? .lessThan : .lessThanOrEqual, .date(end)),
    ])
    request.sortDescriptors = [.init(key: "date", ascending: false)]
    request.fetchLimit = Self.mostLookedAt
    return request
  }

  private func overlap(
    of dog: Dog, from start: Date, duration: Double?, beside itself: Walk? = nil,
    unlike others: [Walk] = []
  ) throws -> Walk? {
    let near = try context.fetch(overlapRequest(of: dog, from: start, duration: duration))
    let twins = near.filter { $0.isDuplicate(ofStart: start, duration) && $0 !== itself }
    if let twin = twins.first(where: { twin in !others.contains { $0 === twin } }) ?? twins.first {
      return twin
    }
    return near.first { walk in
      guard walk !== itself, walk.date != start else { return walk !== itself }
      return walk.isOngoing || (walk.end ?? walk.start).map { $0 > start } ?? false
    }
  }
}

@available(*, unavailable) extension WalkLog.Added: Sendable {}

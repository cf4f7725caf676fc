import ManagedObjects
package import SystemLibraries

/// Taking over walks from files.
extension WalkLog {
  /// What came of it.
  package struct Merged: Sendable, Hashable {
    /// How many walks were not there before.
    package var new = 0
    /// How many were there with other values.
    package var changed = 0
    /// How many were there already.
    package var known = 0
    /// The dogs that were not there before, by name.
    package var newDogs: [String] = []
    /// The walkers, likewise.
    package var newWalkers: [String] = []
    /// The tags, likewise.
    package var newTags: [String] = []
    /// The numbers of walks that have other values now.
    package var changedNumbers: [Int64] = []
    /// The numbers of walks that were changed here since they were exported, and stay as they are.
    package var keptNumbers: [Int64] = []
    /// How many of the new walks overlap others of the same dog.
    package var overlapping = 0
    /// The numbers of the first of these.
    package var overlappingNumbers: [Int64] = []
    /// How many of the new walks are longer than usual.
    package var long = 0
    /// The numbers of the first of these.
    package var longNumbers: [Int64] = []
    /// The walks that were deleted here since they were exported, and stay so.
    package var gone: [Gone] = []

    /// Takes down who and what is new among objects.
    fileprivate mutating func noteNames(of inserted: [ManagedObject]) {
      newDogs = inserted.compactMap { ($0 as? Dog)?.name }.sorted(byName: \.self)
      newWalkers = inserted.compactMap { ($0 as? Walker)?.name }.sorted(byName: \.self)
      newTags = inserted.compactMap { ($0 as? Tag)?.name }.sorted(byName: \.self)
    }

    /// A walk that is not there any more.
    package struct Gone: Sendable, Hashable {
      /// The name of its dog.
      package let dog: String
      /// What the file says of it.
      package let draft: WalkDraft
    }
  }

  /// Takes over walks, all in one transaction, in which they are looked up too.
  ///
  /// Each record of a file is a walk of its own. It is the one with the same UUID; where the file
  /// names none, one of the same dog, start and duration that no other record of that file is, and
  /// of several one that is as the record says; else one of the same dog and start that was going
  /// on, here or in the file, and is not there. So the records with a UUID find their walks first,
  /// and the others look among them as they will be then. Where a walk is there already and
  /// differs, the file's values win; but where the file is an export of this store, a walk that was
  /// changed or deleted here since stays as it is.
  ///
  /// - Parameters:
  ///   - files: the records of each file.
  ///   - overwrites: whether the file's values win in any case.
  ///   - longestUsual: how many seconds a walk takes at most that nobody wonders about.
  ///   - localOffset: the UTC offset of a walk that has none of its own.
  ///   - progress: hears from time to time how many were looked at.
  package func merge(
    _ files: [[WalkRecord]], overwrites: Bool = false, longestUsual: Double = .infinity,
    localOffset: @escaping (Date) -> Int, progress: (Int) -> Void
  ) throws -> Merged {
    var inserted: [ManagedObject] = []
    let observation = context.observe(.didSave) { inserted = Array($0.inserted) }
    defer { observation.cancel() }
    return try performWriting {
      var merge = try merge(files, overwrites: overwrites, localOffset: localOffset)
      try merge.makeNew()
      try merge.changeKnown(progress: progress)
      let notable = merge.takeNotable(longestUsual: longestUsual)
      // They have their numbers with the save.
      try save()
      merge.merged.overlappingNumbers = notable.overlapping.map(\.number)
      merge.merged.longNumbers = notable.long.map(\.number)
      merge.merged.noteNames(of: inserted)
      return merge.merged
    }
  }

  /// When a walk was, and for how long.
  package struct Times: Sendable {
    /// When it began, or nil in a row that says nothing of it.
    package let start: Date?
    /// When it ended; nil for a walk that is going on, and for one without a length.
    package let end: Date?
    /// Its length in seconds, or nil where none was given.
    package let seconds: Double?
    /// Whose it was; nil in a row that says nothing of it.
    package let dogName: String?
  }

  /// When the walks were, and whose, by their identifiers.
  ///
  /// O(walks). No walk stays in memory.
  package func timesByIdentifier() throws -> [UUID: Times] {
    guard hasStore else { return [:] }
    var times: [UUID: Times] = [:]
    for walk in try context.fetch(Walk.fetchRequest()) {
      guard let uuid = walk.identifier else { continue }
      times[uuid] = Times(
        start: walk.start, end: walk.end, seconds: walk.seconds, dogName: walk.dog?.name)
    }
    return times
  }

  /// What an import would do with a walk.
  package struct ImportOutcome {
    /// What becomes of it.
    package enum Kind: String, Sendable {
      /// It comes into the log.
      case new
      /// It is there, and gets other values.
      case changed
      /// It is there as it is.
      case known
      /// It was changed here since it was exported, and stays as it is.
      case kept
    }

    /// What becomes of it.
    package let kind: Kind
    /// The walk as it would be.
    package let walk: Walk
  }

  /// What an import would do, and with which walks.
  package struct ImportPreview {
    /// What would come of it all; new walks have no numbers yet.
    package let merged: Merged
    /// What would come of each walk, in the order of the files.
    package let outcomes: [ImportOutcome]
    /// The first of the new walks that overlap others of the same dog.
    package let overlapping: [Walk]
    /// The first of the new walks that are longer than usual.
    package let long: [Walk]
  }

  /// What `merge(_:overwrites:longestUsual:localOffset:progress:)` would do; nothing is saved, and
  /// the log is of no other use.
  package func preview(
    _ files: [[WalkRecord]], overwrites: Bool = false, longestUsual: Double = .infinity,
    localOffset: @escaping (Date) -> Int
  ) throws -> ImportPreview {
    var merge = try merge(files, overwrites: overwrites, localOffset: localOffset)
    try merge.makeNew()
    try merge.changeKnown { _ in }
    merge.merged.noteNames(of: Array(context.insertedObjects))
    let notable = merge.takeNotable(longestUsual: longestUsual)
    return ImportPreview(
      merged: merge.merged, outcomes: merge.outcomes, overlapping: notable.overlapping,
      long: notable.long)
  }

  /// The merge of some files, without the walks that were deleted here since they were exported.
  private func merge(
    _ files: [[WalkRecord]], overwrites: Bool, localOffset: @escaping (Date) -> Int
  ) throws -> WalkMerge {
    let store = hasStore && !overwrites ? storeIdentifier : nil
    var files = files
    var gone: [Merged.Gone] = []
    if let store, files.joined().contains(where: { $0.version?.store == store }) {
      let walks = try context.fetch(Walk.fetchRequest())
      let known = Set(walks.compactMap(\.identifier))
      let numbers = Set(walks.map(\.number))
      let highest = try coordinator.highestGivenKey(of: "Walk", in: self.store)
      // What a copy of this store has made since has a number that was never given here, or was
      // given to another walk.
      func wasHere(_ record: WalkRecord) -> Bool {
        record.number.map { $0 <= highest && !numbers.contains($0) } ?? true
      }
      for index in files.indices {
        files[index].removeAll { record in
          guard record.version?.store == store, let uuid = record.uuid, !known.contains(uuid),
            wasHere(record)
          else { return false }
          gone.append(.init(dog: record.dog, draft: record.draft))
          return true
        }
      }
    }
    var merge = try WalkMerge(
      files, context: context, exportedFrom: store, localOffset: localOffset)
    merge.merged.gone = gone
    return merge
  }
}

@available(*, unavailable) extension WalkLog.ImportOutcome: Sendable {}

@available(*, unavailable) extension WalkLog.ImportPreview: Sendable {}

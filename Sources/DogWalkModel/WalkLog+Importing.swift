import ManagedObjects
package import SystemLibraries

/// Importing walks from files.
extension WalkLog {
  /// The result of an import.
  package struct Merged: Sendable, Hashable {
    /// The number of walks that did not exist before.
    package var new = 0
    /// The number of existing walks that got other values.
    package var changed = 0
    /// The number of walks that existed before.
    package var known = 0
    /// The dogs that did not exist before, by name.
    package var newDogs: [String] = []
    /// The walkers that did not exist before, by name.
    package var newWalkers: [String] = []
    /// The tags that did not exist before, by name.
    package var newTags: [String] = []
    /// The numbers of walks that got other values.
    package var changedNumbers: [Int64] = []
    /// The numbers of walks that were changed here since they were exported, and are left
    /// unchanged.
    package var keptNumbers: [Int64] = []
    /// The number of new walks that overlap others of the same dog.
    package var overlapping = 0
    /// The numbers of the first of these.
    package var overlappingNumbers: [Int64] = []
    /// The number of new walks that are longer than usual.
    package var long = 0
    /// The numbers of the first of these.
    package var longNumbers: [Int64] = []
    /// The walks that were deleted here since they were exported, and are not inserted again.
    package var gone: [DeletedWalk] = []

    /// Records the names of inserted dogs, walkers and tags.
    fileprivate mutating func noteNames(of inserted: [ManagedObject]) {
      newDogs = inserted.compactMap { ($0 as? Dog)?.name }.sorted(byName: \.self)
      newWalkers = inserted.compactMap { ($0 as? Walker)?.name }.sorted(byName: \.self)
      newTags = inserted.compactMap { ($0 as? Tag)?.name }.sorted(byName: \.self)
    }

    /// A walk that no longer exists.
    package struct DeletedWalk: Sendable, Hashable {
      /// The name of its dog.
      package let dog: String
      /// Its values in the file.
      package let draft: WalkDraft
    }
  }

  /// Imports walks in one transaction, in which they are also looked up.
  ///
  /// Each record of a file stands for a different walk: the one with the same UUID; if the record
  /// has no UUID, a walk of the same dog with the same start and duration that no other record of
  /// the file stands for, preferring one that has all the record's values; otherwise a walk of the
  /// same dog with the same start that is ongoing either here or in the file, but not in both.
  /// Therefore the records with a UUID are matched first, and the others are compared with those
  /// walks as they will be afterwards. If a walk exists already and differs, the file's values win;
  /// but if the file is an export of this store, a walk that was changed or deleted here since
  /// stays as it is.
  ///
  /// - Parameters:
  ///   - files: the records of each file.
  ///   - overwrites: whether the file's values win in any case.
  ///   - longestUsual: the maximum duration in seconds that is not counted as unusually long.
  ///   - localOffset: returns the UTC offset for a walk that has none of its own.
  ///   - progress: called from time to time with the number of records processed.
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
      // The walks get their numbers with the save.
      try save()
      merge.merged.overlappingNumbers = notable.overlapping.map(\.number)
      merge.merged.longNumbers = notable.long.map(\.number)
      merge.merged.noteNames(of: inserted)
      return merge.merged
    }
  }

  /// The start and the end of a walk.
  package struct Times: Sendable {
    /// The start; nil if the row contains no valid one.
    package let start: Date?
    /// The end; nil for an ongoing walk and for one without a duration.
    package let end: Date?
    /// The duration in seconds; nil if there is none.
    package let seconds: Double?
    /// The name of the dog; nil if the row contains none.
    package let dogName: String?
  }

  /// Returns the times of the walks and the names of their dogs, by UUID.
  ///
  /// O(walks). The walks are not retained.
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

  /// Returns whether a walk, with another length, has the values that it was exported with.
  package func wasExported(
    walkWith uuid: UUID, as version: WalkVersion, seconds: Double
  ) throws -> Bool {
    guard hasStore, version.store == storeIdentifier else { return false }
    var request = Walk.fetchRequest()
    request.predicate = .comparison("uuid", .equal, .uuid(uuid))
    return try context.fetch(request).contains {
      WalkVersion(of: $0, in: version.store, tags: $0.tagNames, seconds: seconds) == version
    }
  }

  /// The effect that an import would have on a walk.
  package struct ImportOutcome {
    /// The kinds of effects.
    package enum Kind: String, Sendable {
      /// The walk is inserted.
      case new
      /// The walk exists and gets other values.
      case changed
      /// The walk exists with the same values.
      case known
      /// The walk was changed here since it was exported, and is left unchanged.
      case kept
    }

    /// The kind of effect.
    package let kind: Kind
    /// The walk with the values that it would have.
    package let walk: Walk
  }

  /// The effects that an import would have, and the walks concerned.
  package struct ImportPreview {
    /// The result of the whole import; new walks have no numbers yet.
    package let merged: Merged
    /// The effect on each walk, in the order of the files.
    package let outcomes: [ImportOutcome]
    /// The first of the new walks that overlap others of the same dog.
    package let overlapping: [Walk]
    /// The first of the new walks that are longer than usual.
    package let long: [Walk]
  }

  /// Returns the effects that `merge(_:overwrites:longestUsual:localOffset:progress:)` would have.
  ///
  /// Nothing is saved, and the log cannot be used for anything else afterwards.
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

  /// Creates the merge of some files, without the walks that were deleted here since they were
  /// exported.
  private func merge(
    _ files: [[WalkRecord]], overwrites: Bool, localOffset: @escaping (Date) -> Int
  ) throws -> WalkMerge {
    let store = hasStore && !overwrites ? storeIdentifier : nil
    var files = files
    var gone: [Merged.DeletedWalk] = []
    if let store, files.joined().contains(where: { $0.version?.store == store }) {
      let walks = try context.fetch(Walk.fetchRequest())
      let known = Set(walks.map(\.sharedIdentifier))
      let numbers = Set(walks.map(\.number))
      let highest = try coordinator.highestGivenKey(of: "Walk", in: self.store)
      // A walk that a copy of this store has added since has a number that was never assigned here,
      // or was assigned to another walk.
      func existedHere(_ record: WalkRecord) -> Bool {
        record.number.map { $0 <= highest && !numbers.contains($0) } ?? true
      }
      for index in files.indices {
        files[index].removeAll { record in
          guard record.version?.store == store, let uuid = record.uuid, !known.contains(uuid),
            existedHere(record)
          else { return false }
          gone.append(.init(dog: record.dog, draft: record.draft))
          return true
        }
      }
    }
    var merge = try WalkMerge(
      files, into: self, exportedFrom: store, localOffset: localOffset)
    merge.merged.gone = gone
    return merge
  }
}

@available(*, unavailable) extension WalkLog.ImportOutcome: Sendable {}

@available(*, unavailable) extension WalkLog.ImportPreview: Sendable {}

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
  }

  /// Takes over walks, all in one transaction, in which they are looked up too.
  ///
  /// Each record of a file is a walk of its own. It is the one with the same UUID; where the file
  /// names none, one of the same dog, start and duration that no other record of that file is. So the
  /// records with a UUID find their walks first, and the others look among them as they will be then.
  /// Where a walk is there already and differs, the file's values win.
  ///
  /// - Parameters:
  ///   - files: the records of each file.
  ///   - localOffset: the UTC offset of a walk that has none of its own.
  ///   - progress: hears from time to time how many were looked at.
  package func merge(
    _ files: [[WalkRecord]], localOffset: @escaping (Date) -> Int, progress: (Int) -> Void
  ) throws -> Merged {
    var newDogs: [String] = []
    let observation = context.observe(.didSave) { changes in
      newDogs = changes.inserted.compactMap { ($0 as? Dog)?.name }
    }
    defer { observation.cancel() }
    return try performWriting {
      var merge = try WalkMerge(files, context: context)
      try merge.makeNew()
      try merge.changeKnown(localOffset: localOffset, progress: progress)
      try save()
      merge.merged.newDogs = newDogs
      return merge.merged
    }
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
    }

    /// What becomes of it.
    package let kind: Kind
    /// The walk as it would be.
    package let walk: Walk
  }

  /// What `merge(_:localOffset:progress:)` would do; nothing is saved, and the log is of no other use.
  ///
  /// - Returns: what would come of it all, and of each walk, in the order of the files.
  package func preview(
    _ files: [[WalkRecord]], localOffset: @escaping (Date) -> Int
  ) throws -> (merged: Merged, outcomes: [ImportOutcome]) {
    var merge = try WalkMerge(files, context: context)
    try merge.makeNew()
    try merge.changeKnown(localOffset: localOffset) { _ in }
    merge.merged.newDogs = context.insertedObjects.compactMap { ($0 as? Dog)?.name }.sorted()
    return (merge.merged, merge.outcomes)
  }
}

@available(*, unavailable) extension WalkLog.ImportOutcome: Sendable {}

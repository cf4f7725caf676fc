package import ManagedObjects
package import SystemLibraries

/// Undoing commands across processes: the effects of the store's undo log on dogs and walks.
extension WalkLog {
  /// The direction in the undo log.
  package enum Direction: Sendable {
    /// Undoes the last command.
    case undo
    /// Redoes it.
    case redo
  }

  /// A command that was undone or redone, and the effects on walks and dogs.
  ///
  /// Deleted objects can still be read in their last state.
  package struct Reverted {
    /// The command.
    package let command: StoreUndoLog.Command
    /// Walks and dogs that exist again.
    package fileprivate(set) var back: (walks: [Walk], dogs: [Dog])
    /// Walks and dogs with changed values.
    package fileprivate(set) var changed: (walks: [Walk], dogs: [Dog])
    /// Walks and dogs that no longer exist.
    package fileprivate(set) var gone: (walks: [Walk], dogs: [Dog])
    /// Reads the tags of all these walks.
    package let tags: WalkTags
    /// Retains the contexts of the objects.
    fileprivate let contexts: [ManagedObjectContext]
    /// Walkers and tags of deleted walks, which may be deleted themselves.
    fileprivate let ends: [ManagedObject]
  }

  /// Begins a command in the undo log, to which the following changes belong.
  ///
  /// - Parameters:
  ///   - date: the date of the command; nil for now.
  ///   - author: the author of the command; nil for none.
  package func begin(_ command: String, at date: Date?, by author: String?) {
    undoLog?.begin(command, at: date, by: author)
  }

  /// Removes all commands from the undo log, with the values that they keep; the file is rewritten.
  ///
  /// - Parameter mayForget: receives all commands inside the transaction, and returns whether to
  ///   continue.
  /// - Returns: whether the commands were removed.
  package func forget(where mayForget: ([StoreUndoLog.Command]) -> Bool) throws -> Bool {
    try performWriting {
      guard try mayForget(commands()) else { return false }
      try noteChangesForSyncs()
      try undoLog?.forget()
      return true
    }
  }

  /// Returns the command that would be undone or redone; nil if there is none.
  ///
  /// - Parameter author: the author whose commands count, besides commands without an author; nil
  ///   for all.
  package func next(_ direction: Direction, by author: String?) throws -> StoreUndoLog.Command? {
    direction == .undo ? try undoLog?.nextToUndo(by: author) : try undoLog?.nextToRedo(by: author)
  }

  /// Returns the last command that can be undone, and later ones that cannot, with the reasons.
  package func nextRevertible(by author: String?) throws -> (
    command: StoreUndoLog.Command?, blocked: [StoreUndoLog.BlockedCommand]
  ) {
    try undoLog?.nextRevertible(by: author) { try refuseTwins(of: $0.deleted, after: $0) }
      ?? (nil, [])
  }

  /// The number of commands that can be undone one after the other.
  package var undoCount: Int { get throws { try undoLog?.undoCount ?? 0 } }

  /// Returns the commands that made changes, newest first, including undone ones.
  package func commands(limit: Int? = nil) throws -> [StoreUndoLog.Command] {
    try undoLog?.commands(limit: limit) ?? []
  }

  /// Undoes or redoes a whole command.
  ///
  /// - Parameter skipped: later commands that cannot be undone, and are permanently skipped.
  /// - Throws: `StoreUndoError`, including `superseded` if the command is no longer the last one;
  ///   `PersistentStoreError`.
  package func revert(
    _ command: StoreUndoLog.Command, _ direction: Direction,
    skipping skipped: [StoreUndoLog.Command] = [], by author: String?
  ) throws -> Reverted {
    let isUndo = direction == .undo
    let before = anotherContext()
    var held = try fetchDogsAndWalkers(in: before)
    let going = isUndo ? command.inserted : command.deleted
    var tags = try tags()
    let gone = try objects(going, tags, in: before)
    // Their dogs, walkers and tags may be deleted with them.
    let ends = gone.walks.flatMap { walk -> [ManagedObject] in
      let walker = walk.walker.map { [$0 as ManagedObject] } ?? []
      return tags.areThere ? walker + Array(walk.tags) : walker
    }
    for walk in gone.walks { _ = (walk.dog?.name, walk.walkerName, tags.names(of: walk)) }
    let changing = command.updated.filter { $0.entity.name == "Dog" }
    let shown = Dictionary(
      uniqueKeysWithValues: try objects(changing, tags, in: before).dogs
        .map { ($0.objectID, DogValues($0)) })
    let isSync = command.name.hasPrefix(Self.syncCommand)
    let values = try isSync && isUndo ? valuesWithdrawing(gone.walks, gone.dogs) : [:]
    _ = try coordinator.keep(values, in: store) {
      try isUndo
        ? undoLog?.undo(command, skipping: skipped, by: author) {
          try refuseTwins(of: $0.deleted, after: $0)
        }
        : undoLog?.redo(command, by: author) { try refuseTwins(of: $0.inserted, after: $0) }
    }
    hasSaved = true
    let after = anotherContext()
    held += try fetchDogsAndWalkers(in: after)
    if try self.tags().areThere { tags = WalkTags(areThere: true) }
    let back = try objects(isUndo ? command.deleted : command.inserted, tags, in: after)
    if isSync, !isUndo { try restore(back.walks, back.dogs) }
    var changed = try objects(command.updated, tags, in: after)
    // A dog that a sync merged with another one got its UUID, which is not displayed.
    changed.dogs.removeAll { shown[$0.objectID] == DogValues($0) }
    return Reverted(
      command: command, back: back, changed: changed, gone: gone, tags: tags,
      contexts: [before, after], ends: ends + held)
  }

  /// Refuses to restore walks that later commands have inserted again under other numbers, as a
  /// sync or an import does: they would count twice.
  ///
  /// - Throws: `StoreUndoError` with a walk that exists already.
  private func refuseTwins(
    of ids: [ManagedObjectID], after command: StoreUndoLog.Command
  ) throws {
    let walks = Set(ids.filter { $0.entity.name == "Walk" })
    guard !walks.isEmpty, let newest = try commands(limit: 1).first, newest.id > command.id else {
      return
    }
    let later = try Set(
      commands().prefix { $0.id > command.id }.filter { !$0.isUndone }
        .flatMap { $0.inserted + $0.updated })
    let context = anotherContext()
    let back = try objects(Array(walks), WalkTags(areThere: false), in: context).walks
    let identifiers = back.compactMap(\.identifier)
    for start in stride(from: 0, to: identifiers.count, by: 10_000) {
      let piece = identifiers[start..<min(start + 10_000, identifiers.count)]
      var request = Walk.fetchRequest()
      request.predicate = .isIn("uuid", piece.map { .uuid($0) })
      if let twin = try context.fetch(request).first(where: {
        later.contains($0.objectID) && !walks.contains($0.objectID)
      }) {
        throw StoreUndoError.changedSince(twin.objectID)
      }
    }
  }

  /// Fetches all dogs and walkers if fetching them one at a time would be slow.
  private func fetchDogsAndWalkers(in context: ManagedObjectContext) throws -> [ManagedObject] {
    guard context.prefersPipelining else { return [] }
    let walkers: [ManagedObject] = try Walker.all(in: context)
    return try walkers + Dog.all(in: context)
  }

  /// The displayed values of a dog.
  private struct DogValues: Equatable {
    let name: String
    let targetMinutes: Int16?
    let maximumGap: Double?

    init(_ dog: Dog) {
      (name, targetMinutes, maximumGap) = (dog.name, dog.targetMinutes, dog.maximumGap)
    }
  }

  /// Returns the walks with some IDs by number, and the dogs by name; missing objects are left out.
  private func objects(
    _ ids: [ManagedObjectID], _ tags: WalkTags, in context: ManagedObjectContext
  ) throws -> (walks: [Walk], dogs: [Dog]) {
    var walks: [Walk] = []
    var dogs: [Dog] = []
    // In batches, because SQLite limits the number of bound values.
    for start in stride(from: 0, to: ids.count, by: 500) {
      let piece = ids[start..<min(start + 500, ids.count)]
      let walkIDs = piece.filter { $0.entity.name == "Walk" }
      let dogIDs = piece.filter { $0.entity.name == "Dog" }
      if !walkIDs.isEmpty {
        var request = Walk.fetchRequest()
        request.predicate = .object(isIn: walkIDs)
        if tags.areThere { request.relationshipKeyPathsForPrefetching = ["tags"] }
        walks += try context.fetch(request).sorted { $0.number < $1.number }
      }
      if !dogIDs.isEmpty {
        var request = Dog.fetchRequest()
        request.predicate = .object(isIn: dogIDs)
        dogs += try context.fetch(request)
      }
    }
    return (walks, dogs.sorted(byName: \.name))
  }
}

@available(*, unavailable) extension WalkLog.Reverted: Sendable {}

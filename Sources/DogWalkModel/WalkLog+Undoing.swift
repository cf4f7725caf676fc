package import ManagedObjects
package import SystemLibraries

/// Taking commands back, across processes: what the store's undo log means to dogs and walks.
extension WalkLog {
  /// Which way to go in the log.
  package enum Direction: Sendable {
    /// Take the last command back.
    case undo
    /// Do it again.
    case redo
  }

  /// A command that was taken back or done again, and what that did to walks and dogs.
  ///
  /// What is gone is still readable as it was.
  package struct Reverted {
    /// The command.
    package let command: StoreUndoLog.Command
    /// Walks and dogs that are there again.
    package fileprivate(set) var back: (walks: [Walk], dogs: [Dog])
    /// Those with values of before.
    package fileprivate(set) var changed: (walks: [Walk], dogs: [Dog])
    /// Those that are gone.
    package fileprivate(set) var gone: (walks: [Walk], dogs: [Dog])
    /// The tags of all these walks.
    package let tags: WalkTags
    /// Keeps the objects' values readable.
    fileprivate let contexts: [ManagedObjectContext]
    /// Walkers and tags of walks that are gone, which may be gone themselves.
    fileprivate let ends: [ManagedObject]
  }

  /// Names the command whose changes follow, for the undo log.
  ///
  /// - Parameters:
  ///   - date: when it was given; nil for now.
  ///   - author: who gave it; nil where nobody is named.
  package func begin(_ command: String, at date: Date?, by author: String?) {
    undoLog?.begin(command, at: date, by: author)
  }

  /// Forgets all commands, and what was deleted with them; the file is written anew.
  ///
  /// - Parameter mayForget: gets all commands, inside the transaction; says whether to go on.
  /// - Returns: whether they are forgotten.
  package func forget(where mayForget: ([StoreUndoLog.Command]) -> Bool) throws -> Bool {
    try performWriting {
      guard try mayForget(commands()) else { return false }
      try noteChangesForSyncs()
      try undoLog?.forget()
      return true
    }
  }

  /// The command that would be taken back or done again; nil where there is none.
  ///
  /// - Parameter author: whose; one without an author is everybody's. Nil for anyone's.
  package func next(_ direction: Direction, by author: String?) throws -> StoreUndoLog.Command? {
    direction == .undo ? try undoLog?.nextToUndo(by: author) : try undoLog?.nextToRedo(by: author)
  }

  /// The last command that can be taken back, and those after it that cannot, and why.
  package func nextRevertible(by author: String?) throws -> (
    command: StoreUndoLog.Command?, blocked: [StoreUndoLog.BlockedCommand]
  ) {
    try undoLog?.nextRevertible(by: author) { try refuseTwins(of: $0.deleted, after: $0) }
      ?? (nil, [])
  }

  /// How many commands can be taken back, one after the other.
  package var undoCount: Int { get throws { try undoLog?.undoCount ?? 0 } }

  /// The commands that changed something, the newest first, those taken back included.
  package func commands(limit: Int? = nil) throws -> [StoreUndoLog.Command] {
    try undoLog?.commands(limit: limit) ?? []
  }

  /// Takes a command back, or does it again, whole.
  ///
  /// - Parameter skipped: commands after it that cannot be taken back, and are passed over for
  ///   good.
  /// - Throws: `StoreUndoError`, `superseded` among them where it is not the last one any more;
  ///   `PersistentStoreError`.
  package func revert(
    _ command: StoreUndoLog.Command, _ direction: Direction,
    passingOver skipped: [StoreUndoLog.Command] = [], by author: String?
  ) throws -> Reverted {
    let isUndo = direction == .undo
    let before = anotherContext()
    var held = try everybody(in: before)
    let going = isUndo ? command.inserted : command.deleted
    var tags = try tags()
    let gone = try objects(going, tags, in: before)
    // Their dogs, walkers and tags may go with them.
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
        ? undoLog?.undo(command, passingOver: skipped, by: author) {
          try refuseTwins(of: $0.deleted, after: $0)
        }
        : undoLog?.redo(command, by: author) { try refuseTwins(of: $0.inserted, after: $0) }
    }
    hasSaved = true
    let after = anotherContext()
    held += try everybody(in: after)
    if try self.tags().areThere { tags = WalkTags(areThere: true) }
    let back = try objects(isUndo ? command.deleted : command.inserted, tags, in: after)
    if isSync, !isUndo { try restore(back.walks, back.dogs) }
    var changed = try objects(command.updated, tags, in: after)
    // A dog that a sync has made one with another got its UUID, which nobody sees.
    changed.dogs.removeAll { shown[$0.objectID] == DogValues($0) }
    return Reverted(
      command: command, back: back, changed: changed, gone: gone, tags: tags,
      contexts: [before, after], ends: ends + held)
  }

  /// Refuses to bring walks back that later commands have brought under other numbers, as a sync or
  /// an import does: they would count twice.
  ///
  /// - Throws: `StoreUndoError` with one that is there.
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

  /// All dogs and walkers, where reading one after the other would take long.
  private func everybody(in context: ManagedObjectContext) throws -> [ManagedObject] {
    guard context.isAskedAhead else { return [] }
    let walkers: [ManagedObject] = try Walker.all(in: context)
    return try walkers + Dog.all(in: context)
  }

  /// What people see of a dog.
  private struct DogValues: Equatable {
    let name: String
    let targetMinutes: Int16?
    let maximumGap: Double?

    init(_ dog: Dog) {
      (name, targetMinutes, maximumGap) = (dog.name, dog.targetMinutes, dog.maximumGap)
    }
  }

  /// The walks with some IDs, by their numbers, and the dogs, by name; those not there are left
  /// out.
  private func objects(
    _ ids: [ManagedObjectID], _ tags: WalkTags, in context: ManagedObjectContext
  ) throws -> (walks: [Walk], dogs: [Dog]) {
    var walks: [Walk] = []
    var dogs: [Dog] = []
    // In pieces, as long as SQLite takes.
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

import DataModel

extension ManagedObjectContext {
  /// Takes over what another context has saved, under what was changed here.
  ///
  ///     let observation = other.observe(.didSave) { changes in
  ///       try? context.mergeChanges(from: changes.objectIDs)
  ///     }
  ///
  /// Objects known here have the stored values then, but for properties changed here. Deleted ones
  /// leave their lists and are deleted here too, as by `delete(_:)`: what was given to them here
  /// and is not saved follows the delete rules, and they are among `deletedObjects` until the next
  /// save, which writes nothing for them. Lists that were read have their new members. One query
  /// for each family of entities, and one for each list that was changed here. Objects nobody knows
  /// here are read only where a list or an observer has to learn of them, or the context retains
  /// all objects.
  ///
  /// An ID may be named more than once: what the store has counts. IDs without a row, of other
  /// stores and temporary ones are passed over. Follows Core Data's
  /// `mergeChanges(fromContextDidSave:)`.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read; merge again then.
  public func mergeChanges(from changes: ChangedObjectIDs) throws {
    childLog?.append(changes, from: self)
    if changes.isIncomplete { return try refreshAllObjects() }
    let merge = { try self.notifyingChildren { try self.merge(changes) } }
    // What comes from others is not to be undone.
    try changeRecorder?.pause(merge) ?? merge()
    processPendingChanges()
  }

  /// Runs a merge, or the save of a child, and has children take over what it changes here besides:
  /// delete rules reach what only this context knows.
  ///
  /// - Parameter known: the objects whose changes they have already.
  func notifyingChildren(
    except known: @autoclosure () -> [ManagedObject] = [], _ body: () throws -> Void
  ) rethrows {
    guard let childLog, childLog.hasReaders else { return try body() }
    let outer = touched
    touched = []
    defer {
      let changed = touched ?? []
      touched = outer.map { $0 + changed }
      let ids = Set(changed.map(\.objectID)).subtracting(known().map(\.objectID))
      if !ids.isEmpty { childLog.append(ChangedObjectIDs(updated: Array(ids)), from: self) }
    }
    try body()
  }

  /// Takes over what was changed elsewhere, in several contexts of one isolation.
  ///
  ///     let changes = try context.execute(BatchUpdateRequest(entityName: "Walk"))
  ///     try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context, other])
  ///
  /// `changes` may come from another process, or from a request that changed rows past all
  /// contexts. IDs of other stores are passed over. Follows Core Data's
  /// `mergeChanges(fromRemoteContextSave:into:)`.
  ///
  /// - Throws: `PersistentStoreError` where a store cannot be read; merge again then.
  public static func mergeChanges(
    fromRemoteContextSave changes: ChangedObjectIDs, into contexts: [ManagedObjectContext]
  ) throws {
    for context in contexts { try context.mergeChanges(from: changes) }
  }

  /// Whether saves of other contexts are taken over without being told to: those of the parent and
  /// into it, or of all on the same coordinator where there is no parent.
  ///
  ///     context.automaticallyMergesChangesFromParent = true
  ///
  /// False at first. What was saved since is merged at each `fetch(_:)`, `save()` and
  /// `processPendingChanges()`, in parents that merge automatically first; between them nothing
  /// changes behind one's back. Saves of other processes into SQLite stores that keep a history
  /// (`PersistentStoreOptions.tracksPersistentHistory`) are among them; of any other store nobody
  /// names what was changed, so whoever wants all objects refreshed merges from
  /// `PersistentStoreCoordinator.remoteChanges(of:)`. Follows Core Data's property of that name.
  public var automaticallyMergesChangesFromParent: Bool {
    get { mergeReader != nil }
    set {
      guard newValue else {
        (mergeReader, remoteChangePull) = (nil, nil)
        return
      }
      if parent == nil {
        remoteChangePull = remoteChangePull ?? RemoteChangePull(persistentStoreCoordinator)
      }
      mergeReader =
        mergeReader
        ?? ChangeLogReader(parent?.makeChildLog() ?? persistentStoreCoordinator.changeLog)
    }
  }

  /// Merges what others have saved since the last time, where that is wanted.
  func pullChanges() throws {
    checkCaller()
    guard let mergeReader else { return }
    // A child reads through its parent, which sees the store as it is now: so the parent merges
    // first.
    try parent?.pullChanges()
    unmergedChanges += mergeReader.take(but: self)
    if let remoteChangePull { unmergedChanges += try remoteChangePull.take() }
    // What `performReading` has pinned is older than the news: they are merged afterwards.
    guard !unmergedChanges.isEmpty, !readsPinnedState else { return }
    let changes = ChangedObjectIDs(joining: unmergedChanges)
    unmergedChanges = []
    do {
      try mergeChanges(from: changes)
    } catch {
      // They are merged the next time.
      unmergedChanges = [changes]
      throw error
    }
  }

  // MARK: Underneath

  /// Whether the stores are read as they were when `performReading` began.
  private var readsPinnedState: Bool { persistentStoreCoordinator.reading?.isInside == false }

  private func merge(_ changes: ChangedObjectIDs) throws {
    var seen: Set<ManagedObjectID> = []
    func new(_ ids: [ManagedObjectID]) -> [ManagedObjectID] {
      ids.filter { seen.insert($0).inserted }
    }
    let (newIDs, changedIDs) = (new(changes.inserted), new(changes.updated + changes.refreshed))
    var merge = RowMerge(context: self)
    let wanted = familiesInLists
    let changed = try take(changedIDs, into: &merge) { wanted.contains($0) }
    let inserted = try take(newIDs, into: &merge) { [retainedObjects] in
      wanted.contains($0) || retainedObjects != nil
    }
    // IDs that are also named as updated or inserted have been read already, but for faults.
    let back = try lose(
      Set(changes.deleted).compactMap { registeredObject(for: $0) }
        .filter { $0._slots == nil || !seen.contains($0.objectID) }, in: &merge)
    if let observers {
      for object in inserted { observers.noteArrival(object) }
      for object in changed + back { observers.noteRefresh(object) }
    }
    try merge.finish()
    for object in changed + back + inserted { object.tellSnapshotEvents() }
  }

  /// Marks objects as deleted whose rows are gone; refreshes those that have a row, and returns
  /// them.
  ///
  /// The notification may be older than an insertion that brought the row back.
  private func lose(
    _ deleted: [ManagedObject], in merge: inout RowMerge
  ) throws -> [ManagedObject] {
    let objects = deleted.filter { $0._state.isDisjoint(with: [.inserted, .gone, .leftStore]) }
    var there: Set<ManagedObject> = []
    let families = Dictionary(grouping: objects, by: \._entity.binding.root)
    for (root, objects) in families where !readsPinnedState {
      try readRows(objects.map(\._key), root: root) { cursor, entity in
        if let object = entity.table.object(for: cursor.key) { there.insert(object) }
      }
    }
    for object in objects where !there.contains(object) { merge.lose(object) }
    let back = objects.filter { there.contains($0) }
    try merge.refresh(back)
    for object in back where object._slots != nil { object.note(.refresh) }
    return back
  }

  /// Takes the rows of some IDs over; gives the objects that were read.
  ///
  /// - Parameter needs: whether objects of a family that are not known here have to be read.
  private func take(
    _ ids: [ManagedObjectID], into merge: inout RowMerge, where needs: (Int) -> Bool
  ) throws -> [ManagedObject] {
    var known: [ManagedObject] = []
    var unknown: [Int: [Int64]] = [:]
    for id in ids {
      guard !id.isTemporaryID || parent != nil, let index = index(of: id) else { continue }
      let entity = contextEntity(at: index)
      let root = entity.binding.root
      let object = entity.table.object(for: id.key)
      if let object, !object._state.contains(.leftStore) {
        if object._state.isDisjoint(with: [.inserted, .gone]) { known.append(object) }
      } else if object != nil || observers?.recordsEvents == true || needs(root) {
        // One that others had deleted may be back, as another object.
        unknown[root, default: []].append(id.key)
      }
    }
    try merge.refresh(known)
    // Faults stay faults.
    for object in known where object._slots != nil { object.note(.refresh) }
    for (root, keys) in unknown { known += try merge.read(keys, root: root) }
    return known
  }

  /// The root entities of the members of all lists that were read.
  private var familiesInLists: Set<Int> {
    var roots: Set<Int> = []
    for entity in entities where entity.binding.root == entity.binding.index {
      for object in entity.table.objects {
        guard let lists = object._lists else { continue }
        for toMany in object._entity.binding.toManys where lists.toManys[toMany.number].isLoaded {
          roots.insert(binding(at: toMany.destination).root)
        }
      }
    }
    return roots
  }
}

import DataModel

extension ManagedObjectContext {
  /// Merges changes that another context has saved, below the unsaved changes made here.
  ///
  ///     let observation = other.observe(.didSave) { changes in
  ///       try? context.mergeChanges(from: changes.objectIDs)
  ///     }
  ///
  /// Registered objects then have the stored values, except for properties changed here. Deleted
  /// ones are removed from their lists and deleted here too, as by `delete(_:)`: unsaved
  /// relationships to them follow the delete rules, and they are among `deletedObjects` until the
  /// next save, which writes nothing for them. Loaded lists get their new members. One query for
  /// each entity hierarchy, and one for each list that was changed here. Objects that are not
  /// registered are read only if a list or an observer needs them, or the context retains all
  /// objects.
  ///
  /// An ID may occur more than once: the state of the store is used. IDs without a row, of other
  /// stores, and temporary ones are ignored. Follows Core Data's
  /// `mergeChanges(fromContextDidSave:)`.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read; merge again then.
  public func mergeChanges(from changes: ChangedObjectIDs) throws {
    children.log?.append(changes, from: self)
    if changes.isIncomplete { return try refreshAllObjects() }
    let merge = { try self.notifyingChildren { try self.merge(changes) } }
    // Changes made elsewhere are not to be undone.
    try changeRecorder?.pause(merge) ?? merge()
    processPendingChanges()
  }

  /// Runs a merge, or the save of a child, and notifies children of further changes made here.
  ///
  /// Delete rules may change objects that only this context has.
  ///
  /// - Parameter known: the objects whose changes the children have already.
  func notifyingChildren(
    except known: @autoclosure () -> [ManagedObject] = [], _ body: () throws -> Void
  ) rethrows {
    guard let childLog = children.log, childLog.hasReaders else { return try body() }
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

  /// Merges changes made elsewhere into several contexts of one isolation.
  ///
  ///     let changes = try context.execute(BatchDeleteRequest(fetchRequest: Walk.fetchRequest()))
  ///     try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context, other])
  ///
  /// `changes` may come from another process, or from a batch request, which changes rows directly.
  /// IDs of other stores are ignored. Follows Core Data's
  /// `mergeChanges(fromRemoteContextSave:into:)`.
  ///
  /// - Throws: `PersistentStoreError` if a store cannot be read; merge again then.
  public static func mergeChanges(
    fromRemoteContextSave changes: ChangedObjectIDs, into contexts: [ManagedObjectContext]
  ) throws {
    for context in contexts { try context.mergeChanges(from: changes) }
  }

  /// Whether saves of other contexts are merged automatically.
  ///
  ///     context.automaticallyMergesChangesFromParent = true
  ///
  /// These are saves by the parent and into it, or, if there is no parent, of all contexts of the
  /// coordinator. False by default. Saves are merged at each `fetch(_:)`, `save()` and
  /// `processPendingChanges()`, in parents that merge automatically first; between these calls
  /// objects do not change. Saves of other processes into SQLite stores that keep a history
  /// (`PersistentStoreOptions.tracksPersistentHistory`) are included; for any other store the
  /// changed objects are unknown, so a program that wants all objects refreshed merges from
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
        ?? ChangeLogReader(parent?.children.makeLog() ?? persistentStoreCoordinator.changeLog)
    }
  }

  /// Merges the saves made elsewhere since the last call, if that is automatic.
  func pullChanges() throws {
    checkCaller()
    guard let mergeReader else { return }
    // A child reads through its parent, which sees the current state of the store: so the parent
    // merges first.
    try parent?.pullChanges()
    unmergedChanges += mergeReader.take(but: self)
    if let remoteChangePull { unmergedChanges += try remoteChangePull.take() }
    // The state pinned by `performReading` is older than the changes: they are merged afterwards.
    guard !unmergedChanges.isEmpty, !readsPinnedState else { return }
    let changes = ChangedObjectIDs(joining: unmergedChanges)
    unmergedChanges = []
    do {
      try mergeChanges(from: changes)
    } catch {
      // They are merged at the next attempt.
      unmergedChanges = [changes]
      throw error
    }
  }

  // MARK: Implementation

  /// Whether the stores are read in the state in which `performReading` began.
  private var readsPinnedState: Bool { persistentStoreCoordinator.reading?.holdsLock == false }

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
    // IDs that are also listed as updated or inserted have been read already, unless they are
    // faults.
    let back = try lose(
      Set(changes.deleted).compactMap { registeredObject(for: $0) }
        .filter { $0._slots == nil || !seen.contains($0.objectID) }, in: &merge)
    if let observers {
      for object in inserted { observers.recordInsertion(object) }
      for object in changed + back { observers.noteRefresh(object) }
    }
    try merge.finish()
    for object in changed + back + inserted { object.notifySnapshotEvents() }
  }

  /// Marks objects as deleted whose rows are missing; refreshes and returns those that have a row.
  ///
  /// The notification may be older than an insertion that restored the row.
  private func lose(
    _ deleted: [ManagedObject], in merge: inout RowMerge
  ) throws -> [ManagedObject] {
    let objects = deleted.filter {
      $0._state.isDisjoint(with: [.inserted, .detached, .deletedExternally])
    }
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

  /// Merges the rows of some IDs; returns the objects that were read.
  ///
  /// - Parameter needs: whether objects of an entity hierarchy that are not registered have to be
  ///   read.
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
      if let object, !object._state.contains(.deletedExternally) {
        if object._state.isDisjoint(with: [.inserted, .detached]) { known.append(object) }
      } else if object != nil || observers?.recordsEvents == true || needs(root) {
        // An object that was deleted elsewhere may have been inserted again, as another object.
        unknown[root, default: []].append(id.key)
      }
    }
    try merge.refresh(known)
    // Faults stay faults.
    for object in known where object._slots != nil { object.note(.refresh) }
    for (root, keys) in unknown { known += try merge.read(keys, root: root) }
    return known
  }

  /// The root entities of the members of all loaded lists.
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

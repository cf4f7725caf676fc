import DataModel

extension ManagedObjectContext {
  /// Takes over what another context has saved, under what was changed here.
  ///
  ///     let observation = other.observe(.didSave) { changes in
  ///       try? context.mergeChanges(from: changes.objectIDs)
  ///     }
  ///
  /// Objects known here have the stored values then, but for properties changed here; deleted ones
  /// leave their lists and end; lists that were read have their new members. One query for each family
  /// of entities, and one for each list that was changed here. Objects nobody knows here are read only
  /// where a list or an observer has to learn of them. Follows Core Data's
  /// `mergeChanges(fromContextDidSave:)`.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read; merge again then.
  public func mergeChanges(from changes: ChangedObjectIDs) throws {
    childLog?.append(changes, from: self)
    if changes.isIncomplete { return try refreshAllObjects() }
    var merge = RowMerge(context: self)
    for id in changes.deleted {
      if let object = knownObject(for: id) { merge.lose(object) }
    }
    let updated = try take(changes.updated + changes.refreshed, into: &merge)
    let inserted = try take(changes.inserted, into: &merge)
    try merge.finish()
    for object in updated + inserted { object.tellSnapshotEvents() }
    if let observers {
      for object in inserted { observers.noteInsert(object) }
      for object in updated { observers.noteRefresh(object) }
    }
    processPendingChanges()
  }

  /// Takes over what was changed elsewhere, in several contexts of one isolation.
  ///
  ///     let changes = try background.execute(request)   // a batch request
  ///     try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [list, detail])
  ///
  /// `changes` may come from another process, or from a request that changed rows past all contexts.
  /// IDs of other stores are passed over. Follows Core Data's
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
  /// `processPendingChanges()`; between them nothing changes behind one's back. Saves of other
  /// processes are not among them. Follows Core Data's property of that name.
  public var automaticallyMergesChangesFromParent: Bool {
    get { mergeReader != nil }
    set {
      guard newValue else { return mergeReader = nil }
      mergeReader =
        mergeReader
        ?? ChangeLogReader(parent?.makeChildLog() ?? persistentStoreCoordinator.changeLog)
    }
  }

  /// Merges what others have saved since the last time, where that is wanted.
  func pullChanges() throws {
    guard let mergeReader else { return }
    unmergedChanges += mergeReader.take(but: self)
    guard !unmergedChanges.isEmpty else { return }
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

  /// Takes the rows of some IDs over; gives the objects that were read.
  private func take(
    _ ids: [ManagedObjectID], into merge: inout RowMerge
  ) throws -> [ManagedObject] {
    var known: [ManagedObject] = []
    var unknown: [Int: [Int64]] = [:]
    let wanted = familiesInLists
    for id in ids {
      guard !id.isTemporaryID || parent != nil, let place = place(of: id) else { continue }
      let entity = contextEntity(at: place)
      let root = entity.binding.root
      if let object = entity.table.object(for: id.key) {
        if object._state.isDisjoint(with: [.inserted, .gone]) { known.append(object) }
      } else if observers?.recordsEvents == true || wanted.contains(root) {
        unknown[root, default: []].append(id.key)
      }
    }
    try merge.refresh(known)
    // Faults stay faults.
    for object in known where object._slots != nil { object.note(.refresh) }
    for (root, keys) in unknown { known += try merge.read(keys, root: root) }
    return known
  }

  private func knownObject(for id: ManagedObjectID) -> ManagedObject? {
    place(of: id).flatMap { registeredObject(id.key, of: $0) }
  }

  /// The root entities of the members of all lists that were read.
  private var familiesInLists: Set<Int> {
    var roots: Set<Int> = []
    for entity in entities where entity.binding.root == entity.binding.index {
      for object in entity.table.objects {
        guard let side = object._side else { continue }
        for toMany in object._entity.binding.toManys where side.toManys[toMany.number].isLoaded {
          roots.insert(binding(at: toMany.destination).root)
        }
      }
    }
    return roots
  }
}

import DataModel

extension ManagedObjectContext {
  /// Writes all changes to the stores in one transaction, all of them or none.
  ///
  ///     do {
  ///       try context.save()
  ///     } catch let error as ValidationError {
  ///       show(error.failures)   // Nothing was saved; correct it and save again.
  ///     }
  ///
  /// First `willSave` is called on the objects, then they are validated (`validateForInsert`, …).
  /// Temporary IDs become permanent. When this returns, the changes are on the disk.
  ///
  /// - Throws: `ValidationError` if the model or an object forbids a change, before the disk is
  ///   touched; `ConflictError` if another process changed a row since it was read, and the
  ///   `mergePolicy` does not resolve that; `PersistentStoreError` if the store is busy, full or
  ///   broken. Nothing is saved then, and the changes are kept. Only if a disk or a connection
  ///   fails, or a second custom store refuses, after one of several stores has committed, the
  ///   changes of that store are saved and the rest is kept.
  public func save() throws {
    do {
      if let saved = try saveResolvingConflicts(isInPerformWriting: false) { try tell(saved) }
      // Changes made by the save itself: merged objects, adopted rows.
      notifyObservers()
      releaseListsOfDetachedObjects()
    } catch {
      // Changes of which observers were already notified are still unsaved.
      beginEvent()
      throw error
    }
  }

  /// Saves, and retries as long as conflicts can be resolved.
  ///
  /// - Parameter isInPerformWriting: whether the write lock is held, so that no other connection
  ///   can write.
  /// - Returns: the saved objects, of which observers are to be notified once no lock is held any
  ///   more.
  private func saveResolvingConflicts(isInPerformWriting: Bool) throws -> Saved? {
    var unknown: UnknownMembers?
    var attempt = 0
    while true {
      attempt += 1
      do {
        guard let members = unknown else { return try saveOnce() }
        unknown = nil
        // With the write lock held, no more members can be added to those that are read now.
        let stores = members.lists.map(\.entity.store)
        return try persistentStoreCoordinator.performWriting(to: stores) {
          try followDeleteRules(for: members)
          return try saveOnce()
        }
      } catch let members as UnknownMembers {
        guard attempt < Self.saveAttempts else { throw members.conflict }
        unknown = members
      } catch PersistentStoreError.uniquenessViolation
        where chosenMergePolicy != nil && !isInPerformWriting && parent == nil
      {
        // Merging two objects relies on the stored row, which the save may not write: it must not
        // be deleted in between.
        return try persistentStoreCoordinator.performWriting(to: pendingStores) {
          try saveResolvingConflicts(isInPerformWriting: true)
        }
      } catch {
        guard attempt < Self.saveAttempts, try resolve(error) else { throw error }
      }
    }
  }

  /// The stores that the next save writes to.
  private var pendingStores: [PersistentStoreIdentity] {
    (pendingInserts + pendingUpdates + pendingDeletes).map(\._entity.binding.store)
  }

  /// The objects that a save has written.
  private struct Saved {
    var inserted: [ManagedObject]
    var updated: [ManagedObject]
    var deleted: [ManagedObject]
    var result: SaveResult
    /// The error because of which only some of several stores have committed, or which leaves it
    /// uncertain whether a power failure undoes the save.
    var errorAfterCommit: (any Error)?
  }

  /// - Returns: nil if there was nothing to save.
  private func saveOnce() throws -> Saved? {
    try pullChanges()
    endEvent()
    guard hasChanges || conflictChecks != nil else {
      if parent == nil { try persistentStoreCoordinator.saveNothing() }
      dropDeletedInserts()
      return nil
    }
    try checkEverythingRead()
    observers?.notify(.willSave, pendingChanges)
    sendWillSave()
    endEvent()
    guard objectsWithMissingRows.isEmpty else {
      throw ConflictError(objectIDs: objectsWithMissingRows.map(\.objectID))
    }
    var inserted = pendingInserts.filter(\.isInserted)
    var updated = pendingUpdates.filter(\.isUpdated)
    var deleted = pendingDeletes.filter(\.isDeleted)
    if inserted.count < pendingInserts.count {
      for object in inserted + updated { object.forgetObjectsWithoutRow() }
    }
    if validatesBeforeSaving {
      try validate(inserted: inserted, updated: updated, deleted: deleted)
    }
    // Lists that were loaded for that may have turned out to be changed.
    if updated.count < pendingUpdates.count { updated = pendingUpdates.filter(\.isUpdated) }

    let result: SaveResult
    var errorAfterCommit: (any Error)?
    // Everything that a save depends on must have been read.
    try checkEverythingRead()
    if inserted.isEmpty, updated.isEmpty, deleted.isEmpty, conflictChecks == nil {
      // The changes were made elsewhere already.
      result = SaveResult(of: SaveRequest())
    } else if let parent {
      var save = ParentSave(
        parent: parent, inserted: inserted, updated: updated, deleted: deleted,
        checks: conflictChecks ?? [])
      try parent.notifyingChildren(except: save.known) { try save.run() }
      result = SaveResult(of: SaveRequest())
      for object in inserted { object.didStore() }
    } else if hasSeveralStores {
      (result, errorAfterCommit) = try saveInParts(&inserted, &updated, &deleted)
    } else {
      let request = request(inserted: inserted, updated: updated, deleted: deleted)
      try checkEverythingRead()
      result = try persistentStoreCoordinator.save(request, to: entities.first?.binding.store)
      errorAfterCommit = result.uncertainty
      finishSave(of: inserted, updated, request, with: result)
    }
    for object in updated { object.didStore() }
    deleted += externallyDeletedObjects
    for object in deleted { object.end() }
    apply(result.moves)
    changeRecorder?.didSave()
    // Of several stores some may not have committed.
    if errorAfterCommit == nil || !hasSeveralStores {
      dropDeletedInserts()
    } else {
      dropSavedChanges()
    }
    return Saved(
      inserted: inserted, updated: updated, deleted: deleted, result: result,
      errorAfterCommit: errorAfterCommit)
  }

  /// Notifies the objects and the observers of a save.
  private func tell(_ saved: Saved) throws {
    sendDidSave(to: [saved.inserted, saved.updated, saved.deleted])
    notifyObservers(saved)
    // The parent's event goes on for its undo manager.
    parent?.notifyObservers()
    if let error = saved.errorAfterCommit { throw error }
  }

  private func notifyObservers(_ saved: Saved) {
    let log = parent == nil ? persistentStoreCoordinator.readChangeLog : parent?.children.log
    let childLog = children.log
    guard observers != nil || log != nil || childLog != nil else { return }
    let adopted = Set(saved.result.adopted)
    let changes = ObjectChanges(
      inserted: saved.inserted.indices.filter { !adopted.contains($0) }
        .map { saved.inserted[$0] },
      updated: saved.updated, deleted: saved.deleted)
    if log != nil || childLog != nil {
      var ids = changes.objectIDs
      // Rows whose order key alone has changed have another lock count too.
      let known = Set(ids.updated)
      ids.updated += saved.result.moves.map { ManagedObjectID(binding: $0.entity, key: $0.key) }
        .filter { !known.contains($0) }
      log?.append(ids, from: self)
      // Objects that adopted a row have their initial values, and not those of the row.
      ids.updated += adopted.map { saved.inserted[$0].objectID }
      childLog?.append(ids, from: self)
    }
    observers?.notify(.didSave, changes)
  }

  /// The changes that the next save will write.
  private var pendingChanges: ObjectChanges {
    ObjectChanges(
      inserted: pendingInserts.filter(\.isInserted), updated: pendingUpdates.filter(\.isUpdated),
      deleted: pendingDeletes.filter(\.isDeleted) + externallyDeletedObjects)
  }

  /// Ends the objects that were deleted before they got a row; no changes are left then.
  private func dropDeletedInserts() {
    for object in pendingInserts where object._state.contains(.deleted) { object.end() }
    clearChanges()
  }

  // MARK: After writing

  /// Assigns permanent keys to inserted objects and references to them, and order keys to rows.
  func finishSave(
    of inserted: [ManagedObject], _ updated: [ManagedObject], _ request: SaveRequest,
    with result: SaveResult
  ) {
    result.orderKeys.write(to: request)
    let changed = updated.filter { $0._side?.snapshot != nil }
    for (object, version) in zip(changed, result.versions) { object.row.version = version }
    guard !inserted.isEmpty else { return forgetReplacedKeys() }
    for object in inserted { object.replaceTemporaryKeys(with: result.keys) }
    for object in changed { object.replaceTemporaryKeys(with: result.keys) }
    for object in inserted {
      // The store has assigned a key to every insert that had none.
      let key = result.keys[object._key] ?? object._key
      if key != object._key { changeRecorder?.recordPermanentKey(key, for: object._key) }
      object.move(to: key)
      object.row.version &+= 1
    }
    observers?.noteNewIDs()
    promotePermanentKeys(result.keys)
    forgetReplacedKeys()
    for index in result.adopted {
      observers?.noteRefresh(inserted[index])
      inserted[index].becomeFault()
    }
    for object in inserted {
      object.didStore()
      // Such a store may have more members.
      if object._entity.binding.store.isIncremental { object.unloadLists() }
    }
  }

  private func apply(_ moves: [SaveResult.Move]) {
    for move in moves {
      guard let object = registeredObject(move.key, of: move.entity.index),
        let slots = object._slots
      else { continue }
      let row = PackedRow(slots: slots)
      // A row that was changed elsewhere since it was read stays as it is: an older version.
      guard row.version == move.version &- 1 else { continue }
      if let slot = move.slot { row.setBits(UInt64(bitPattern: move.orderKey), slot) }
      row.version = move.version
    }
  }
}

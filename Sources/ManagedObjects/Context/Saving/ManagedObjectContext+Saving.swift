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
  /// - Throws: `ValidationError` where the model or an object forbids a change, before the disk is
  ///   touched; `ConflictError` where another process changed a row since it was read, and the
  ///   `mergePolicy` does not resolve that; `PersistentStoreError` where the store is busy, full or
  ///   broken. Nothing is saved then, and the changes are kept. Only where a disk or a connection
  ///   fails, or a second custom store refuses, after one of several stores has committed, the
  ///   changes of that store are saved and the rest is kept.
  public func save() throws {
    do {
      if let saved = try saveResolvingConflicts(isInPerformWriting: false) { try tell(saved) }
      // Changes made by the save itself: merged objects, adopted rows.
      tellEvents()
      dropListsOfObjectsThatLeft()
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
    guard pendingLosses.isEmpty else {
      throw ConflictError(objectIDs: pendingLosses.map(\.objectID))
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
    tellObservers(saved)
    if let error = saved.errorAfterCommit { throw error }
  }

  private func tellObservers(_ saved: Saved) {
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

  // MARK: Before writing

  func request(
    inserted: [ManagedObject], updated: [ManagedObject],
    deleted: [ManagedObject], in store: PersistentStoreIdentity? = nil
  ) -> SaveRequest {
    var request = SaveRequest()
    request.origin = transactionOrigin
    request.inserts.reserveCapacity(inserted.count)
    for object in inserted {
      request.inserts.append(
        SaveRequest.Insert(
          entity: object._entity.binding, temporaryKey: object._key, row: object.row,
          lookUp: object._state.contains(.findsOrCreates) ? object.side.lookUp : nil))
    }
    for object in updated {
      if let snapshot = object._side?.snapshot {
        request.updates.append(
          SaveRequest.Update(
            entity: object._entity.binding, key: object._key, row: object.row, snapshot: snapshot))
      } else {
        // Only its lists have changed: the row must still exist if members are added.
        request.checks.append(
          SaveRequest.Check(entity: object._entity.binding, key: object._key, version: nil))
      }
    }
    var rows = WrittenRows(inserted: inserted, updated: updated)
    for object in inserted { appendLists(of: object, &rows, to: &request) }
    for object in updated { appendLists(of: object, &rows, to: &request) }
    for object in deleted {
      let row = object._side?.snapshot ?? object.row
      request.deletes.append(
        SaveRequest.Delete(
          entity: object._entity.binding, key: object._key,
          version: row.version == 0 ? nil : row.version))
      appendLinks(ofDeleted: object, to: &request)
    }
    for check in conflictChecks ?? [] {
      let object = check.object
      // With several stores, each has a request of its own.
      guard store == nil || store === object._entity.binding.store else { continue }
      // A deletion checks the lock count itself.
      if object.isDeleted, !object.isDeletedExternally, object.row.version == check.version {
        continue
      }
      request.checks.append(
        SaveRequest.Check(
          entity: object._entity.binding, key: object._key, version: check.version))
    }
    return request
  }

  /// Adds the changes of an object's to-many relationships to the request.
  private func appendLists(
    of owner: ManagedObject, _ rows: inout WrittenRows, to request: inout SaveRequest
  ) {
    guard let lists = owner._lists else { return }
    for toMany in owner._entity.binding.toManys where lists.toManys[toMany.number].isChanged {
      switch toMany.storage {
      case .foreignKey(let slot):
        let entity = binding(at: toMany.destination)
        guard toMany.description.isOrdered, !toMany.description.isTransient,
          let toOne = entity.toOnesBySlot[slot]
        else { continue }
        appendList(of: owner, toMany, by: toOne, of: entity, &rows, to: &request)
      case .join(let end):
        appendLinks(of: owner, toMany, end, to: &request)
      case .memory: continue
      }
    }
  }

  /// Adds the links of a deleted object that were removed before, or followed by a cascade.
  ///
  /// The remaining links are deleted with the object, or deny its deletion.
  private func appendLinks(ofDeleted owner: ManagedObject, to request: inout SaveRequest) {
    guard let lists = owner._lists else { return }
    for toMany in owner._entity.binding.toManys where toMany.bindsMembers {
      guard case .join(let end) = toMany.storage else { continue }
      var list = lists.toManys[toMany.number]
      for member in list.changes.removed + (list.deleted?.members ?? []) {
        request.removedLinks.insert(SaveRequest.Link(end, from: owner, to: member))
      }
      // Where a relationship is its own inverse, a link may be stored in either direction.
      let isOwnInverse =
        toMany.description.inverseName == toMany.description.name
        && binding(at: toMany.destination).root == owner._entity.binding.root
      guard toMany.description.deleteRule == .cascade, list.isLoaded, !isOwnInverse else {
        continue
      }
      let added = Set(list.changes.added)
      for member in list.members where member.isDeleted && !added.contains(member) {
        request.followedLinks.insert(SaveRequest.Link(end, from: owner, to: member))
      }
    }
  }

  private func appendList(
    of owner: ManagedObject, _ toMany: EntityBinding.ToMany, by toOne: EntityBinding.ToOne,
    of entity: EntityBinding, _ rows: inout WrittenRows, to request: inout SaveRequest
  ) {
    guard let orderKeySlot = toOne.orderKeySlot else { return }
    let lists = owner.lists
    let isWhole = lists.toManys[toMany.number].isRearranged
    var members: ContiguousArray<SaveRequest.Member> = []
    for member in lists.toManys[toMany.number].entries.reversed() {
      guard let member else { continue }
      // Members at the end without an order key were added since the last save.
      if !isWhole, !member.isWritten || member.keepsOrderKey(toOne.slot, orderKeySlot) { break }
      members.append(SaveRequest.Member(key: member._key, written: rows.row(of: member)))
    }
    members.reverse()
    guard !members.isEmpty else { return }
    request.lists.append(
      SaveRequest.OrderedList(
        storage: .foreignKey(toOne, entity), owner: owner._key, members: members,
        isWhole: isWhole))
  }

  private func appendLinks(
    of owner: ManagedObject, _ toMany: EntityBinding.ToMany, _ end: EntityBinding.JoinEnd,
    to request: inout SaveRequest
  ) {
    let lists = owner.lists
    owner.separateDeletedMembers(of: toMany)
    let changes = lists.toManys[toMany.number].changes
    // A relationship without an inverse still has members that this save deletes.
    for member in changes.added where !member._state.contains(.deleted) {
      request.addedLinks.insert(SaveRequest.Link(end, from: owner, to: member))
    }
    for member in changes.removed where !member._state.contains(.deleted) {
      request.removedLinks.insert(SaveRequest.Link(end, from: owner, to: member))
    }
    guard end.isOrdered else { return }
    // A member that was removed and added again keeps its link, and with it an order key that does
    // not match its new index.
    let isWhole = lists.toManys[toMany.number].isReordered
    let members = (isWhole ? lists.toManys[toMany.number].members : changes.added).filter {
      !$0._state.contains(.deleted)
    }
    guard !members.isEmpty else { return }
    request.lists.append(
      SaveRequest.OrderedList(
        storage: .join(end), owner: owner._key,
        members: ContiguousArray(
          members.map { SaveRequest.Member(key: $0._key, written: nil) }),
        isWhole: isWhole))
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
      if key != object._key { changeRecorder?.didGive(key, for: object._key) }
      object.move(to: key)
      object.row.version &+= 1
    }
    observers?.noteNewIDs()
    passOn(result.keys)
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

extension SaveRequest.Link {
  fileprivate init(
    _ end: EntityBinding.JoinEnd, from owner: ManagedObject, to member: ManagedObject
  ) {
    self.init(
      join: end.join, first: end.isFirst ? owner._key : member._key,
      second: end.isFirst ? member._key : owner._key)
  }
}

import DataModel

extension ManagedObjectContext {
  /// Refreshes an object's values, or discards them.
  ///
  ///     do { try context.save() } catch let conflict as ConflictError {
  ///       // Take over what is stored now, keep what was changed here, and try again.
  ///       try context.refresh(context.object(with: conflict.objectID), mergeChanges: true)
  ///       try context.save()
  ///     }
  ///
  /// With `mergeChanges` the row is read at once, with one query; properties changed here keep
  /// their values, all others get the stored ones, and so do lists. A fault stays one. Without it
  /// the object discards its changes, including a deletion, and becomes a fault. An object that has
  /// no row yet is left unchanged; one whose row is missing is deleted here too, and stays so.
  /// Follows Core Data's `refresh(_:mergeChanges:)`.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read; nothing has changed then.
  /// - Precondition: the object belongs to this context.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
    require(object._entity.context === self, "The object belongs to another context.")
    removeObjectsWithMissingRows { $0 === object }
    guard object._state.isDisjoint(with: [.inserted, .detached, .deletedExternally]) else { return }
    let existedBefore = object.exists
    if mergeChanges {
      var merge = RowMerge(context: self)
      try merge.refresh([object])
      try merge.finish()
      object.note(.refresh)
      object.notifySnapshotEvents()
      if conflictChecks?.contains(where: { $0.object === object }) == true {
        detectConflicts(for: object)
      }
    } else {
      discardChanges(of: object)
      // Members that were added to this object still are: their own to-ones have changed.
      if object.forgetLists() { didUpdate(object) }
      object.dropValues()
    }
    observers?.noteRefresh(object, existedBefore: existedBefore)
    processPendingChanges()
  }

  /// Refreshes all objects: unchanged ones become faults, changed ones keep their changes.
  ///
  ///     try context.refreshAllObjects()   // Another process has written.
  ///     print(fido.name)                  // what it wrote, unless the name was changed here
  ///
  /// One query for each entity hierarchy of changed objects. Objects that have no row yet are left
  /// unchanged. Follows Core Data's `refreshAllObjects()`.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read.
  public func refreshAllObjects() throws {
    removeObjectsWithMissingRows { _ in true }
    readFailedValuesAgain()
    let objects = registeredObjects.filter {
      $0._state.isDisjoint(with: [.inserted, .detached, .deletedExternally])
    }
    let changed = objects.filter { !$0._state.isDisjoint(with: [.updated, .deleted]) }
    var merge = RowMerge(context: self)
    try merge.refresh(Array(changed))
    for object in objects where !changed.contains(object) { object.becomeFault() }
    try merge.finish()
    for object in changed { object.note(.refresh) }
    for object in changed { object.notifySnapshotEvents() }
    if let observers { for object in objects { observers.noteRefresh(object) } }
    processPendingChanges()
  }

  /// Merges the stored rows into objects, except for values changed here.
  ///
  /// Faults, and objects that were inserted or deleted here, are left unchanged.
  func mergeStoredRows(into objects: [ManagedObject]) throws {
    let stored = objects.filter {
      $0._slots != nil && $0._state.isDisjoint(with: [.inserted, .deleted, .detached])
    }
    let versions = stored.map(\.storedVersion)
    var merge = RowMerge(context: self)
    try merge.refresh(stored)
    try merge.finish()
    for (object, version) in zip(stored, versions) where object.storedVersion != version {
      observers?.noteRefresh(object)
      object.note(.refresh)
      object.notifySnapshotEvents()
    }
  }

  // MARK: Discarding changes

  /// Resets an object to the values last read or saved, and its inverse relationships with it.
  private func discardChanges(of object: ManagedObject) {
    guard !object._state.isDisjoint(with: [.updated, .deleted]) else { return }
    let wasDeleted = object._state.contains(.deleted)
    object._state.subtract([.updated, .deleted, .writable])
    dropPending(object)
    object.discardToOnes(wasDeleted: wasDeleted)
    object.discardLinks()
    object.rollBackValues()
  }
}

extension ManagedObject {
  /// The optimistic-lock count of the row that was read last.
  fileprivate var storedVersion: UInt32 { (_side?.snapshot ?? row).version }

  /// Restores the values of the last save, but not relationships.
  func rollBackValues() {
    guard let _side, let snapshot = _side.snapshot else { return }
    if let _slots { PackedRow(slots: _slots).free(slotCount: _entity.binding.slotCount) }
    replaceRow(with: snapshot)
    _side.snapshot = nil
    _side.values = _side.snapshotValues
  }

  /// Updates the inverses of to-ones that are reset to their stored values.
  ///
  /// - Parameter wasDeleted: whether the object was deleted, and so removed from the inverses.
  fileprivate func discardToOnes(wasDeleted: Bool) {
    guard _slots != nil else { return }
    let context = requiredContext
    let row = row
    guard let snapshot = _side?.snapshot ?? (wasDeleted ? row : nil) else { return }
    for toOne in _entity.binding.toOnes {
      let now = row.hasValue(toOne.slot) && !wasDeleted ? row.integer(toOne.slot) : nil
      let old = snapshot.hasValue(toOne.slot) ? snapshot.integer(toOne.slot) : nil
      // An object that was removed from a list and added again has lost its order key there.
      let keepsOrderKey =
        toOne.orderKeySlot.map { row.hasValue($0) == snapshot.hasValue($0) } ?? true
      guard now != old || !keepsOrderKey else { continue }
      let newEnd = now.flatMap { context.registeredObject($0, of: toOne.destination) }
      let oldEnd = old.flatMap { context.registeredObject($0, of: toOne.destination) }
      switch toOne.inverse {
      case .none: break
      case .toMany(let number):
        newEnd?.forget(self, in: number)
        if let oldEnd, let lists = oldEnd._lists,
          oldEnd._state.isDisjoint(with: [.deleted, .detached])
        {
          lists.toManys[number].restore(self)
        }
      case .toOne(let slot):
        newEnd?.writeInverse(nil, slot: slot)
        guard let oldEnd, oldEnd._state.isDisjoint(with: [.deleted, .detached]),
          !oldEnd.pointsHere(self, by: slot)
        else { continue }
        // An object that the old destination refers to by now is detached.
        if let other = oldEnd.toOne(slot), other !== self {
          other.writeInverse(nil, slot: toOne.slot)
        }
        oldEnd.writeInverse(self, slot: slot)
      }
    }
  }

  /// Removes links that were added here, and adds those again that were removed.
  fileprivate func discardLinks() {
    guard let _lists else { return }
    for toMany in _entity.binding.toManys {
      guard case .join = toMany.storage else { continue }
      let changes = _lists.toManys[toMany.number].changes
      for member in changes.added { unlink(member, toMany) }
      for member in changes.removed where member._state.isDisjoint(with: [.deleted, .detached]) {
        link(member, toMany)
      }
      _lists.toManys[toMany.number] = ToManyMembers()
    }
  }

  /// Unloads lists that can be read again; returns whether any still has unsaved changes.
  fileprivate func forgetLists() -> Bool {
    guard let _lists else { return false }
    var isChanged = false
    for toMany in _entity.binding.toManys {
      if case .memory = toMany.storage { continue }
      _lists.toManys[toMany.number].unload()
      isChanged = isChanged || _lists.toManys[toMany.number].isChanged
    }
    return isChanged
  }
}

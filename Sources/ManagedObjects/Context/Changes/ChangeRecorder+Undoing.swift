extension ChangeRecorder {
  /// Undoes the changes of an event.
  ///
  /// Changes made here are recorded like any others and make the event that redoes the undone one.
  ///
  /// Rows determine which objects are members of which list, the event's steps in which order. So
  /// the rows are restored first, then the steps; last, members are corrected for which there is no
  /// step, because their list was not loaded, or was saved and unloaded, when they were added or
  /// removed.
  func undo(_ event: UndoEvent) {
    var removed: [ManagedObject] = []
    var moves: [Move] = []
    let returned = rowsBroughtBack(by: event)
    var revived: [ManagedObject] = []
    for (object, change) in event.changes.reversed() {
      switch change {
      case .inserted:
        removed.append(object)
        object.note(.undoInsertion)
      case .deleted:
        if object.hasNoRow { revived.append(object) }
        object.undoDeletion(&moves, over: returned[object.objectID])
        object.note(.undoDeletion)
      case .changed(let values):
        object.bringBack(values, recorder: self, &moves)
        object.note(.undoUpdate)
      }
    }
    event.changes.first?.object.requiredContext.rejoinListsWithoutInverse(revived)
    for list in event.lists.reversed() {
      list.owner.takeBack(list)
      list.owner.note(.undoUpdate)
    }
    let leaving = Set(removed.lazy.map { ObjectIdentifier($0) })
    var owners = event.lists.map(\.owner)
    for move in moves {
      owners += [move.leave(), leaving.contains(ObjectIdentifier(move.object)) ? nil : move.join()]
        .compactMap { $0 }
    }
    for object in removed { object.leave() }
    endEvent()
    for owner in owners { owner.noteIfUnchanged() }
    for (object, _) in event.changes { object.noteIfUnchanged() }
    for (object, _) in event.changes { object.notifySnapshotEvents() }
    for list in event.lists { list.owner.notifySnapshotEvents() }
  }
}

extension ChangeRecorder {
  /// The rows of objects whose saved deletion another context or process has since reversed, by ID.
  ///
  /// One query for each entity hierarchy. If the rows cannot be read, the save detects it.
  fileprivate func rowsBroughtBack(by event: UndoEvent) -> [ManagedObjectID: RowReference] {
    var rows: [ManagedObjectID: RowReference] = [:]
    var gone: [Int: [Int64]] = [:]
    for case (let object, .deleted) in event.changes
    where object.hasNoRow && object._key > 0 {
      gone[object._entity.binding.root, default: []].append(object._key)
    }
    guard let context = event.changes.first?.object.requiredContext else { return rows }
    for (root, keys) in gone {
      try? context.readRows(keys, root: root) { cursor, entity in
        rows[ManagedObjectID(binding: entity.binding, key: cursor.key)] = RowReference(
          try cursor.makeRow(of: entity.binding), of: entity.binding)
      }
    }
    return rows
  }
}

/// A to-one of an object that an undo has set to another destination.
private struct Move {
  let object: ManagedObject
  let toOne: EntityBinding.ToOne
  /// The key of the object that it referred to before.
  let old: Int64?
  /// The order key that the object had in the list it is now moved to; nil if it had none.
  var orderKey: Int64?

  /// Removes the object from the list of its former owner; returns the owner if it was a member.
  func leave() -> ManagedObject? {
    guard case .toMany(let number) = toOne.inverse, let old,
      let owner = object.requiredContext.registeredObject(old, of: toOne.destination),
      !object.pointsHere(owner, by: toOne.slot), let lists = owner._lists,
      lists.toManys[number].contains(object)
    else { return nil }
    owner.forget(object, in: number)
    return owner
  }

  /// Adds the object to the list of the object it refers to, and returns that owner.
  ///
  /// A list that is not loaded will find the member in the store, if it is stored there. If another
  /// context or process has deleted the destination, the to-one is cleared.
  func join() -> ManagedObject? {
    guard object._state.isDisjoint(with: [.detached, .deleted]), object.row.hasValue(toOne.slot)
    else {
      return nil
    }
    let isStored = object.isStored(by: toOne)
    let end =
      isStored
      ? object.requiredContext.registeredObject(
        object.row.integer(toOne.slot), of: toOne.destination) : object.toOne(toOne.slot)
    guard let end else { return nil }
    // The values are read first: only then a missing row is detected.
    if !isStored { _ = end.row }
    if end.hasNoRow {
      object.writeInverse(nil, slot: toOne.slot)
      return nil
    }
    guard case .toMany(let number) = toOne.inverse, !end._state.contains(.deleted) else {
      return nil
    }
    end.rejoin(object, in: number, by: toOne, orderKey: orderKey, isStored: isStored)
    return end
  }
}

extension ManagedObject {
  /// Undoes a deletion, saved or not.
  ///
  /// - Parameter stored: the row that another context or process has inserted again since, if any.
  fileprivate func undoDeletion(_ moves: inout [Move], over stored: RowReference?) {
    if hasNoRow {
      if let stored, stored.entity === _entity.binding {
        takeRow(stored.row)
      } else {
        revive()
      }
    } else if _state.contains(.deleted) {
      requiredContext.willRestore(self)
      _state.remove(.deleted)
      requiredContext.changeRecorder?.didInsert(self)
    }
    for toOne in _entity.binding.toOnes {
      moves.append(Move(object: self, toOne: toOne, old: nil))
    }
  }

  /// Becomes an update of the row that was inserted again elsewhere, to the values of this object.
  private func takeRow(_ stored: PackedRow) {
    let context = requiredContext
    let count = _entity.binding.slotCount
    if let other = _entity.table.object(for: _key), other !== self {
      // An object that was read since is replaced.
      RowMerge(context: context).replace(other)
    }
    context.dropPending(self)
    context.willRestore(self)
    _state.subtract([.detached, .deletedExternally, .deleted, .inserted, .updated, .writable])
    let row = row
    side.snapshot?.free(slotCount: count)
    side.snapshot = stored.copy(slotCount: count)
    _lists?.forgetAll()
    row.version = stored.version
    for toOne in _entity.binding.toOnes {
      context.changeRecorder?.renew(toOne.slot, of: row)
      if let slot = toOne.orderKeySlot { row.takeOrderKey(slot, of: toOne, from: stored) }
    }
    _state.insert(.registered)
    _entity.table.insert(self)
    context.retainedObjects?.insert(self)
    context.didUpdate(self)
    context.changeRecorder?.didInsert(self)
  }

  /// Marks the object for insertion again, with its former key and values.
  func revive() {
    guard hasNoRow else { return }
    let context = requiredContext
    context.dropPending(self)
    if let other = _entity.table.object(for: _key), other !== self { other.end() }
    _state.subtract([.detached, .deletedExternally, .deleted, .updated, .writable])
    _state.insert([.inserted])
    if let _side {
      _side.snapshot?.free(slotCount: _entity.binding.slotCount)
      _side.snapshot = nil
    }
    // The row may have had several lock counts since it was read here. A context that read one of
    // them must not find the same count in the new row.
    if _slots != nil { row.version &+= Self.newLockCounts }
    if let _lists {
      for number in _lists.toManys.indices { _lists.toManys[number].becomeNew() }
    }
    for toOne in _entity.binding.toOnes { context.changeRecorder?.renew(toOne.slot, of: row) }
    if _state.contains(.registered) { _entity.table.remove(self) }
    _state.insert(.registered)
    context.didInsert(self)
  }

  /// Marks the object for insertion again, with order keys that the save assigns: other objects may
  /// have been given its own since.
  func reviveAtEnd() {
    revive()
    requiredContext.rejoinListsWithoutInverse([self])
    for toOne in _entity.binding.toOnes {
      guard let slot = toOne.orderKeySlot, row.hasValue(slot) else { continue }
      row.setHasValue(false, slot)
      guard let owner = Move(object: self, toOne: toOne, old: nil).join(),
        case .toMany(let number) = toOne.inverse
      else { continue }
      let lists = owner.lists
      if lists.toManys[number].addAgain([ObjectIdentifier(self)]) {
        let last = lists.toManys[number].entries.last { $0 != nil } ?? nil
        if last !== self { lists.toManys[number].isRearranged = true }
      }
      owner.requiredContext.didUpdate(owner)
    }
  }

  /// How much higher the lock count of a re-inserted row starts.
  ///
  /// It is more than the number of times that other contexts can have changed the row since it was
  /// read.
  private static let newLockCounts: UInt32 = 1 << 16

  /// Whether the row no longer exists: the deletion was saved, here or elsewhere.
  fileprivate var hasNoRow: Bool { !_state.isDisjoint(with: [.detached, .deletedExternally]) }

  /// Undoes an insertion, saved or not.
  fileprivate func leave() {
    guard _state.isDisjoint(with: [.detached, .deleted]) else { return }
    if _state.contains(.inserted) {
      requiredContext.changeRecorder?.didDelete(self)
      end()
    } else {
      // Its relationships are as they were before the insertion; those added elsewhere since follow
      // the delete rules.
      var deletion = Deletion(in: requiredContext, undoing: self)
      deletion.delete(self)
    }
  }

  /// Undoes a change of values.
  fileprivate func bringBack(
    _ old: UndoEvent.Values, recorder: ChangeRecorder, _ moves: inout [Move]
  ) {
    // Deleted elsewhere in the meantime: nothing is left to change.
    guard !hasNoRow else { return }
    _prepareForChange()
    guard !_state.contains(.detached) else { return }
    let binding = _entity.binding
    var row = row
    for toOne in binding.toOnes where old.isChanged(toOne.slot) {
      let key = row.hasValue(toOne.slot) ? row.integer(toOne.slot) : nil
      let orderKey = toOne.orderKeySlot.flatMap {
        old.row.hasValue($0) ? old.row.integer($0) : nil
      }
      moves.append(Move(object: self, toOne: toOne, old: key, orderKey: orderKey))
    }
    for slot in binding.kinds.indices where old.isChanged(slot) {
      row = row.taking(slot, from: old.row, of: binding)
    }
    _slots = row.slots
    for toOne in binding.toOnes {
      if old.isChanged(toOne.slot) { recorder.renew(toOne.slot, of: row) }
      if let slot = toOne.orderKeySlot, old.isChanged(toOne.slot) || old.isChanged(slot) {
        row.takeOrderKey(slot, of: toOne, from: _side?.snapshot)
      }
    }
    if !old.others.isEmpty || _side?.values.isEmpty == false { side.values = old.others }
  }
  /// Whether a to-one has the same value in the store as here.
  fileprivate func isStored(by toOne: EntityBinding.ToOne) -> Bool {
    guard !_state.contains(.inserted) else { return false }
    return _side?.snapshot.map { row.isEqual(toOne.slot, to: $0, isTail: false) } ?? true
  }

  /// Inserts a member that refers to this object into the list, by its stored order key, if any.
  ///
  /// - Parameter orderKey: its former order key, if the store has another one now.
  fileprivate func rejoin(
    _ member: ManagedObject, in number: Int, by toOne: EntityBinding.ToOne, orderKey: Int64?,
    isStored: Bool
  ) {
    guard !lists.toManys[number].contains(member) else { return }
    if !lists.toManys[number].isLoaded {
      if isStored { return }
      guard let slot = toOne.orderKeySlot, orderKey ?? member.orderKey(slot) != nil else {
        addMember(member, to: number)
        return requiredContext.didUpdate(self)
      }
      loaded(_entity.binding.toManys[number])
    }
    putMember(member, orderKey: orderKey, in: _entity.binding.toManys[number])
  }

  /// Removes the object from the changed objects if all its values are as stored.
  fileprivate func noteIfUnchanged() {
    guard _state.contains(.updated),
      _state.isDisjoint(with: [.inserted, .deleted, .detached, .writable])
    else { return }
    guard let _side else { return _state.subtract(.updated) }
    var isChanged = false
    for toMany in _entity.binding.toManys where _lists?.toManys[toMany.number].isChanged == true {
      if lists.toManys[toMany.number].noteIfUnchanged() {
        restoreOrderKeys(in: toMany)
      } else {
        isChanged = true
      }
    }
    if let snapshot = _side.snapshot {
      let binding = _entity.binding
      let row = row
      func areStored(_ slots: Range<Int>) -> Bool {
        slots.allSatisfy { row.isEqual($0, to: snapshot, isTail: binding.kinds[$0].isTail) }
      }
      guard areStored(0..<binding.storedSlotCount) else { return }
      if _side.values.isEmpty, _side.snapshotValues.isEmpty,
        areStored(binding.storedSlotCount..<binding.slotCount)
      {
        snapshot.free(slotCount: binding.slotCount)
        _side.snapshot = nil
      } else if !_entity.overridden.contains(.awakeFromSnapshotEvents) {
        return
      }
      // Transient values that the object computes when it is notified of the undoing are no change.
    }
    if !isChanged { _state.subtract(.updated) }
  }

  /// Restores the stored order keys of members that were removed and added again.
  ///
  /// Called once all members are in their stored order.
  private func restoreOrderKeys(in toMany: EntityBinding.ToMany) {
    guard case .foreignKey(let slot) = toMany.storage,
      let index = requiredContext.binding(at: toMany.destination).toOnesBySlot[slot]?.orderKeySlot
    else { return }
    for case let member? in lists.toManys[toMany.number].entries {
      guard let snapshot = member._side?.snapshot, snapshot.hasValue(index),
        !member.row.hasValue(index), member.row.isEqual(slot, to: snapshot, isTail: false)
      else { continue }
      member.row.setBits(snapshot.bits(index), index)
    }
  }
}

extension PackedRow {
  /// Copies the value of a slot from another row; returns the resulting row.
  func taking(_ slot: Int, from other: PackedRow, of binding: EntityBinding) -> PackedRow {
    if binding.kinds[slot].isTail {
      let row = replacingBytes(
        slot, with: other.hasValue(slot) ? other.bytes(slot) : nil, slotCount: binding.slotCount,
        tailSlots: binding.tailSlots)
      if other.isUnreadable(slot) { row.setUnreadable(slot) }
      return row
    }
    if other.hasValue(slot) { setBits(other.bits(slot), slot) } else { setHasValue(false, slot) }
    return self
  }

  /// Copies the order key from the stored row, if the object is in the same list there.
  ///
  /// Otherwise it has none, and the save assigns one.
  func takeOrderKey(_ slot: Int, of toOne: EntityBinding.ToOne, from stored: PackedRow?) {
    if let stored, hasValue(toOne.slot), stored.hasValue(toOne.slot), stored.hasValue(slot),
      stored.bits(toOne.slot) == bits(toOne.slot)
    {
      setBits(stored.bits(slot), slot)
    } else {
      setHasValue(false, slot)
    }
  }
}

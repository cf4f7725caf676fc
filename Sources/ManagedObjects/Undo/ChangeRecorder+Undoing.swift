extension ChangeRecorder {
  /// Takes back what an event changed.
  ///
  /// Everything done here is noted as any change is, which makes the event that takes it back again.
  func undo(_ event: UndoEvent) {
    var removed: [ManagedObject] = []
    var moved: [ManagedObject] = []
    for (object, change) in event.changes.reversed() {
      switch change {
      case .inserted: removed.append(object)
      case .deleted:
        object.comeBack()
        moved.append(object)
      case .changed(let values):
        if object.bringBack(values, recorder: self) { moved.append(object) }
      }
    }
    for list in event.lists.reversed() { list.owner.takeBack(list) }
    for object in moved { object.rejoinLists() }
    for object in removed { object.leave() }
    endEvent()
    for (object, _) in event.changes { object.settleIfUnchanged() }
    for list in event.lists { list.owner.settleIfUnchanged() }
  }
}

extension ManagedObject {
  /// Undoes a deletion, be it saved or not.
  fileprivate func comeBack() {
    if _state.contains(.gone) {
      revive()
    } else if _state.contains(.deleted) {
      _state.remove(.deleted)
      requiredContext.changeRecorder?.didInsert(self)
    }
  }

  /// Is to be inserted once more, under the key it has, with the values it has.
  func revive() {
    guard _state.contains(.gone) else { return }
    let context = requiredContext
    if let other = _entity.table.object(for: _key), other !== self { other.end() }
    _state.subtract([.gone, .deleted, .updated, .writable])
    _state.insert([.inserted])
    if let _side {
      _side.snapshot?.free(slotCount: _entity.binding.slotCount)
      _side.snapshot = nil
      for number in _side.toManys.indices { _side.toManys[number].becomeNew() }
    }
    for toOne in _entity.binding.toOnes { context.changeRecorder?.renew(toOne.slot, of: row) }
    if _state.contains(.registered) { _entity.table.remove(_key) }
    _state.insert(.registered)
    context.didInsert(self)
  }

  /// Undoes an insertion, be it saved or not.
  fileprivate func leave() {
    guard _state.isDisjoint(with: [.gone, .deleted]) else { return }
    if _state.contains(.inserted) {
      requiredContext.changeRecorder?.didDelete(self)
      end()
    } else {
      // Its relationships are as they were before it came; what others added since follows the
      // delete rules.
      requiredContext.delete(self)
    }
  }

  /// Undoes a change of values; gives whether it leads elsewhere now.
  fileprivate func bringBack(_ old: UndoEvent.Values, recorder: ChangeRecorder) -> Bool {
    // Deleted elsewhere meanwhile: there is nothing to change any more.
    guard !_state.contains(.gone) else { return false }
    _prepareForChange()
    guard !_state.contains(.gone) else { return false }
    let binding = _entity.binding
    var row = row
    for slot in binding.kinds.indices where old.isChanged(slot) {
      row = row.taking(slot, from: old.row, of: binding)
    }
    _slots = row.slots
    var isMoved = false
    for toOne in binding.toOnes {
      if old.isChanged(toOne.slot) {
        isMoved = true
        recorder.renew(toOne.slot, of: row)
      }
      if let slot = toOne.orderKeySlot, old.isChanged(toOne.slot) || old.isChanged(slot) {
        row.takeOrderKey(slot, of: toOne, from: _side?.snapshot)
      }
    }
    if !old.others.isEmpty || _side?.values.isEmpty == false { side.values = old.others }
    return isMoved
  }

  /// Stands in the lists that it points at: one that was read since may not have it.
  fileprivate func rejoinLists() {
    guard _state.isDisjoint(with: [.gone, .deleted]), let _slots else { return }
    let row = PackedRow(slots: _slots)
    for toOne in _entity.binding.toOnes where row.hasValue(toOne.slot) {
      guard case .toMany(let number) = toOne.inverse else { continue }
      requiredContext.registeredObject(row.integer(toOne.slot), of: toOne.destination)?
        .rejoin(self, in: number, orderKeySlot: toOne.orderKeySlot)
    }
  }

  private func rejoin(_ member: ManagedObject, in number: Int, orderKeySlot: Int?) {
    guard let _side, _side.toManys[number].isLoaded,
      !_side.toManys[number].contains(member)
    else { return }
    putMember(
      member, beside: _side.toManys[number].storedPlace(of: member, orderKeySlot: orderKeySlot),
      in: number)
    settleIfUnchanged()
  }

  /// Is not among the changed objects any more where it is as the store has it.
  fileprivate func settleIfUnchanged() {
    guard _state.contains(.updated),
      _state.isDisjoint(with: [.inserted, .deleted, .gone, .writable])
    else { return }
    guard let _side else { return _state.subtract(.updated) }
    var isChanged = false
    for number in _side.toManys.indices {
      _side.toManys[number].settleIfUnchanged()
      if _side.toManys[number].isChanged { isChanged = true }
    }
    if let snapshot = _side.snapshot {
      let kinds = _entity.binding.kinds
      let row = row
      guard _side.values.isEmpty, _side.snapshotValues.isEmpty,
        kinds.indices.allSatisfy({ row.isEqual($0, to: snapshot, isTail: kinds[$0].isTail) })
      else { return }
      snapshot.free(slotCount: kinds.count)
      _side.snapshot = nil
    }
    if !isChanged { _state.subtract(.updated) }
  }
}

extension PackedRow {
  /// Takes the value of a slot over from another row; gives the row to go on with.
  func taking(_ slot: Int, from other: PackedRow, of binding: EntityBinding) -> PackedRow {
    if binding.kinds[slot].isTail {
      return replacingBytes(
        slot, with: other.hasValue(slot) ? other.bytes(slot) : nil, slotCount: binding.slotCount,
        tailSlots: binding.tailSlots)
    }
    if other.hasValue(slot) { setBits(other.bits(slot), slot) } else { setHasValue(false, slot) }
    return self
  }

  /// Takes the order key over that the store has, where the object is in the list it has its place in.
  ///
  /// Elsewhere it has none: the save gives it one.
  func takeOrderKey(_ slot: Int, of toOne: EntityBinding.ToOne, from stored: PackedRow?) {
    guard hasValue(slot) else { return }
    if let stored, hasValue(toOne.slot), stored.hasValue(toOne.slot), stored.hasValue(slot),
      stored.bits(toOne.slot) == bits(toOne.slot)
    {
      setBits(stored.bits(slot), slot)
    } else {
      setHasValue(false, slot)
    }
  }
}

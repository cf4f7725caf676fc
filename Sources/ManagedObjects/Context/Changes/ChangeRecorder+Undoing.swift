extension ChangeRecorder {
  /// Takes back what an event changed.
  ///
  /// Everything done here is noted as any change is, which makes the event that takes it back
  /// again.
  ///
  /// Rows say who is a member of which list, the event's steps in which order. So the rows go back
  /// first, then the steps; and at last those members are put right that no step tells of, since a
  /// list was not read, or was saved and forgotten, when they came or went.
  func undo(_ event: UndoEvent) {
    var removed: [ManagedObject] = []
    var moves: [Move] = []
    let returned = rowsBroughtBack(by: event)
    for (object, change) in event.changes.reversed() {
      switch change {
      case .inserted:
        removed.append(object)
        object.note(.undoInsertion)
      case .deleted:
        object.comeBack(&moves, over: returned[object.objectID])
        object.note(.undoDeletion)
      case .changed(let values):
        object.bringBack(values, recorder: self, &moves)
        object.note(.undoUpdate)
      }
    }
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
    for (object, _) in event.changes { object.tellSnapshotEvents() }
    for list in event.lists { list.owner.tellSnapshotEvents() }
  }
}

extension ChangeRecorder {
  /// The rows of objects whose deletion was saved and that others have brought back since, by ID.
  ///
  /// One query for each family. Where they cannot be read, the save finds out.
  fileprivate func rowsBroughtBack(by event: UndoEvent) -> [ManagedObjectID: HeldRow] {
    var rows: [ManagedObjectID: HeldRow] = [:]
    var gone: [Int: [Int64]] = [:]
    for case (let object, .deleted) in event.changes
    where object.hasLeftStore && object._key > 0 {
      gone[object._entity.binding.root, default: []].append(object._key)
    }
    guard let context = event.changes.first?.object.requiredContext else { return rows }
    for (root, keys) in gone {
      try? context.readRows(keys, root: root) { cursor, entity in
        rows[ManagedObjectID(binding: entity.binding, key: cursor.key)] = HeldRow(
          try cursor.makeRow(of: entity.binding), of: entity.binding)
      }
    }
    return rows
  }
}

/// One to-one of an object that an undoing led elsewhere.
private struct Move {
  let object: ManagedObject
  let toOne: EntityBinding.ToOne
  /// Where it led before.
  let old: Int64?
  /// The order key that the object had where it is led to now; nil where it had none.
  var orderKey: Int64?

  /// Leaves the list that the object is no member of any more; gives its owner where it stood
  /// there.
  func leave() -> ManagedObject? {
    guard case .toMany(let number) = toOne.inverse, let old,
      let owner = object.requiredContext.registeredObject(old, of: toOne.destination),
      !object.pointsHere(owner, by: toOne.slot), let lists = owner._lists,
      lists.toManys[number].contains(object)
    else { return nil }
    owner.forget(object, in: number)
    return owner
  }

  /// Stands in the list of the object that this one points at; gives its owner.
  ///
  /// A list that was not read finds the member in the store, if the store has it there. Where
  /// others have deleted the object that it pointed at, it points at nothing.
  func join() -> ManagedObject? {
    guard object._state.isDisjoint(with: [.gone, .deleted]), object.row.hasValue(toOne.slot) else {
      return nil
    }
    let isStored = object.isStored(by: toOne)
    let end =
      isStored
      ? object.requiredContext.registeredObject(
        object.row.integer(toOne.slot), of: toOne.destination) : object.toOne(toOne.slot)
    guard let end else { return nil }
    // The values are read first: only then it turns out to be gone.
    if !isStored { _ = end.row }
    if end.hasLeftStore {
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
  /// Undoes a deletion, be it saved or not.
  ///
  /// - Parameter stored: the row that others have made again since, if they have.
  fileprivate func comeBack(_ moves: inout [Move], over stored: HeldRow?) {
    if hasLeftStore {
      if let stored, stored.entity === _entity.binding {
        takeRow(stored.row)
      } else {
        revive()
      }
    } else if _state.contains(.deleted) {
      requiredContext.willComeBack(self)
      _state.remove(.deleted)
      requiredContext.changeRecorder?.didInsert(self)
    }
    for toOne in _entity.binding.toOnes {
      moves.append(Move(object: self, toOne: toOne, old: nil))
    }
  }

  /// Is a change of the row that others have made again, to the values it has.
  private func takeRow(_ stored: PackedRow) {
    let context = requiredContext
    let count = _entity.binding.slotCount
    if let other = _entity.table.object(for: _key), other !== self {
      // Who was read since gives way.
      RowMerge(context: context).replace(other)
    }
    context.dropPending(self)
    context.willComeBack(self)
    _state.subtract([.gone, .leftStore, .deleted, .inserted, .updated, .writable])
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

  /// Is to be inserted once more, under the key it has, with the values it has.
  func revive() {
    guard hasLeftStore else { return }
    let context = requiredContext
    context.dropPending(self)
    if let other = _entity.table.object(for: _key), other !== self { other.end() }
    _state.subtract([.gone, .leftStore, .deleted, .updated, .writable])
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
    if _state.contains(.registered) { _entity.table.remove(_key) }
    _state.insert(.registered)
    context.didInsert(self)
  }

  /// How much higher the lock count of a row begins that is inserted again: more than others have
  /// changed it since it was read.
  private static let newLockCounts: UInt32 = 1 << 16

  /// Whether there is no row any more: the deletion was saved, here or elsewhere.
  fileprivate var hasLeftStore: Bool { !_state.isDisjoint(with: [.gone, .leftStore]) }

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

  /// Undoes a change of values.
  fileprivate func bringBack(
    _ old: UndoEvent.Values, recorder: ChangeRecorder, _ moves: inout [Move]
  ) {
    // Deleted elsewhere meanwhile: there is nothing to change any more.
    guard !hasLeftStore else { return }
    _prepareForChange()
    guard !_state.contains(.gone) else { return }
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
  /// Whether the store has a to-one as it is here.
  fileprivate func isStored(by toOne: EntityBinding.ToOne) -> Bool {
    guard !_state.contains(.inserted) else { return false }
    return _side?.snapshot.map { row.isEqual(toOne.slot, to: $0, isTail: false) } ?? true
  }

  /// Has a member that points here stand in the list, where its stored order key says, if it has
  /// one.
  ///
  /// - Parameter orderKey: the one that it once had, for where the store has another one now.
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

  /// Is not among the changed objects any more where it is as the store has it.
  fileprivate func noteIfUnchanged() {
    guard _state.contains(.updated),
      _state.isDisjoint(with: [.inserted, .deleted, .gone, .writable])
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
      // Transient values that the object works out when it is told of the undoing are no change.
    }
    if !isChanged { _state.subtract(.updated) }
  }

  /// Has members that left and came back, now that all stand as they are stored, keep their order
  /// keys.
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
  /// Takes the value of a slot over from another row; gives the row to go on with.
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

  /// Takes the order key over that the store has, where the object is in the list that it is of.
  ///
  /// Elsewhere it has none: the save gives it one.
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

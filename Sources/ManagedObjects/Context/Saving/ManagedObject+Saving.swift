import DataModel

/// The changes that a save makes to each object.
extension ManagedObject {
  /// Whether the object was a member of the same list at the last save, with an order key in it.
  func keepsOrderKey(_ slot: Int, _ orderKeySlot: Int) -> Bool {
    guard !_state.contains(.inserted), let snapshot = _side?.snapshot else { return false }
    return snapshot.hasValue(slot) && row.hasValue(orderKeySlot)
      && snapshot.integer(slot) == row.integer(slot)
  }

  /// Replaces the temporary keys that to-ones refer to by the permanent ones.
  func replaceTemporaryKeys(with keys: PermanentKeys) {
    guard let _slots else { return }
    replaceTemporaryKeys(with: keys, in: PackedRow(slots: _slots))
    if let snapshot = _side?.snapshot { replaceTemporaryKeys(with: keys, in: snapshot) }
  }

  func replaceTemporaryKeys(with keys: PermanentKeys, in row: PackedRow) {
    for toOne in _entity.binding.toOnes where row.hasValue(toOne.slot) {
      guard row.integer(toOne.slot) < 0, let key = keys[row.integer(toOne.slot)] else { continue }
      row.setBits(UInt64(bitPattern: key), toOne.slot)
    }
  }

  /// Marks the current values as stored after a successful save.
  func didStore() {
    _state.subtract([.inserted, .updated, .writable, .findsOrCreates])
    guard let _side else { return }
    if let snapshot = _side.snapshot {
      snapshot.free(slotCount: _entity.binding.slotCount)
      _side.snapshot = nil
    }
    guard let lists = _side.lists else { return }
    for number in lists.toManys.indices { lists.toManys[number].didSave() }
  }

  /// Unloads the members of lists, to be fetched when they are next read.
  func unloadLists() {
    guard let _lists else { return }
    for number in _lists.toManys.indices { _lists.toManys[number].unload() }
  }

  /// Drops the values, to be fetched when they are next read.
  func dropValues() {
    guard _slots != nil else { return }
    // Values that it sets are no change, and are dropped with the others.
    withoutTracking { willTurnIntoFault() }
    guard let _slots else { return }
    let slotCount = _entity.binding.slotCount
    PackedRow(slots: _slots).free(slotCount: slotCount)
    self._slots = nil
    if let _side {
      _side.snapshot?.free(slotCount: slotCount)
      _side.snapshot = nil
      (_side.values, _side.snapshotValues) = ([:], [:])
    }
    didTurnIntoFault()
  }

  /// Drops the values and the members of lists, to be fetched when they are next read.
  func becomeFault() {
    dropValues()
    _lists?.forgetAll()
  }

  /// Marks the object as having no row any more, or as never saved.
  func end() {
    if exists { _entity.context?.observers?.note(self) }
    if _state.contains(.registered) { _entity.table.remove(self) }
    _entity.context?.retainedObjects?.remove(self)
    _entity.context?.recordDetached(self)
    _state.subtract([.registered, .inserted, .updated, .deleted, .deletedExternally, .writable])
    _state.insert(.detached)
  }
}

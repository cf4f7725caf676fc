extension ManagedObjectContext {
  /// Forgets every change since the last save.
  ///
  /// Objects that were inserted are gone; deleted ones are back; changed ones have their old
  /// values, and relationships their old members and order. Reads nothing. Nothing can be undone
  /// afterwards.
  public func rollback() {
    undoRecorder?.manager.removeAllActions()
    for object in pendingInserts where object._state.contains(.inserted) {
      object._entity.table.remove(object._key)
      object._state.subtract([.registered, .deleted])
      object._state.insert(.gone)
    }
    for object in pendingUpdates + pendingDeletes where !object._state.contains(.gone) {
      object.rollBack()
    }
    clearChanges()
  }
}

extension ManagedObject {
  /// Goes back to the values of the last save.
  func rollBack() {
    _state.subtract([.updated, .deleted, .writable])
    guard let _side else { return }
    if let snapshot = _side.snapshot {
      if let _slots { PackedRow(slots: _slots).free(slotCount: _entity.binding.slotCount) }
      _slots = snapshot.slots
      _side.snapshot = nil
      _side.values = _side.snapshotValues
    }
    for number in _side.toManys.indices { _side.toManys[number].rollBack() }
  }
}

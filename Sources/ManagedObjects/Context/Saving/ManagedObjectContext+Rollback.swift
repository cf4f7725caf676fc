extension ManagedObjectContext {
  /// Forgets every change since the last save.
  ///
  ///     fido.name = "Rex"
  ///     context.rollback()   // fido.name is "Fido" again
  ///
  /// Objects that were inserted are gone; deleted ones are back, but for those whose rows others
  /// have deleted; changed ones have their old values, and relationships their old members and
  /// order. Reads nothing. Nothing can be undone afterwards.
  public func rollback() {
    processPendingChanges()
    if let observers { note(in: observers) }
    changeRecorder?.manager.removeAllActions()
    for object in pendingInserts where object._state.contains(.inserted) {
      object._entity.table.remove(object._key)
      retainedObjects?.remove(object)
      object._state.subtract([.registered, .deleted])
      object._state.insert(.gone)
    }
    // What others have deleted has nothing to come back from.
    for object in lostObjects { object.end() }
    let changed = (pendingUpdates + pendingDeletes).filter { !$0._state.contains(.gone) }
    for object in changed { object.rollBack() }
    clearChanges()
    readFailedValuesAgain()
    for object in changed { object.note(.rollback) }
    for object in changed { object.tellSnapshotEvents() }
    processPendingChanges()
  }

  /// Notes what the rollback does: what was inserted goes, what was deleted is there again.
  private func note(in observers: ContextObservers) {
    for object in pendingInserts where object.isInserted { observers.note(object) }
    for object in pendingDeletes where object.isDeleted { observers.note(object) }
    for object in pendingUpdates where object.isUpdated { observers.noteRefresh(object) }
  }
}

extension ManagedObject {
  /// Goes back to the values of the last save.
  func rollBack() {
    _state.subtract([.updated, .deleted, .writable])
    rollBackValues()
    guard let _lists else { return }
    for number in _lists.toManys.indices { _lists.toManys[number].rollBack() }
  }
}

extension ManagedObjectContext {
  /// Discards every change since the last save.
  ///
  ///     fido.name = "Rex"
  ///     context.rollback()   // fido.name is "Fido" again
  ///
  /// Inserted objects are discarded; deleted ones are restored, except those whose rows were
  /// deleted elsewhere; changed ones get their old values, and relationships their old members and
  /// order. Reads nothing. All actions of the undo manager are removed, also
  /// those of other contexts that share it.
  public func rollback() {
    processPendingChanges()
    if let observers { note(in: observers) }
    changeRecorder?.manager.removeAllActions()
    for object in pendingInserts where object._state.contains(.inserted) {
      object._entity.table.remove(object)
      retainedObjects?.remove(object)
      recordDetached(object)
      object._state.subtract([.registered, .deleted])
      object._state.insert(.detached)
    }
    // Objects that were deleted elsewhere cannot be restored.
    for object in externallyDeletedObjects { object.end() }
    let changed = (pendingUpdates + pendingDeletes).filter { !$0._state.contains(.detached) }
    for object in changed { object.rollBack() }
    clearChanges()
    readFailedValuesAgain()
    for object in changed { object.note(.rollback) }
    for object in changed { object.notifySnapshotEvents() }
    processPendingChanges()
    releaseListsOfDetachedObjects()
  }

  /// Records the changes that the rollback makes, for observers.
  private func note(in observers: ContextObservers) {
    for object in pendingInserts where object.isInserted { observers.note(object) }
    for object in pendingDeletes where object.isDeleted { observers.note(object) }
    for object in pendingUpdates where object.isUpdated { observers.noteRefresh(object) }
  }
}

extension ManagedObject {
  /// Restores the values of the last save.
  func rollBack() {
    _state.subtract([.updated, .deleted, .writable])
    rollBackValues()
    guard let _lists else { return }
    for number in _lists.toManys.indices { _lists.toManys[number].rollBack() }
  }
}

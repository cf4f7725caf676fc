extension ManagedObjectContext {
  /// Ends the current event: observers of `objectsDidChange` hear what happened since the last one.
  ///
  ///     fido.name = "Rex"
  ///     fido.targetMinutes = 60
  ///     context.processPendingChanges()
  ///
  /// With an undo manager, what was changed in one event is undone in one; a group that the program
  /// has open stays open.
  ///
  /// There is no run loop here that would do it, so a program calls this where one of its turns
  /// ends; where changes are merged automatically they are now. `save()`, `rollback()` and
  /// refreshing do it too. Follows Core Data's `processPendingChanges()`.
  public func processPendingChanges() {
    endEvent()
    beginEvent()
  }

  /// Ends the current event, and tells those who want to hear of it.
  func endEvent() {
    changeRecorder?.endEvent()
    changeRecorder?.manager.endEvent()
    // What could not be read now is merged at the next fetch or save, which say so.
    try? pullChanges()
    // An observer that changes something begins another event, which ends here too; one that always
    // does would never come to an end.
    for _ in 0..<100 {
      guard let observers, observers.recordsEvents else { break }
      let changes = observers.takeEvent()
      if changes.isEmpty { break }
      keepEventValues()
      let mark = eventValues?.mark
      observers.notify(.objectsDidChange, changes)
      if let mark { eventValues?.endEvent(at: mark) }
    }
    if let eventValues { eventValues.endEvent(at: eventValues.mark) }
  }

  /// Begins an event with changes that are not saved, but were told of before.
  func beginEvent() {
    keepEventValues()
    if let eventValues { eventValues.endEvent(at: eventValues.mark) }
  }

  /// Has changes keep what was there before them, if there is anything to save already.
  private func keepEventValues() {
    guard eventValues == nil, hasPendingChanges else { return }
    let values = EventValues()
    values.listen(to: pendingInserts + pendingUpdates)
    eventValues = values
  }
}

extension ManagedObjectContext {
  /// Ends the current event, and notifies observers of `objectsDidChange` of its changes.
  ///
  ///     fido.name = "Rex"
  ///     fido.targetMinutes = 60
  ///     context.processPendingChanges()
  ///
  /// With an undo manager, the changes of one event are undone together; a group that the program
  /// has opened stays open.
  ///
  /// There is no run loop here to do it, so a program calls this when it has handled an input;
  /// changes are also merged then, if that is automatic. `save()`, `rollback()`, a refresh and a
  /// merge also end the event. Follows Core Data's `processPendingChanges()`.
  public func processPendingChanges() {
    endEvent()
    beginEvent()
  }

  /// Ends the current event, and notifies its observers.
  func endEvent() {
    changeRecorder?.endEvent()
    changeRecorder?.manager.endEvent()
    // Changes that cannot be read now are merged at the next fetch or save, which throw the error.
    try? pullChanges()
    notifyObservers()
    if let eventValues { eventValues.endEvent(at: eventValues.mark) }
  }

  /// Notifies observers of the recorded changes.
  ///
  /// An observer that makes changes begins another event, of which observers are notified here too;
  /// the number of rounds is limited, so that this ends.
  func notifyObservers() {
    for _ in 0..<100 {
      guard let observers, observers.recordsEvents, observers.hasEvent else { break }
      let changes = observers.takeEvent()
      keepEventValues()
      let mark = eventValues?.beginTelling()
      observers.notify(.objectsDidChange, changes)
      if let mark { eventValues?.endEvent(at: mark) }
    }
  }

  /// The objects that the current event has touched so far, and whether they existed before it.
  ///
  /// For an observer that is added during an event: without observers objects are not recorded. But
  /// if an event did not begin with a save, the earlier values of its objects are kept; and if it
  /// did, its objects are those with unsaved changes.
  var touchedInEvent: [(object: ManagedObject, existedBefore: Bool)] {
    if let known = eventValues?.touched { return known }
    return pendingInserts.filter(\.isInserted).map { ($0, false) }
      + (pendingUpdates.filter(\.isUpdated) + pendingDeletes.filter(\.isDeleted)).map { ($0, true) }
  }

  /// Begins an event while there are unsaved changes of which observers were already notified.
  func beginEvent() {
    keepEventValues()
    if let eventValues { eventValues.endEvent(at: eventValues.mark) }
  }

  /// Makes changes keep the values before them, if there are unsaved changes already.
  private func keepEventValues() {
    guard eventValues == nil, hasPendingChanges else { return }
    let values = EventValues()
    values.listen(to: pendingInserts + pendingUpdates)
    eventValues = values
  }
}

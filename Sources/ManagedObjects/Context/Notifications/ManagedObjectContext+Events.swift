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
    tellEvents()
    if let eventValues { eventValues.endEvent(at: eventValues.mark) }
  }

  /// Tells observers of what was noted for them.
  ///
  /// An observer that changes something begins another event, which is told here too; one that
  /// always does would never come to an end.
  func tellEvents() {
    for _ in 0..<100 {
      guard let observers, observers.recordsEvents, observers.hasEvent else { break }
      let changes = observers.takeEvent()
      keepEventValues()
      let mark = eventValues?.beginTelling()
      observers.notify(.objectsDidChange, changes)
      if let mark { eventValues?.endEvent(at: mark) }
    }
  }

  /// The objects that the current event has touched so far, and whether they were there before it:
  /// for one who begins to listen in its middle.
  ///
  /// Nobody notes them while nobody listens. But where an event did not begin with a save, values
  /// are kept of what it changes; and where it did, it is about all that is unsaved.
  var touchedInEvent: [(object: ManagedObject, wasThere: Bool)] {
    if let known = eventValues?.touched { return known }
    return pendingInserts.filter(\.isInserted).map { ($0, false) }
      + (pendingUpdates.filter(\.isUpdated) + pendingDeletes.filter(\.isDeleted)).map { ($0, true) }
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

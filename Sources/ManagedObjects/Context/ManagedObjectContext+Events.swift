extension ManagedObjectContext {
  /// Ends the current event: observers of `objectsDidChange` hear what happened since the last one.
  ///
  /// There is no run loop here that would do it, so a program calls this where one of its turns
  /// ends; where changes are merged automatically they are now. `save()`, `rollback()` and refreshing do it too. Follows Core Data's
  /// `processPendingChanges()`.
  public func processPendingChanges() {
    // What could not be read now is merged at the next fetch or save, which say so.
    try? pullChanges()
    // An observer that changes something begins another event, which ends here too; one that always
    // does would never come to an end.
    for _ in 0..<100 {
      guard let observers, observers.recordsEvents else { return }
      let changes = observers.takeEvent()
      if changes.isEmpty { return }
      observers.notify(.objectsDidChange, changes)
    }
  }
}

extension ManagedObjectContext {
  /// What undoes the changes made here; nil, as it is at first, for nothing.
  ///
  ///     context.undoManager = ContextUndoManager()
  ///     fido.walks.move(fromOffset: 0, toOffset: 2)
  ///     context.undo()
  ///
  /// Values, insertions, deletions with all that they did, relationships and their order come back
  /// as they were, also when they were saved meanwhile: then there are changes to be saved again.
  /// Keeps one copy of an object's values for each event in which it was changed. Changes made
  /// before a manager was set are not undone. One manager may serve several contexts of one
  /// isolation.
  public var undoManager: ContextUndoManager? {
    get { changeRecorder?.manager as? ContextUndoManager }
    set {
      guard newValue !== changeRecorder?.manager else { return }
      changeRecorder?.endEvent()
      changeRecorder = newValue.map { ChangeRecorder(manager: $0, context: self) }
      // What is undone sets values otherwise than one by one.
      forgetUnsavedValues()
      // Their next change is to be noticed.
      for object in pendingInserts + pendingUpdates { object._state.remove(.writable) }
    }
  }

  /// Undoes the last event, or the last group of the undo manager; does nothing without one.
  ///
  ///     context.delete(fido)
  ///     context.undo()   // fido is back, with his walks in their order
  ///
  /// What is taken back becomes a change to save, or ends being one.
  public func undo() { undoManager?.undo() }

  /// Does again what was undone last; does nothing without an undo manager.
  ///
  ///     context.undo()
  ///     context.redo()   // as if nothing had happened
  public func redo() { undoManager?.redo() }

  /// Forgets every object and every change, and what could be undone.
  ///
  ///     context.reset()
  ///     dogs = try context.fetch(Dog.fetchRequest())
  ///
  /// The objects belong to no context any more and must not be used; fetch anew, and have
  /// controllers of fetched results do so. Observers are not told. What could not be read is tried
  /// again then. Follows Core Data's `reset()`.
  public func reset() {
    changeRecorder?.manager.removeAllActions()
    let observers = observers
    (self.observers, eventValues) = (nil, nil)
    (faultingError, unreadValues) = (nil, [])
    (awakened, fetchBatching) = ([], nil)
    for object in pendingInserts + pendingUpdates + pendingDeletes + lostObjects { object.end() }
    clearChanges()
    for object in registeredObjects { object.end() }
    observers?.forgetEvent()
    self.observers = observers
  }
}

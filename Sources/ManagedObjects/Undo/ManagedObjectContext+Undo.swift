extension ManagedObjectContext {
  /// The undo manager for the changes made here; nil, the default, for none.
  ///
  ///     context.undoManager = ContextUndoManager()
  ///     fido.walks.move(fromOffset: 0, toOffset: 2)
  ///     context.undo()
  ///
  /// An undo restores values, insertions, deletions with all their effects, relationships and their
  /// order, even if they were saved in the meantime: then there are changes to save again. Keeps
  /// one copy of an object's values for each event in which it was changed. Changes made before a
  /// manager was set are not undone. One manager may serve several contexts of one isolation.
  public var undoManager: ContextUndoManager? {
    get { changeRecorder?.manager as? ContextUndoManager }
    set {
      guard newValue !== changeRecorder?.manager else { return }
      changeRecorder?.endEvent()
      changeRecorder = newValue.map { ChangeRecorder(manager: $0, context: self) }
      // Undoing does not set values one by one.
      forgetUnsavedValues()
      // So that the next change of these objects is detected.
      for object in pendingInserts + pendingUpdates { object._state.remove(.writable) }
    }
  }

  /// Undoes the last event, or the last group of the undo manager; does nothing without one.
  ///
  ///     context.delete(fido)
  ///     context.undo()   // fido is back, with his walks in their order
  ///
  /// Undoing a saved change makes a new change to save; undoing an unsaved one discards it.
  public func undo() { undoManager?.undo() }

  /// Redoes the last undone group; does nothing without an undo manager.
  ///
  ///     context.undo()
  ///     context.redo()   // as if nothing had happened
  public func redo() { undoManager?.redo() }

  /// Discards all objects, all changes, and all actions of the undo manager, also those of other
  /// contexts that share it.
  ///
  ///     context.reset()
  ///     dogs = try context.fetch(Dog.fetchRequest())
  ///
  /// The objects no longer belong to a context and must not be used; fetch again, and call
  /// `performFetch()` on fetched results controllers. Observers are not notified. Values that could
  /// not be read can be read again afterwards. Follows Core Data's `reset()`.
  public func reset() {
    changeRecorder?.manager.removeAllActions()
    let observers = observers
    (self.observers, eventValues) = (nil, nil)
    (faultingError, unreadValues) = (nil, [])
    (awakened, fetchBatching) = ([], nil)
    dropCircularLists()
    for object in pendingInserts + pendingUpdates + pendingDeletes + externallyDeletedObjects {
      object.end()
    }
    clearChanges()
    for object in registeredObjects { object.end() }
    observers?.forgetEvent()
    self.observers = observers
  }
}

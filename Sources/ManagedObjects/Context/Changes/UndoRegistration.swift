/// Where a context registers what undoes its changes: its undo manager.
protocol UndoRegistration: AnyObject {
  /// Adds a context's recorder, which is asked to end its event before anything is undone.
  func add(_ recorder: ChangeRecorder)
  /// Takes a recorder away, and what it has registered.
  func remove(_ recorder: ChangeRecorder)
  /// Registers what undoes an event.
  func register(target: ObjectIdentifier, _ perform: @escaping () -> Void)
  /// Ends the group of an event's actions, if one was begun.
  func endEvent()
  /// Forgets all that can be undone and redone.
  func removeAllActions()
}

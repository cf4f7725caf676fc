/// The undo manager of a context, as the recorder of changes sees it.
protocol UndoRegistration: AnyObject {
  /// Adds a context's recorder, which the manager asks to end its event before it undoes anything.
  func add(_ recorder: ChangeRecorder)
  /// Removes a recorder, and the actions it has registered.
  func remove(_ recorder: ChangeRecorder)
  /// Registers the action that undoes an event.
  func register(target: ObjectIdentifier, _ perform: @escaping () -> Void)
  /// Ends the group of an event's actions, if one was begun.
  func endEvent()
  /// Whether anything can be undone or redone.
  var hasActions: Bool { get }
  /// Discards all actions to undo and redo.
  func removeAllActions()
}

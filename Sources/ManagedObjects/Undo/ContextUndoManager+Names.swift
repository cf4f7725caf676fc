/// Names of actions, for the titles of a program's commands.
extension ContextUndoManager {
  /// Names an action: "Delete Walk" makes the command "Undo Delete Walk".
  ///
  ///     context.delete(walk)
  ///     manager.setActionName("Delete Walk")
  ///
  /// Sets the name of the open group; if there is none, of the last group that was ended.
  public func setActionName(_ actionName: String) {
    checkpoint()
    (openGroups.last ?? undoStack.last)?.name = actionName
  }

  /// The name of the group that `undo()` would undo; empty if it has none.
  ///
  ///     manager.undoActionName   // "Delete Walk"
  public var undoActionName: String { (openGroups.first ?? undoStack.last)?.name ?? "" }

  /// The name of the group that `redo()` would redo; empty if it has none.
  ///
  ///     manager.redoActionName   // "Delete Walk", once it was undone
  public var redoActionName: String { redoStack.last?.name ?? "" }

  /// The title of the command Undo, with the action's name: "Undo Delete Walk".
  public var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

  /// The title of the command Redo, with the action's name: "Redo Delete Walk".
  public var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

  /// The title of the command Undo for an action's name, which may be empty.
  public func undoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Undo" : "Undo \(actionName)"
  }

  /// The title of the command Redo for an action's name, which may be empty.
  public func redoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Redo" : "Redo \(actionName)"
  }
}

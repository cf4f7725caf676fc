import ManagedObjects
import Testing

/// Mismatched calls of an undo manager trap, with a message that says why.
@Suite struct UndoMistakeTests {
  private final class Editor {}

  @Test func `ends of groups that were not begun`() async {
    let group = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ContextUndoManager().endUndoGrouping()
    }
    #expect(said("endUndoGrouping() was called without a group to end.", group))
    let registration = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      ContextUndoManager().enableUndoRegistration()
    }
    #expect(
      said(
        "enableUndoRegistration() was called without a matching disableUndoRegistration().",
        registration))
  }

  @Test func `registering outside a group without grouping by event`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let manager = ContextUndoManager()
      manager.groupsByEvent = false
      manager.registerUndo(withTarget: Editor()) { _ in }
    }
    #expect(said("Begin a group before registering what to undo.", result))
  }

  @Test func `undoing inside a group`() async {
    let group = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let manager = ContextUndoManager()
      manager.beginUndoGrouping()
      manager.beginUndoGrouping()
      manager.undo()
    }
    #expect(said("undo() was called while a nested group is open.", group))
    let undo = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (manager, editor) = (ContextUndoManager(), Editor())
      manager.registerUndo(withTarget: editor) { _ in manager.undoNestedGroup() }
      manager.undo()
    }
    #expect(said("undo() cannot be called while undoing or redoing.", undo))
    let redo = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (manager, editor) = (ContextUndoManager(), Editor())
      manager.registerUndo(withTarget: editor) { _ in manager.redo() }
      manager.undo()
    }
    #expect(said("redo() cannot be called while undoing or redoing.", redo))
  }
}

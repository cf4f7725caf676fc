import ManagedObjects
import Testing

/// The manager on its own, with handlers.
@Suite struct UndoManagerTests {
  /// A number whose changes are undone by handlers.
  private final class Counter {
    let manager: ContextUndoManager
    private(set) var value = 0
    init(_ manager: ContextUndoManager) { self.manager = manager }

    func set(_ new: Int) {
      let old = value
      value = new
      manager.registerUndo(withTarget: self) { $0.set(old) }
    }

    /// Sets the value as one action of its own.
    func act(_ new: Int, _ name: String = "") {
      manager.beginUndoGrouping()
      set(new)
      manager.setActionName(name)
      manager.endUndoGrouping()
    }
  }

  private let manager = ContextUndoManager()
  private let counter: Counter

  init() { counter = Counter(manager) }

  @Test func `a new manager has nothing to undo`() {
    #expect(!manager.canUndo && !manager.canRedo && manager.groupingLevel == 0)
    #expect(manager.groupsByEvent && manager.levelsOfUndo == 0)
    manager.undo()
    manager.redo()
    #expect(counter.value == 0)
  }

  @Test func `groups are undone and redone one by one`() {
    for value in 1...3 { counter.act(value) }
    manager.undo()
    #expect(counter.value == 2 && manager.canRedo)
    manager.undo()
    manager.undo()
    #expect(counter.value == 0 && !manager.canUndo)
    manager.redo()
    manager.redo()
    #expect(counter.value == 2)
    manager.undo()
    #expect(counter.value == 1)
    manager.redo()
    manager.redo()
    #expect(counter.value == 3 && !manager.canRedo)
  }

  @Test func `actions registered outside a group are undone with their event`() {
    counter.set(1)
    counter.set(2)
    #expect(manager.groupingLevel == 1)
    manager.undo()
    #expect(counter.value == 0 && !manager.canUndo)
    manager.redo()
    #expect(counter.value == 2)
  }

  @Test func `a new action clears the redo stack`() {
    counter.act(1)
    manager.undo()
    counter.act(5)
    #expect(!manager.canRedo)
    manager.redo()
    #expect(counter.value == 5)
    manager.undo()
    #expect(counter.value == 0)
  }

  @Test func `an inner group is undone with the outer one`() {
    manager.beginUndoGrouping()
    counter.act(1)
    counter.act(2)
    #expect(manager.groupingLevel == 1)
    manager.endUndoGrouping()
    manager.undo()
    #expect(counter.value == 0)
    manager.redo()
    #expect(counter.value == 2)
  }

  @Test func `an inner group can be undone alone while the outer one is open`() {
    manager.beginUndoGrouping()
    counter.act(1)
    counter.act(2)
    manager.undoNestedGroup()
    #expect(counter.value == 1 && manager.groupingLevel == 1)
    manager.endUndoGrouping()
    manager.undo()
    #expect(counter.value == 0)
  }

  @Test func `an empty group leaves nothing to undo`() {
    manager.beginUndoGrouping()
    manager.beginUndoGrouping()
    manager.endUndoGrouping()
    manager.endUndoGrouping()
    #expect(!manager.canUndo)
  }

  @Test func `undoing closes the open group`() {
    manager.beginUndoGrouping()
    counter.set(1)
    manager.undo()
    #expect(counter.value == 0 && manager.groupingLevel == 0)
  }

  @Test func `only as many levels as allowed are kept`() {
    manager.levelsOfUndo = 2
    for value in 1...5 { counter.act(value) }
    for _ in 0..<5 { manager.undo() }
    #expect(counter.value == 3)
    for value in 6...9 { counter.act(value) }
    manager.levelsOfUndo = 1
    manager.undo()
    manager.undo()
    #expect(counter.value == 8)
  }

  @Test func `nothing is registered while registration is disabled`() {
    counter.act(1)
    manager.disableUndoRegistration()
    manager.disableUndoRegistration()
    counter.act(2)
    manager.enableUndoRegistration()
    #expect(!manager.isUndoRegistrationEnabled)
    counter.act(3)
    manager.enableUndoRegistration()
    #expect(manager.isUndoRegistrationEnabled)
    manager.undo()
    #expect(counter.value == 0)
  }

  @Test func `names are kept with their actions`() {
    #expect(manager.undoMenuItemTitle == "Undo" && manager.redoMenuItemTitle == "Redo")
    counter.act(1, "Delete Walk")
    #expect(manager.undoActionName == "Delete Walk" && manager.redoActionName.isEmpty)
    #expect(manager.undoMenuItemTitle == "Undo Delete Walk")
    counter.act(2)
    #expect(manager.undoActionName.isEmpty)
    manager.undo()
    manager.undo()
    #expect(manager.redoMenuItemTitle == "Redo Delete Walk" && manager.undoActionName.isEmpty)
    manager.redo()
    #expect(manager.undoMenuItemTitle == "Undo Delete Walk")
  }

  @Test func `a name may be set after the group, or within it`() {
    counter.act(1)
    manager.setActionName("One")
    #expect(manager.undoActionName == "One")
    manager.beginUndoGrouping()
    counter.act(2, "Two")
    manager.endUndoGrouping()
    #expect(manager.undoActionName == "Two")
  }

  @Test func `it reports whether it is undoing or redoing`() {
    var states: [[Bool]] = []
    final class Witness {}
    let witness = Witness()
    func note() {
      states.append([manager.isUndoing, manager.isRedoing])
      manager.registerUndo(withTarget: witness) { _ in note() }
    }
    note()
    manager.undo()
    manager.redo()
    #expect(states == [[false, false], [true, false], [false, true]])
    #expect(!manager.isUndoing && !manager.isRedoing)
  }

  @Test func `a target's actions can be removed, and those of released targets do nothing`() {
    let other = Counter(manager)
    manager.beginUndoGrouping()
    counter.set(1)
    other.set(1)
    manager.endUndoGrouping()
    other.act(2)
    manager.removeAllActions(withTarget: other)
    #expect(manager.canUndo)
    manager.undo()
    #expect(counter.value == 0 && other.value == 2)

    var short: Counter? = Counter(manager)
    short?.act(1)
    short = nil
    manager.undo()
    #expect(!manager.canUndo)
  }

  @Test func `all actions can be removed`() {
    counter.act(1)
    counter.act(2)
    manager.undo()
    manager.removeAllActions()
    #expect(!manager.canUndo && !manager.canRedo)
  }

  @Test func `without events a handler needs a group`() async {
    await #expect(processExitsWith: .failure) {
      let manager = ContextUndoManager()
      manager.groupsByEvent = false
      manager.registerUndo(withTarget: manager) { _ in }
    }
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      ContextUndoManager().endUndoGrouping()
    }
    #expect(said("without a group to end", result))
  }
}

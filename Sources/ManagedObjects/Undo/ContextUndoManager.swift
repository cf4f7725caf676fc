import DataModel

/// A stack of groups of actions that can be undone and redone.
///
///     let context = container.viewContext
///     context.undoManager = ContextUndoManager()
///     fido.name = "Rex"
///     context.processPendingChanges()   // ends the event
///     context.undo()                    // fido.name is "Fido" again
///
/// Contexts register their changes automatically; a program may register further actions with
/// `registerUndo(withTarget:handler:)`. Actions that are registered while undoing are for redoing.
/// There is no run loop here, so an event lasts until `processPendingChanges()`, a save, a merge, a
/// refresh, a rollback, `undo()`, `redo()` or the beginning of a group. Not Sendable: it stays in
/// the isolation of its contexts. Follows Foundation's `UndoManager`, whose name it does not use.
public final class ContextUndoManager: UndoRegistration {
  /// Actions that are undone together.
  final class Group {
    var actions: [Action] = []
    var name = ""
    /// Whether it was begun by the first action of an event, not by `beginUndoGrouping()`.
    let isOfEvent: Bool

    init(isOfEvent: Bool = false) { self.isOfEvent = isOfEvent }
  }

  /// An action that undoes another.
  enum Action {
    case perform(target: ObjectIdentifier, () -> Void)
    case group(Group)
  }

  private struct Recorder {
    let identity: ObjectIdentifier
    private(set) weak var object: ChangeRecorder?

    init(_ recorder: ChangeRecorder) {
      identity = ObjectIdentifier(recorder)
      object = recorder
    }
  }

  private(set) var undoStack: [Group] = []
  private(set) var redoStack: [Group] = []
  /// The groups that were begun and not ended, the outermost first.
  private(set) var openGroups: [Group] = []
  /// The recorders that have changes to register before anything else happens; weak references.
  private var recorders: [Recorder] = []
  private var disabledCount = 0

  /// Whether actions outside a group begin one that lasts until the event ends.
  ///
  ///     manager.groupsByEvent = false   // each event of a context is undone by itself
  ///
  /// True by default. Otherwise a handler may be registered only in a group, and each event of a
  /// context is a group of its own.
  public var groupsByEvent = true

  /// The maximum number of groups to keep; 0, the default, for no limit.
  ///
  ///     manager.levelsOfUndo = 20
  public var levelsOfUndo = 0 { didSet { dropOldest() } }

  /// Whether `undo()` is running.
  ///
  ///     manager.registerUndo(withTarget: editor) { editor in
  ///       editor.select(old)   // here manager.isUndoing
  ///     }
  public private(set) var isUndoing = false

  /// Whether `redo()` is running.
  ///
  ///     manager.isRedoing   // true within what redo() does
  public private(set) var isRedoing = false

  /// Creates a manager with nothing to undo.
  public init() {}

  // MARK: Groups

  /// The number of groups that were begun and not ended.
  ///
  ///     manager.beginUndoGrouping()   // manager.groupingLevel is 1
  public var groupingLevel: Int { openGroups.count }

  /// Begins a group: actions registered until `endUndoGrouping()` are undone together.
  ///
  ///     manager.beginUndoGrouping()
  ///     manager.setActionName("Edit Walk")
  ///     walk.note = "rain"
  ///     manager.endUndoGrouping()
  ///
  /// Groups nest. Earlier changes are registered first, and are not in the group.
  public func beginUndoGrouping() {
    checkpoint()
    endEvent()
    openGroups.append(Group())
  }

  /// Ends the group begun last; one without actions is dropped.
  ///
  ///     manager.beginUndoGrouping()
  ///     defer { manager.endUndoGrouping() }
  ///
  /// - Precondition: a group is open.
  public func endUndoGrouping() {
    checkpoint()
    require(!openGroups.isEmpty, "endUndoGrouping() was called without a group to end.")
    close(openGroups.removeLast())
  }

  /// Ends the event's group, if one was begun; groups of the program stay open.
  func endEvent() {
    guard openGroups.count == 1, openGroups[0].isOfEvent else { return }
    close(openGroups.removeLast())
  }

  private func close(_ group: Group) {
    guard !group.actions.isEmpty else { return }
    if let outer = openGroups.last {
      if outer.name.isEmpty { outer.name = group.name }
      outer.actions.append(.group(group))
    } else if isUndoing {
      redoStack.append(group)
    } else {
      undoStack.append(group)
      dropOldest()
    }
  }

  private func dropOldest() {
    guard levelsOfUndo > 0, undoStack.count > levelsOfUndo else { return }
    undoStack.removeFirst(undoStack.count - levelsOfUndo)
  }

  // MARK: Registering

  /// Whether registration is enabled.
  ///
  ///     manager.disableUndoRegistration()   // and it is false
  public var isUndoRegistrationEnabled: Bool { disabledCount == 0 }

  /// Disables registration until `enableUndoRegistration()`; calls may nest.
  ///
  ///     manager.disableUndoRegistration()
  ///     defer { manager.enableUndoRegistration() }
  ///     fido.targetMinutes = 60   // nothing that a person did
  ///
  /// Changes of contexts that were made before are still registered.
  public func disableUndoRegistration() {
    checkpoint()
    disabledCount += 1
  }

  /// Reverts one `disableUndoRegistration()`.
  ///
  ///     manager.disableUndoRegistration()
  ///     fido.targetMinutes = 60
  ///     manager.enableUndoRegistration()
  ///
  /// - Precondition: there was one.
  public func enableUndoRegistration() {
    checkpoint()
    require(
      disabledCount > 0,
      "enableUndoRegistration() was called without a matching disableUndoRegistration().")
    disabledCount -= 1
  }

  /// Registers a handler that undoes an action of the program.
  ///
  ///     manager.registerUndo(withTarget: editor) { $0.select(old) }
  ///
  /// The target is a weak reference; once it is deallocated, nothing is done.
  ///
  /// - Precondition: a group is open, or `groupsByEvent`.
  public func registerUndo<Target: AnyObject>(
    withTarget target: Target, handler: @escaping (Target) -> Void
  ) {
    require(
      groupsByEvent || !openGroups.isEmpty, "Begin a group before registering what to undo.")
    checkpoint()
    weak let held = target
    register(target: ObjectIdentifier(target)) {
      if let held { handler(held) }
    }
  }

  /// Registers an action, in the open group or one for the event.
  func register(target: ObjectIdentifier, _ perform: @escaping () -> Void) {
    guard isUndoRegistrationEnabled else { return }
    if !isUndoing && !isRedoing { redoStack.removeAll() }
    let group: Group
    if let open = openGroups.last {
      group = open
    } else {
      group = Group(isOfEvent: true)
      openGroups.append(group)
    }
    group.actions.append(.perform(target: target, perform))
    if !groupsByEvent { endEvent() }
  }

  var hasActions: Bool {
    !undoStack.isEmpty || !redoStack.isEmpty || openGroups.contains { !$0.actions.isEmpty }
  }

  /// Forgets everything that could be undone or redone, open groups too.
  ///
  ///     manager.removeAllActions()   // manager.canUndo and canRedo are false
  public func removeAllActions() {
    for recorder in recorders { recorder.object?.forgetEvent() }
    undoStack.removeAll()
    redoStack.removeAll()
    for group in openGroups { group.actions.removeAll() }
  }

  /// Removes the actions of one target, which may be a context with its changes.
  ///
  ///     manager.removeAllActions(withTarget: editor)   // it closes; the changes of contexts stay
  public func removeAllActions(withTarget target: AnyObject) {
    removeActions(of: ObjectIdentifier(target))
  }

  func removeActions(of target: ObjectIdentifier) {
    for group in openGroups { group.remove(target) }
    for group in undoStack + redoStack { group.remove(target) }
    undoStack.removeAll { $0.actions.isEmpty }
    redoStack.removeAll { $0.actions.isEmpty }
  }

  // MARK: Undoing

  /// Whether there is an action to undo.
  ///
  ///     undoButton.isEnabled = manager.canUndo
  public var canUndo: Bool {
    !undoStack.isEmpty || openGroups.contains { !$0.actions.isEmpty } || hasUnregisteredChanges
  }

  /// Whether there is an action to redo.
  ///
  ///     redoButton.isEnabled = manager.canRedo
  ///
  /// False again after a change that follows an undo.
  public var canRedo: Bool { !redoStack.isEmpty && !hasUnregisteredChanges }

  private var hasUnregisteredChanges: Bool {
    isUndoRegistrationEnabled && recorders.contains { $0.object?.hasEvent == true }
  }

  /// Undoes the last group; does nothing if there is none.
  ///
  ///     context.delete(walk)
  ///     manager.undo()   // the walk is back
  ///
  /// Ends the open group, if it is the only one.
  ///
  /// - Precondition: no more than one group is open.
  public func undo() {
    checkpoint()
    if openGroups.count == 1 { endUndoGrouping() }
    require(openGroups.isEmpty, "undo() was called while a nested group is open.")
    undoNestedGroup()
  }

  /// Undoes the last group, even one that was ended within a group that is still open.
  ///
  ///     manager.beginUndoGrouping()   // the sheet
  ///     manager.beginUndoGrouping()   // a step in it
  ///     walk.note = "by the river"
  ///     manager.endUndoGrouping()
  ///     manager.undoNestedGroup()     // the step alone
  ///
  /// Does nothing if there is none, or if another action was registered since.
  ///
  /// - Precondition: nothing is being undone or redone.
  public func undoNestedGroup() {
    require(!isUndoing && !isRedoing, "undo() cannot be called while undoing or redoing.")
    checkpoint()
    let group: Group
    if let open = openGroups.last {
      guard case .group(let nested)? = open.actions.last else { return }
      open.actions.removeLast()
      group = nested
    } else {
      guard let last = undoStack.popLast() else { return }
      group = last
    }
    isUndoing = true
    perform(group)
    isUndoing = false
  }

  /// Redoes the last undone group; does nothing if there is none.
  ///
  ///     manager.undo()
  ///     manager.redo()   // as if nothing had happened
  ///
  /// - Precondition: nothing is being undone or redone.
  public func redo() {
    require(!isUndoing && !isRedoing, "redo() cannot be called while undoing or redoing.")
    checkpoint()
    endEvent()
    guard let group = redoStack.popLast() else { return }
    isRedoing = true
    perform(group)
    isRedoing = false
  }

  /// Performs the actions of a group, the last first; those they register form the opposite group.
  private func perform(_ group: Group) {
    let outer = openGroups
    let opposite = Group()
    opposite.name = group.name
    openGroups = [opposite]
    group.perform()
    checkpoint()
    openGroups.removeAll()
    close(opposite)
    openGroups = outer
  }

  // MARK: Contexts

  /// Adds a recorder, which removes itself when it is deallocated.
  func add(_ recorder: ChangeRecorder) { recorders.append(Recorder(recorder)) }

  func remove(_ recorder: ChangeRecorder) {
    recorders.removeAll { $0.identity == ObjectIdentifier(recorder) }
    removeActions(of: recorder.target)
  }

  /// Makes the contexts register their changes so far.
  func checkpoint() {
    for recorder in recorders { recorder.object?.endEvent() }
  }
}

@available(*, unavailable) extension ContextUndoManager: Sendable {}
@available(*, unavailable) extension ContextUndoManager.Group: Sendable {}
@available(*, unavailable) extension ContextUndoManager.Action: Sendable {}

extension ContextUndoManager.Group {
  /// Performs the actions, the last first.
  func perform() {
    for action in actions.reversed() {
      switch action {
      case .perform(_, let perform): perform()
      case .group(let group): group.perform()
      }
    }
  }

  /// Removes the actions of a target.
  func remove(_ target: ObjectIdentifier) {
    actions.removeAll { action in
      switch action {
      case .perform(let other, _): return other == target
      case .group(let group):
        group.remove(target)
        return group.actions.isEmpty
      }
    }
  }
}

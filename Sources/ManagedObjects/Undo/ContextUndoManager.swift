import DataModel

/// What can be undone and redone, in groups: the actions behind the commands Undo and Redo.
///
///     let context = container.viewContext
///     context.undoManager = ContextUndoManager()
///     fido.name = "Rex"
///     context.processPendingChanges()   // ends the event
///     context.undo()                    // fido.name is "Fido" again
///
/// Contexts register their changes on their own; a program may register further ones with
/// `registerUndo(withTarget:handler:)`. What is registered while undoing is for redoing. There is
/// no run loop here, so an event lasts until `processPendingChanges()`, `undo()`, `redo()` or the
/// beginning of a group. Not Sendable: it stays in the isolation of its contexts. Follows
/// Foundation's `UndoManager`, whose name it leaves alone.
public final class ContextUndoManager: UndoRegistration {
  /// Actions that are undone together.
  final class Group {
    var actions: [Action] = []
    var name = ""
    /// Whether it was begun by the first action of an event, not by `beginUndoGrouping()`.
    let isOfEvent: Bool

    init(isOfEvent: Bool = false) { self.isOfEvent = isOfEvent }
  }

  /// One thing to do to undo another.
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
  private var redoStack: [Group] = []
  /// The groups that were begun and not ended, the outermost first.
  private var openGroups: [Group] = []
  /// Those who have changes to register before anything else happens, without holding them.
  private var recorders: [Recorder] = []
  private var disabledCount = 0

  /// Whether what is registered outside a group begins one that lasts until the event ends.
  ///
  ///     manager.groupsByEvent = false   // each event of a context is undone by itself
  ///
  /// True at first. Otherwise a handler may be registered only in a group, and each event of a
  /// context is a group of its own.
  public var groupsByEvent = true

  /// How many groups are kept; 0, as it is at first, for any number.
  ///
  ///     manager.levelsOfUndo = 20
  public var levelsOfUndo = 0 { didSet { dropOldest() } }

  /// Whether `undo()` is at work.
  ///
  ///     manager.registerUndo(withTarget: editor) { editor in
  ///       editor.select(old)   // here manager.isUndoing
  ///     }
  public private(set) var isUndoing = false

  /// Whether `redo()` is at work.
  ///
  ///     manager.isRedoing   // true within what redo() does
  public private(set) var isRedoing = false

  /// Creates a manager with nothing to undo.
  public init() {}

  // MARK: Groups

  /// How many groups are begun and not ended.
  ///
  ///     manager.beginUndoGrouping()   // manager.groupingLevel is 1
  public var groupingLevel: Int { openGroups.count }

  /// Begins a group: what is registered until `endUndoGrouping()` is undone in one.
  ///
  ///     manager.beginUndoGrouping()
  ///     manager.setActionName("Edit Walk")
  ///     walk.note = "rain"
  ///     manager.endUndoGrouping()
  ///
  /// Groups nest. What was changed before is registered first, and is not in the group.
  public func beginUndoGrouping() {
    checkpoint()
    endEvent()
    openGroups.append(Group())
  }

  /// Ends the group begun last; one without actions vanishes.
  ///
  ///     manager.beginUndoGrouping()
  ///     defer { manager.endUndoGrouping() }
  ///
  /// - Precondition: there is one.
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

  /// Whether what is registered is kept.
  ///
  ///     manager.disableUndoRegistration()   // and it is false
  public var isUndoRegistrationEnabled: Bool { disabledCount == 0 }

  /// Ignores what is registered until `enableUndoRegistration()`; calls may nest.
  ///
  ///     manager.disableUndoRegistration()
  ///     defer { manager.enableUndoRegistration() }
  ///     fido.targetMinutes = 60   // nothing that a person did
  ///
  /// Changes of contexts that were made before are registered still.
  public func disableUndoRegistration() {
    checkpoint()
    disabledCount += 1
  }

  /// Takes one `disableUndoRegistration()` back.
  ///
  ///     manager.disableUndoRegistration()
  ///     fido.targetMinutes = 60
  ///     manager.enableUndoRegistration()
  ///
  /// - Precondition: there was one.
  public func enableUndoRegistration() {
    checkpoint()
    require(disabledCount > 0, "enableUndoRegistration() was called once too often.")
    disabledCount -= 1
  }

  /// Registers what undoes something that a program did on its own.
  ///
  ///     manager.registerUndo(withTarget: editor) { $0.select(old) }
  ///
  /// The target is not held; when it is gone, nothing is done.
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

  /// Registers what undoes something, in the open group or one for the event.
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

  /// Forgets everything that could be undone or redone, open groups too.
  ///
  ///     manager.removeAllActions()   // manager.canUndo and canRedo are false
  public func removeAllActions() {
    for recorder in recorders { recorder.object?.forgetEvent() }
    undoStack.removeAll()
    redoStack.removeAll()
    for group in openGroups { group.actions.removeAll() }
  }

  /// Forgets what would be done to an object: a target, or a context with its changes.
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

  /// Whether there is something to undo.
  ///
  ///     undoButton.isEnabled = manager.canUndo
  public var canUndo: Bool {
    !undoStack.isEmpty || openGroups.contains { !$0.actions.isEmpty } || hasUnregisteredChanges
  }

  /// Whether there is something to redo.
  ///
  ///     redoButton.isEnabled = manager.canRedo
  ///
  /// A change after an undo ends that.
  public var canRedo: Bool { !redoStack.isEmpty && !hasUnregisteredChanges }

  private var hasUnregisteredChanges: Bool {
    isUndoRegistrationEnabled && recorders.contains { $0.object?.hasEvent == true }
  }

  /// Undoes the last group; does nothing where there is none.
  ///
  ///     context.delete(walk)
  ///     manager.undo()   // the walk is back
  ///
  /// Ends the group that is open, if it is the only one.
  ///
  /// - Precondition: not more than one group is open.
  public func undo() {
    checkpoint()
    if openGroups.count == 1 { endUndoGrouping() }
    require(openGroups.isEmpty, "undo() was called with a group open within another.")
    undoNestedGroup()
  }

  /// Undoes the last group, even one that was ended within a group still open.
  ///
  ///     manager.beginUndoGrouping()   // the sheet
  ///     manager.beginUndoGrouping()   // a step in it
  ///     walk.note = "by the river"
  ///     manager.endUndoGrouping()
  ///     manager.undoNestedGroup()     // the step alone
  ///
  /// Does nothing where there is none, or where something else was registered since.
  ///
  /// - Precondition: nothing is being undone or redone.
  public func undoNestedGroup() {
    require(!isUndoing && !isRedoing, "Undoing cannot be done within undoing.")
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

  /// Does again what was undone last; does nothing where there is none.
  ///
  ///     manager.undo()
  ///     manager.redo()   // as if nothing had happened
  ///
  /// - Precondition: nothing is being undone or redone.
  public func redo() {
    require(!isUndoing && !isRedoing, "Redoing cannot be done within undoing.")
    checkpoint()
    endEvent()
    guard let group = redoStack.popLast() else { return }
    isRedoing = true
    perform(group)
    isRedoing = false
  }

  /// Does what a group says, the last first; what that registers becomes the opposite group.
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

  // MARK: Names

  /// Names what was done: "Delete Walk" makes the command "Undo Delete Walk".
  ///
  ///     context.delete(walk)
  ///     manager.setActionName("Delete Walk")
  ///
  /// The name is that of the open group; where none is, of the last group that was ended.
  public func setActionName(_ actionName: String) {
    checkpoint()
    (openGroups.last ?? undoStack.last)?.name = actionName
  }

  /// The name of what `undo()` would undo; empty where it has none.
  ///
  ///     manager.undoActionName   // "Delete Walk"
  public var undoActionName: String { (openGroups.first ?? undoStack.last)?.name ?? "" }

  /// The name of what `redo()` would do again; empty where it has none.
  ///
  ///     manager.redoActionName   // "Delete Walk", once it was undone
  public var redoActionName: String { redoStack.last?.name ?? "" }

  /// The text of the command Undo, with the action's name: "Undo Delete Walk".
  public var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

  /// The text of the command Redo, with the action's name: "Redo Delete Walk".
  public var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

  /// The text of the command Undo for an action's name, which may be empty.
  public func undoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Undo" : "Undo \(actionName)"
  }

  /// The text of the command Redo for an action's name, which may be empty.
  public func redoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Redo" : "Redo \(actionName)"
  }

  // MARK: Contexts

  /// Takes in a recorder, to be asked for its changes in time; it takes itself out when it ends.
  func add(_ recorder: ChangeRecorder) { recorders.append(Recorder(recorder)) }

  func remove(_ recorder: ChangeRecorder) {
    recorders.removeAll { $0.identity == ObjectIdentifier(recorder) }
    removeActions(of: recorder.target)
  }

  /// Has the contexts register what they changed so far.
  private func checkpoint() {
    for recorder in recorders { recorder.object?.endEvent() }
  }
}

@available(*, unavailable) extension ContextUndoManager: Sendable {}
@available(*, unavailable) extension ContextUndoManager.Group: Sendable {}
@available(*, unavailable) extension ContextUndoManager.Action: Sendable {}

extension ContextUndoManager.Group {
  /// Does what the actions say, the last first.
  func perform() {
    for action in actions.reversed() {
      switch action {
      case .perform(_, let perform): perform()
      case .group(let group): group.perform()
      }
    }
  }

  /// Forgets what would be done to a target.
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

/// Notes what a context changes, for its undo manager; there is none where there is no manager.
///
/// An object's row is copied before the first change of each event. What makes the first change be
/// noticed is that the end of an event takes `writable` from every object that was changed. Others
/// may take it in between, who want to hear of a change too: an object that is `recorded` is not
/// copied again.
final class ChangeRecorder {
  let manager: any UndoRegistration
  // The context owns its recorder.
  private unowned(unsafe) let context: ManagedObjectContext
  private var event = UndoEvent()
  /// The events since the last save that deleted something.
  private var deletions: [EndedEvent] = []

  private struct EndedEvent {
    weak var event: UndoEvent?
  }
  private var pauses = 0
  /// The keys that saves gave to objects which are in rows under their temporary ones.
  private var permanentKeys: [Int64: Int64] = [:]

  /// From how many steps on a list is kept as a whole.
  private static let manySteps = 8

  init(manager: any UndoRegistration, context: ManagedObjectContext) {
    self.manager = manager
    self.context = context
    manager.add(self)
  }

  deinit { manager.remove(self) }

  /// What stands for the context among the manager's targets.
  var target: ObjectIdentifier { ObjectIdentifier(context) }

  // MARK: Events

  /// Whether the event has changed anything so far.
  var hasEvent: Bool { !event.isEmpty }

  /// Ends the event and registers what undoes it.
  func endEvent() {
    guard let event = takeEvent(), pauses == 0 else { return }
    if event.hasDeletions {
      deletions.removeAll { $0.event == nil }
      deletions.append(EndedEvent(event: event))
    }
    manager.register(target: target) { [unowned self] in undo(event) }
  }

  /// Runs a body that deletes what an object's deletion should have reached: undoing that brings it
  /// back too.
  func extendDeletion(of object: ManagedObject, _ body: () -> Void) {
    endEvent()
    body()
    guard let more = takeEvent() else { return }
    deletions.lazy.compactMap(\.event).first { $0.deletes(object) }?.append(more)
  }

  /// Ends the event and forgets it.
  func forgetEvent() { _ = takeEvent() }

  private func takeEvent() -> UndoEvent? {
    guard !event.isEmpty else { return nil }
    let ended = event
    event = UndoEvent()
    ended.end()
    return ended.isEmpty ? nil : ended
  }

  /// Runs a body whose changes are not to be undone: those that come from the store.
  func pause<Result>(_ body: () throws -> Result) rethrows -> Result {
    endEvent()
    pauses += 1
    defer {
      forgetEvent()
      pauses -= 1
    }
    return try body()
  }

  // MARK: Noting

  func didInsert(_ object: ManagedObject) { event.append(.inserted, of: object) }

  func didDelete(_ object: ManagedObject) { event.append(.deleted, of: object) }

  /// Keeps the values of an object before the first change of the event.
  func willChange(_ object: ManagedObject) {
    guard !object._state.contains(.recorded) else { return }
    object._state.insert(.recorded)
    event.append(
      .changed(
        UndoEvent.Values(
          row: object.row.copy(slotCount: object._entity.binding.slotCount),
          others: object._side?.values ?? [:])),
      of: object)
  }

  /// Notes a step that a list has made.
  func didStep(_ step: ToManyMembers.Step, in number: Int, of owner: ManagedObject) {
    let index = index(of: number, of: owner)
    guard event.lists[index].whole == nil else { return }
    event.lists[index].steps.append(step)
    // A list that is links of its own may have been given members that nobody else tells of.
    guard event.lists[index].steps.count > Self.manySteps, owner.lists.toManys[number].isLoaded,
      case .foreignKey = owner._entity.binding.toManys[number].storage
    else { return }
    keepWhole(index)
  }

  /// Keeps a list as it is before it is put together anew.
  func willReplace(_ number: Int, of owner: ManagedObject) {
    let index = index(of: number, of: owner)
    if event.lists[index].whole == nil { keepWhole(index) }
  }

  private func index(of number: Int, of owner: ManagedObject) -> Int {
    let lists = owner.lists
    if lists.toManys[number].eventIndex < 0 {
      lists.toManys[number].eventIndex = event.lists.count
      event.lists.append(UndoEvent.List(owner: owner, number: number))
    }
    return lists.toManys[number].eventIndex
  }

  private func keepWhole(_ index: Int) {
    let list = event.lists[index]
    var before = list.owner.lists.toManys[list.number]
    for step in list.steps.reversed() { before.takeBack(step) }
    event.lists[index].whole = before.entries
    event.lists[index].steps = []
  }

  // MARK: Saves

  /// What was deleted before cannot turn out to reach further.
  func didSave() { deletions = [] }

  /// Notes the key that a save gave to a new object.
  func didGive(_ key: Int64, for temporaryKey: Int64) { permanentKeys[temporaryKey] = key }

  /// Has a to-one lead to the row that its object has got since.
  func renew(_ slot: Int, of row: PackedRow) { row.renewToOne(slot, with: permanentKeys) }
}

@available(*, unavailable) extension ChangeRecorder: Sendable {}

/// Records what a context changes, for its undo manager; exists only if there is a manager.
///
/// An object's row is copied before the first change of each event. To detect that first change,
/// the end of an event removes `writable` from every changed object. Other observers of changes may
/// remove it in between: an object that is `recorded` is not copied again.
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
  /// The permanent keys that saves assigned to objects that recorded rows refer to by temporary
  /// keys.
  private var permanentKeys: [Int64: Int64] = [:]

  /// The number of steps above which a list is recorded as a whole.
  private static let manySteps = 8

  init(manager: any UndoRegistration, context: ManagedObjectContext) {
    self.manager = manager
    self.context = context
    manager.add(self)
  }

  deinit { manager.remove(self) }

  /// The identity that represents the context among the manager's targets.
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

  /// Runs a body that deletes more objects on behalf of an earlier deletion, as part of its event.
  ///
  /// Undoing that deletion restores these objects too.
  func extendDeletion(of object: ManagedObject, _ body: () -> Void) {
    endEvent()
    body()
    guard let more = takeEvent() else { return }
    deletions.lazy.compactMap(\.event).first { $0.deletes(object) }?.append(more)
  }

  /// Ends the event and discards it.
  func forgetEvent() { _ = takeEvent() }

  private func takeEvent() -> UndoEvent? {
    guard !event.isEmpty else { return nil }
    let ended = event
    event = UndoEvent()
    ended.end()
    return ended.isEmpty ? nil : ended
  }

  /// Runs a body whose changes, which come from the store, are not to be undone.
  func pause<Result>(_ body: () throws -> Result) rethrows -> Result {
    endEvent()
    pauses += 1
    defer {
      forgetEvent()
      pauses -= 1
    }
    return try body()
  }

  // MARK: Recording

  func didInsert(_ object: ManagedObject) { event.append(.inserted, of: object) }

  func didDelete(_ object: ManagedObject) { event.append(.deleted, of: object) }

  /// Records the values of an object before the first change of the event.
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

  /// Records a step that was made in a list.
  func didStep(_ step: ToManyMembers.Step, in number: Int, of owner: ManagedObject) {
    let index = index(of: number, of: owner)
    guard event.lists[index].whole == nil else { return }
    event.lists[index].steps.append(step)
    // A list stored in a join table may have received members that no inverse to-one records.
    guard event.lists[index].steps.count > Self.manySteps, owner.lists.toManys[number].isLoaded,
      case .foreignKey = owner._entity.binding.toManys[number].storage
    else { return }
    keepWhole(index)
  }

  /// Records a list as it is before it is rebuilt.
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

  /// Deletions before a save cannot be extended any more.
  func didSave() { deletions = [] }

  /// Records the key that a save assigned to a new object.
  func recordPermanentKey(_ key: Int64, for temporaryKey: Int64) {
    permanentKeys[temporaryKey] = key
  }

  /// Replaces the temporary key of a to-one's destination by its permanent one.
  func renew(_ slot: Int, of row: PackedRow) { row.renewToOne(slot, with: permanentKeys) }
}

@available(*, unavailable) extension ChangeRecorder: Sendable {}

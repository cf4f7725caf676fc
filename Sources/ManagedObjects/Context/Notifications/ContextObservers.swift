/// The observers of one context, and what the current event has for them so far.
///
/// A context has none until somebody observes it.
final class ContextObservers {
  private struct Observer {
    let observation: Unmanaged<ContextObservation>
    let notification: ContextNotification
    let body: (ObjectChanges) -> Void
  }

  private var observers: [Observer] = []
  /// What those read who listen from elsewhere.
  private var logs: [ContextNotification: ChangeLog] = [:]
  /// What happened since the last event was closed, while somebody wants to know.
  private var event = ObjectChanges()
  /// Whether somebody observes `objectsDidChange`.
  private(set) var recordsEvents = false

  func add(
    _ body: @escaping (ObjectChanges) -> Void, for notification: ContextNotification
  ) -> ContextObservation {
    let observation = ContextObservation(self)
    // An observation takes itself out before it goes.
    observers.append(
      Observer(
        observation: .passUnretained(observation), notification: notification, body: body))
    recordsEvents = recordsEvents || notification == .objectsDidChange
    return observation
  }

  func remove(_ observation: ContextObservation) {
    let wanted = Unmanaged.passUnretained(observation).toOpaque()
    observers.removeAll { $0.observation.toOpaque() == wanted }
    recordsEvents = hears(.objectsDidChange)
    if !recordsEvents { _ = takeEvent() }
  }

  deinit { for log in logs.values { log.close() } }

  /// The log of what observers hear, for those who listen from elsewhere.
  func changeLog(of notification: ContextNotification) -> ChangeLog {
    let log = logs[notification] ?? ChangeLog()
    logs[notification] = log
    recordsEvents = recordsEvents || notification == .objectsDidChange
    return log
  }

  func hears(_ notification: ContextNotification) -> Bool {
    observers.contains { $0.notification == notification } || logs[notification]?.hasReaders == true
  }

  func notify(_ notification: ContextNotification, _ changes: @autoclosure () -> ObjectChanges) {
    guard hears(notification) else { return }
    let changes = changes()
    logs[notification]?.append(changes.objectIDs, from: nil)
    // A copy: an observer may add others, or take itself out.
    for observer in observers where observer.notification == notification {
      observer.body(changes)
    }
  }

  // MARK: The event

  func noteInsert(_ object: ManagedObject) {
    guard recordsEvents, !object._state.contains(.noted) else { return }
    object._state.insert(.noted)
    event.inserted.append(object)
  }

  func noteUpdate(_ object: ManagedObject) {
    guard recordsEvents, !object._state.contains(.noted) else { return }
    object._state.insert(.noted)
    event.updated.append(object)
  }

  func noteDelete(_ object: ManagedObject) {
    guard recordsEvents else { return }
    event.deleted.append(object)
  }

  func noteRefresh(_ object: ManagedObject) {
    guard recordsEvents, !object._state.contains(.noted) else { return }
    object._state.insert(.noted)
    event.refreshed.append(object)
  }

  /// Takes what happened and begins anew.
  ///
  /// From then on a change of a changed object is noticed again: it is not `writable` any more.
  func takeEvent() -> ObjectChanges {
    var changes = event
    event = ObjectChanges()
    for object in changes.inserted + changes.updated + changes.refreshed {
      object._state.subtract([.noted, .writable])
    }
    let inserted = Set(changes.inserted)
    changes.inserted.removeAll { !$0._state.isDisjoint(with: [.deleted, .gone]) }
    changes.updated.removeAll { !$0._state.isDisjoint(with: [.deleted, .gone]) }
    changes.refreshed.removeAll { !$0._state.isDisjoint(with: [.deleted, .gone]) }
    // What was made and deleted within one event was never there.
    changes.deleted.removeAll { inserted.contains($0) }
    return changes
  }
}

@available(*, unavailable) extension ContextObservers: Sendable {}

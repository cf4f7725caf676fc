/// The observers of one context, and the changes of the current event so far.
///
/// A context has none until it is observed. An object's change is determined by whether it existed
/// when the event first touched it and whether it exists at the end: so it does not matter in how
/// many steps an object was inserted, deleted or restored.
final class ContextObservers {
  private struct Observer {
    /// The observation it belongs to, which removes it before it is deallocated.
    let observation: ObjectIdentifier
    let notification: ContextNotification
    /// Whether it is notified of short-lived objects and of new IDs too.
    ///
    /// Short-lived objects are those that were inserted and deleted within an event.
    let hearsAll: Bool
    let body: (ObjectChanges) -> Void
  }

  /// The changes since the last event ended; each object is in one list, once.
  private struct Event {
    /// Objects that did not exist when they were first touched: new ones, and deleted ones.
    var absent: [ManagedObject] = []
    /// Objects that existed.
    var present: [ManagedObject] = []
    /// Objects that existed, and were first touched by a refresh.
    var refreshed: [ManagedObject] = []
    /// Whether objects have received new IDs.
    var hasNewIDs = false

    var isEmpty: Bool { absent.isEmpty && present.isEmpty && refreshed.isEmpty && !hasNewIDs }
  }

  private var observers: [Observer] = []
  /// The logs that observers in other isolations read.
  private var logs: [ContextNotification: ChangeLog] = [:]
  private var event = Event()
  /// Whether `objectsDidChange` is observed.
  private(set) var recordsEvents = false
  /// Called when an event has its first change, before the change is made.
  var eventBegins: (() -> Void)?

  func add(
    _ body: @escaping (ObjectChanges) -> Void, for notification: ContextNotification,
    hearsAll: Bool = false
  ) -> ContextObservation {
    let observation = ContextObservation(self)
    observers.append(
      Observer(
        observation: ObjectIdentifier(observation), notification: notification, hearsAll: hearsAll,
        body: body))
    return observation
  }

  func remove(_ observation: ContextObservation) {
    observers.removeAll { $0.observation == ObjectIdentifier(observation) }
    guard recordsEvents, !hasObservers(.objectsDidChange) else { return }
    forgetEvent()
    recordsEvents = false
  }

  deinit { for log in logs.values { log.close() } }

  /// The log of a notification, for observers in other isolations.
  func changeLog(of notification: ContextNotification) -> ChangeLog {
    let log = logs[notification] ?? ChangeLog()
    logs[notification] = log
    return log
  }

  /// Starts recording events for the first observer of them.
  ///
  /// - Parameter touched: the objects that the current event has touched so far.
  func recordEvents(_ touched: @autoclosure () -> [(object: ManagedObject, existedBefore: Bool)]) {
    guard !recordsEvents else { return }
    recordsEvents = true
    for (object, existedBefore) in touched() { note(object, existedBefore: existedBefore) }
  }

  func hasObservers(_ notification: ContextNotification) -> Bool {
    observers.contains { $0.notification == notification } || logs[notification]?.hasReaders == true
  }

  func notify(_ notification: ContextNotification, _ changes: @autoclosure () -> ObjectChanges) {
    guard hasObservers(notification) else { return }
    let changes = changes()
    let isForAll = notification != .objectsDidChange || !changes.isEmpty
    if isForAll { logs[notification]?.append(changes.objectIDs, from: nil) }
    // A copy: an observer may add others, or remove some, which are not called any more then.
    for observer in observers where observer.notification == notification {
      guard isForAll || observer.hearsAll,
        observers.contains(where: { $0.observation == observer.observation })
      else { continue }
      observer.body(changes)
    }
  }

  // MARK: The event

  /// Records an object that is about to be changed, deleted or restored.
  func note(_ object: ManagedObject) { note(object, existedBefore: object.exists) }

  /// Records a new object.
  func recordInsertion(_ object: ManagedObject) { note(object, existedBefore: false) }

  /// Records an object that was refreshed.
  func noteRefresh(_ object: ManagedObject) { noteRefresh(object, existedBefore: object.exists) }

  /// Records an object that was refreshed, and that may have been deleted before.
  func noteRefresh(_ object: ManagedObject, existedBefore: Bool) {
    guard existedBefore, recordsEvents, !object._state.contains(.noted) else {
      return note(object, existedBefore: existedBefore)
    }
    noteFirst(object)
    event.refreshed.append(object)
  }

  private func note(_ object: ManagedObject, existedBefore: Bool) {
    guard recordsEvents, !object._state.contains(.noted) else { return }
    noteFirst(object)
    if existedBefore { event.present.append(object) } else { event.absent.append(object) }
  }

  private func noteFirst(_ object: ManagedObject) {
    object._state.insert(.noted)
    // New IDs, which a parent's save assigns, are no change.
    if event.absent.isEmpty && event.present.isEmpty && event.refreshed.isEmpty { eventBegins?() }
  }

  /// Records that objects have received their permanent IDs.
  func noteNewIDs() { event.hasNewIDs = recordsEvents }

  /// Whether anything was recorded.
  var hasEvent: Bool { !event.isEmpty }

  /// Returns the recorded changes and starts a new event.
  ///
  /// From then on a change of a changed object is detected again: it is no longer `writable`.
  func takeEvent() -> ObjectChanges {
    let ended = event
    forgetEvent()
    var changes = ObjectChanges()
    for object in ended.absent {
      if object.exists {
        changes.inserted.append(object)
      } else {
        changes.insertedAndDeleted.append(object)
      }
    }
    for object in ended.present {
      if object.exists { changes.updated.append(object) } else { changes.deleted.append(object) }
    }
    for object in ended.refreshed {
      if object.exists { changes.refreshed.append(object) } else { changes.deleted.append(object) }
    }
    return changes
  }

  /// Starts a new event, and discards the recorded changes.
  func forgetEvent() {
    for object in event.absent + event.present + event.refreshed {
      object._state.subtract([.noted, .writable])
    }
    event = Event()
  }
}

@available(*, unavailable) extension ContextObservers: Sendable {}

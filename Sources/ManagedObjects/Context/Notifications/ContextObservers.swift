/// The observers of one context, and what the current event has for them so far.
///
/// A context has none until somebody observes it. An event is told by what was there when it
/// touched an object first and what is there at its end: so it does not matter in how many steps an
/// object came, went or came back.
final class ContextObservers {
  private struct Observer {
    /// Which observation it belongs to, which takes it out before it goes.
    let observation: ObjectIdentifier
    let notification: ContextNotification
    /// Whether it hears of what others need not know: of objects that came and went within an
    /// event, and of new IDs.
    let hearsAll: Bool
    let body: (ObjectChanges) -> Void
  }

  /// What happened since the last event was closed; each object stands in one list, once.
  private struct Event {
    /// Objects that were not there when they were first touched: new ones, and deleted ones.
    var absent: [ManagedObject] = []
    /// Objects that were there.
    var present: [ManagedObject] = []
    /// Objects that were there, and were first touched by having their values read anew.
    var refreshed: [ManagedObject] = []
    /// Whether objects have got other IDs.
    var hasNewIDs = false

    var isEmpty: Bool { absent.isEmpty && present.isEmpty && refreshed.isEmpty && !hasNewIDs }
  }

  private var observers: [Observer] = []
  /// What those read who listen from elsewhere.
  private var logs: [ContextNotification: ChangeLog] = [:]
  private var event = Event()
  /// Whether somebody observes `objectsDidChange`.
  private(set) var recordsEvents = false
  /// What hears that an event has its first change, before the change is made.
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
    guard recordsEvents, !hears(.objectsDidChange) else { return }
    forgetEvent()
    recordsEvents = false
  }

  deinit { for log in logs.values { log.close() } }

  /// The log of what observers hear, for those who listen from elsewhere.
  func changeLog(of notification: ContextNotification) -> ChangeLog {
    let log = logs[notification] ?? ChangeLog()
    logs[notification] = log
    return log
  }

  /// Begins to note events, where somebody wants to hear of them and nobody did before.
  ///
  /// - Parameter touched: What the current event has touched so far.
  func recordEvents(_ touched: @autoclosure () -> [(object: ManagedObject, wasThere: Bool)]) {
    guard !recordsEvents else { return }
    recordsEvents = true
    for (object, wasThere) in touched() { note(object, wasThere: wasThere) }
  }

  func hears(_ notification: ContextNotification) -> Bool {
    observers.contains { $0.notification == notification } || logs[notification]?.hasReaders == true
  }

  func notify(_ notification: ContextNotification, _ changes: @autoclosure () -> ObjectChanges) {
    guard hears(notification) else { return }
    let changes = changes()
    let isForAll = notification != .objectsDidChange || !changes.isEmpty
    if isForAll { logs[notification]?.append(changes.objectIDs, from: nil) }
    // A copy: an observer may add others, or take some out, which hear no more then.
    for observer in observers where observer.notification == notification {
      guard isForAll || observer.hearsAll,
        observers.contains(where: { $0.observation == observer.observation })
      else { continue }
      observer.body(changes)
    }
  }

  // MARK: The event

  /// Notes an object that is about to be changed, to go, or to come back.
  func note(_ object: ManagedObject) { note(object, wasThere: object.isThere) }

  /// Notes an object that is new here.
  func noteArrival(_ object: ManagedObject) { note(object, wasThere: false) }

  /// Notes an object whose values were read anew.
  func noteRefresh(_ object: ManagedObject) { noteRefresh(object, wasThere: object.isThere) }

  /// Notes an object whose values were read anew, and that may have been deleted before.
  func noteRefresh(_ object: ManagedObject, wasThere: Bool) {
    guard wasThere, recordsEvents, !object._state.contains(.noted) else {
      return note(object, wasThere: wasThere)
    }
    noteFirst(object)
    event.refreshed.append(object)
  }

  private func note(_ object: ManagedObject, wasThere: Bool) {
    guard recordsEvents, !object._state.contains(.noted) else { return }
    noteFirst(object)
    if wasThere { event.present.append(object) } else { event.absent.append(object) }
  }

  private func noteFirst(_ object: ManagedObject) {
    object._state.insert(.noted)
    // New IDs, which a parent's save gives, are no change.
    if event.absent.isEmpty && event.present.isEmpty && event.refreshed.isEmpty { eventBegins?() }
  }

  /// Notes that objects have got their permanent IDs.
  func noteNewIDs() { event.hasNewIDs = recordsEvents }

  /// Whether anything was noted.
  var hasEvent: Bool { !event.isEmpty }

  /// Takes what happened and begins anew.
  ///
  /// From then on a change of a changed object is noticed again: it is not `writable` any more.
  func takeEvent() -> ObjectChanges {
    let ended = event
    forgetEvent()
    var changes = ObjectChanges()
    for object in ended.absent {
      if object.isThere { changes.inserted.append(object) } else { changes.passing.append(object) }
    }
    for object in ended.present {
      if object.isThere { changes.updated.append(object) } else { changes.deleted.append(object) }
    }
    for object in ended.refreshed {
      if object.isThere { changes.refreshed.append(object) } else { changes.deleted.append(object) }
    }
    return changes
  }

  /// Begins anew, without telling what happened.
  func forgetEvent() {
    for object in event.absent + event.present + event.refreshed {
      object._state.subtract([.noted, .writable])
    }
    event = Event()
  }
}

@available(*, unavailable) extension ContextObservers: Sendable {}

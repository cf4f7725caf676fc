/// The registration of an observer closure, which is called as long as this object is kept.
///
///     let observation = context.observe(.didSave) { print($0.inserted.count) }
///     defer { observation.cancel() }
public final class ContextObservation {
  private weak var observers: ContextObservers?

  init(_ observers: ContextObservers) { self.observers = observers }

  deinit { cancel() }

  /// Removes the closure, which is not called any more.
  public func cancel() { observers?.remove(self) }
}

@available(*, unavailable) extension ContextObservation: Sendable {}

extension ManagedObjectContext {
  /// Registers a closure that is called for a notification, in this context's isolation.
  ///
  ///     let observation = context.observe(.objectsDidChange) { changes in
  ///       list.reload(changes.updated + changes.refreshed)
  ///     }
  ///
  /// The closure is called as long as the observation is kept and not cancelled. An observer that
  /// is added during an event is notified of the whole event when it ends. The closure may itself
  /// change objects and save. A context without observers pays only a comparison with nil.
  public func observe(
    _ notification: ContextNotification, _ observer: @escaping (ObjectChanges) -> Void
  ) -> ContextObservation {
    observe(notification, hearsAll: false, observer)
  }

  /// Registers a closure that is also called for events with only short-lived objects or new IDs.
  ///
  /// Short-lived objects are those that were inserted and deleted within the event.
  func observe(
    _ notification: ContextNotification, hearsAll: Bool,
    _ observer: @escaping (ObjectChanges) -> Void
  ) -> ContextObservation {
    let observation = madeObservers.add(observer, for: notification, hearsAll: hearsAll)
    recordEvents(for: notification)
    return observation
  }

  /// The observers, created if there were none.
  var madeObservers: ContextObservers {
    let made = observers ?? ContextObservers()
    observers = made
    return made
  }

  /// Starts recording events if a notification is about them, including the current one as a whole.
  func recordEvents(for notification: ContextNotification) {
    if notification == .objectsDidChange { observers?.recordEvents(touchedInEvent) }
  }
}

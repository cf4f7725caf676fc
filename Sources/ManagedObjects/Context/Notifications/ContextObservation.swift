/// What a context tells its observers of.
///
///     let observation = context.observe(.willSave) { print($0.updated.count, "to be saved") }
///
/// Named after Core Data's `NSManagedObjectContextWillSave`, `…DidSave` and `…ObjectsDidChange`.
public enum ContextNotification: Sendable, Hashable {
  /// Before a save, with what is to be saved; what an observer changes is saved too.
  case willSave
  /// After a save, once the store has committed it.
  case didSave
  /// When an event ends: at `processPendingChanges()`, at a save, after a refresh, merge or
  /// rollback.
  case objectsDidChange
}

/// A closure's place among the observers of a context; it hears as long as this object is kept.
///
///     let observation = context.observe(.didSave) { print($0.inserted.count) }
///     defer { observation.cancel() }
public final class ContextObservation {
  private weak var observers: ContextObservers?

  init(_ observers: ContextObservers) { self.observers = observers }

  deinit { cancel() }

  /// Lets the closure go; it hears no more.
  public func cancel() { observers?.remove(self) }
}

@available(*, unavailable) extension ContextObservation: Sendable {}

extension ManagedObjectContext {
  /// Calls a closure whenever something happens, in this context's isolation.
  ///
  ///     let observation = context.observe(.objectsDidChange) { changes in
  ///       list.reload(changes.updated + changes.refreshed)
  ///     }
  ///
  /// The closure hears as long as the observation is kept and not cancelled. Who begins to observe
  /// within an event hears of the whole event when it ends. The closure may change objects and save
  /// in turn. A context without observers pays a comparison with nil for them.
  public func observe(
    _ notification: ContextNotification, _ observer: @escaping (ObjectChanges) -> Void
  ) -> ContextObservation {
    observe(notification, hearsAll: false, observer)
  }

  /// Calls a closure also where only objects have come and gone within an event, or got new IDs.
  func observe(
    _ notification: ContextNotification, hearsAll: Bool,
    _ observer: @escaping (ObjectChanges) -> Void
  ) -> ContextObservation {
    let observation = madeObservers.add(observer, for: notification, hearsAll: hearsAll)
    recordEvents(for: notification)
    return observation
  }

  /// The observers, made where there were none.
  var madeObservers: ContextObservers {
    let made = observers ?? ContextObservers()
    observers = made
    return made
  }

  /// Has events be noted from now on where a notification is about them, the current one as a
  /// whole.
  func recordEvents(for notification: ContextNotification) {
    if notification == .objectsDidChange { observers?.recordEvents(touchedInEvent) }
  }
}

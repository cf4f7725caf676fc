/// The notifications that a context sends to its observers.
///
///     let observation = context.observe(.willSave) { print($0.updated.count, "to be saved") }
///
/// Named after Core Data's `NSManagedObjectContextWillSave`, `…DidSave` and `…ObjectsDidChange`.
public enum ContextNotification: Sendable, Hashable {
  /// Sent before a save, with the objects to save; changes made by an observer are saved too.
  case willSave
  /// Sent after a save, once the store has committed it.
  case didSave
  /// Sent when an event ends.
  ///
  /// An event ends at `processPendingChanges()`, at a save, after a refresh, merge or rollback.
  case objectsDidChange
}

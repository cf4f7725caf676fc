/// The reason why a command could not be undone or redone; nothing was changed.
public enum StoreUndoError: Error, Sendable, Hashable {
  /// A row was changed since, or a link or the metadata, which have no object.
  case changedSince(ManagedObjectID?)
  /// A row was deleted since.
  case deletedSince(ManagedObjectID)
  /// Another process did, undid or redid a command in the meantime.
  case superseded
  /// The command was done in a store with another model.
  case otherModel
  /// The log's entry for the command is damaged.
  case unreadable
}

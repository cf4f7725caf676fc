/// How a store is to be opened.
///
///     var options = PersistentStoreOptions()
///     options.isReadOnly = true
public struct PersistentStoreOptions: Sendable, Hashable {
  /// Whether the store is only read; then nothing in its file changes.
  ///
  /// False unless set.
  public var isReadOnly = false
  /// Whether a file is made where there is none, and an empty one filled.
  ///
  /// True unless set.
  public var createsFile = true
  /// How many seconds to wait while another process writes.
  ///
  /// 20 unless set.
  public var busyTimeout = 20.0
  /// How many of the last commands the store's undo log keeps, at least; see `StoreUndoLog`.
  ///
  /// 0 unless set: then none is kept, and one that is there stays as it is. For SQLite stores; of
  /// one that is only read it can be looked at. It lies in tables of its own, which Core Data leaves alone.
  public var undoLogLimit = 0
  /// Whether a store is opened that was made with another model, as its version hashes say.
  ///
  /// False unless set. It must have every table and column of this model all the same; else it is
  /// refused as before. The hashes stay as they are, so the app's own model still fits. Follows Core
  /// Data's `NSIgnorePersistentStoreVersioningOption`.
  public var ignoresModelVersioning = false
  /// Obstacles to writing that are to be ignored; see `PersistentStoreError.WriteObstacle`.
  ///
  /// Changes that Apple's framework should see, and now does not, are the caller's to answer for.
  public var ignoredObstacles: Set<PersistentStoreError.WriteObstacle> = []

  /// Creates the options as they are unless set.
  public init() {}
}

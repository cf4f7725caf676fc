public import DataModel
public import SystemLibraries

/// The options for opening a store.
///
///     var options = PersistentStoreOptions()
///     options.isReadOnly = true
public struct PersistentStoreOptions: Sendable, Hashable {
  /// Whether the store is opened read-only; then its file, its journal mode and the files next to
  /// it stay unchanged.
  ///
  /// False by default. A process that may not write to the file or its folder reads a copy in
  /// `$TMPDIR` unless another program has it open in WAL mode; see `isImmutable`.
  public var isReadOnly = false
  /// Whether nothing writes to the file while a read-only store has it open.
  ///
  /// False by default. For files shipped with a program: such a file is read in place and without
  /// locks even if neither it nor its folder is writable; otherwise a copy of it would be read. If
  /// the file is written nevertheless, reads may return anything.
  public var isImmutable = false
  /// Whether a missing file is created, and an empty one initialised.
  ///
  /// True by default.
  public var createsFile = true
  /// How many seconds to wait while another process writes.
  ///
  /// 20 by default; less than 0 counts as 0, and more than 2,147,483 (24 days) as that, which is
  /// what SQLite and PostgreSQL can wait.
  public var busyTimeout = 20.0 {
    didSet { busyTimeout = busyTimeout > 0 ? min(busyTimeout, 2_147_483) : 0 }
  }
  /// How many connections may read a SQLite store concurrently, in addition to the writing one.
  ///
  /// 5 by default, and at least 1. They are opened on the first concurrent access of contexts: a
  /// program with one context has none. Each takes one or two file descriptors and up to 2 MiB of
  /// memory; more of them than there are cores help only if the disk is the bottleneck. The
  /// connection of a cursor is separate and does not count. A store without a write-ahead log, or
  /// in memory, is read by one context at a time.
  public var maximumReaderCount = 5
  /// The minimum number of recent commands that the store's undo log keeps; see `StoreUndoLog`.
  ///
  /// 0 by default: then no log is kept, and an existing one stays as it is. For SQLite stores and
  /// those on a server; that of a read-only store can be inspected. It has tables of its own, which
  /// Core Data ignores.
  public var undoLogLimit = 0
  /// Whether the program exits soon.
  ///
  /// Then the end of a read transaction is sent to a server only with the next statement or at
  /// exit, so that nothing waits for the reply; and SQLite skips bookkeeping that pays only in
  /// long-running programs.
  package var isShortLived = false
  /// Whether a store may be opened although its version hashes name another model.
  ///
  /// False by default. The store must still have every table and column of this model; otherwise it
  /// is refused as usual. The hashes stay unchanged, so the app's own model still fits. Follows
  /// Core Data's `NSIgnorePersistentStoreVersioningOption`.
  public var ignoresModelVersioning = false
  /// Whether a store of another model version is migrated to this one when it is opened.
  ///
  /// False by default; true in a container's options (``migrating``). A read-only store is never
  /// migrated. Migration is done in place, as described at
  /// `PersistentStoreCoordinator.migrateStore(at:to:configurationName:from:options:progress:)`;
  /// documents and an ``AtomicStore``'s data are replaced atomically. An ``IncrementalStore``
  /// cannot be migrated: adding one throws `PersistentStoreError.unsupportedOperation`. Follows
  /// Core Data's `NSMigratePersistentStoresAutomaticallyOption`.
  public var migratesAutomatically = false
  /// Whether the mapping between two model versions is inferred.
  ///
  /// False by default; true in a container's options. Otherwise a store of another version is
  /// migrated only by one of ``mappingModels``. Follows Core Data's
  /// `NSInferMappingModelAutomaticallyOption`.
  public var infersMapping = false
  /// The model versions that a store to migrate may have been created with, recognised by its
  /// version hashes; oldest first.
  ///
  /// A store is migrated through them in this order if ``mappingModels`` lead from one to the next.
  /// Empty by default. Needed for stores without an embedded model: those from before iOS 9, and
  /// those made by versions of this library that did not embed it.
  public var sourceModels: [ManagedObjectModel] {
    get { versions.models }
    set { versions.models = newValue }
  }
  /// The mapping models for stores of other versions: the first one whose entities and hashes match
  /// the store's model and this one is used.
  ///
  /// Empty by default: then the mapping is inferred if ``infersMapping`` is set. A mapping model is
  /// needed only for changes that cannot be inferred: a ``MigrationManager`` then migrates object
  /// by object.
  public var mappingModels: [MappingModel] {
    get { versions.mappings }
    set { versions.mappings = newValue }
  }
  /// The entity migration policies that these mapping models refer to, by the names they use.
  public var entityMigrationPolicies: [String: EntityMigrationPolicy.Type] {
    get { versions.policies }
    set { versions.policies = newValue }
  }
  /// The manager of a staged migration; nil to migrate in a single stage.
  ///
  /// nil by default; if set, no other migration is tried. Follows Core Data's
  /// `NSPersistentStoreStagedMigrationManagerOptionKey`.
  public var stagedMigrationManager: StagedMigrationManager? {
    get { versions.stages }
    set { versions.stages = newValue }
  }
  /// Whether removing columns that the new model version lacks is deferred.
  ///
  /// False by default. With an inferred mapping, a table that loses columns must be rewritten,
  /// which takes time in proportion to its rows. If this is set, that is left to
  /// ``PersistentStoreCoordinator/finishDeferredMigration()``, which a program calls when it has
  /// time. Follows Core Data's `NSPersistentStoreDeferredLightweightMigrationOptionKey`.
  public var defersMigration = false
  /// The URL of the backup that is written before a store is migrated; nil for none.
  ///
  /// nil by default. There must be no file yet; if the migration fails, the backup is removed. If
  /// large values are in external files, the backup needs another base name than the store's, not
  /// just another extension, unless it is in another folder.
  public var migrationBackupURL: URL?
  /// Whether keys are unique across all entities, as needed for a store of another type that is
  /// converted by way of a SQLite store.
  var keysAreOfAllEntities = false
  /// Whether the tombstones of a history store values as bytes, as on a server.
  var tombstonesAreBytes = false
  /// Pragmas for the connections of a SQLite store, by name: `["synchronous": "NORMAL"]`.
  ///
  /// Empty by default. `journal_mode` is `WAL`, `DELETE` or `TRUNCATE`, and does not change while
  /// another connection has the store open; without a write-ahead log, a save blocks readers.
  /// `synchronous` is `EXTRA` by default; with `NORMAL` a power failure may lose the last saves,
  /// but nothing more. `page_size` applies to a new file, or to one that ``vacuumsStore`` rewrites.
  /// `cache_size`, `mmap_size`, `cache_spill`, `secure_delete`, `threads`, `journal_size_limit` and
  /// `fullfsync` are as in SQLite. Any other pragma, and any value that would break a guarantee of
  /// the store, is refused with `PersistentStoreError.refusedPragma`, which gives the reason.
  /// Follows Core Data's `NSSQLitePragmasOption`.
  public var sqlitePragmas: [String: String] = [:]
  /// Whether statistics about a SQLite store's indexes are gathered when it is opened (`ANALYZE`),
  /// so that the query planner chooses the best ones.
  ///
  /// False by default. Reads all indexes. Follows Core Data's `NSSQLiteAnalyzeOption`.
  public var analyzesStore = false
  /// Whether a SQLite store's file is rewritten when it is opened (`VACUUM`), to make it as small
  /// as possible.
  ///
  /// False by default. Needs as much free space as the file takes, and that no other connection
  /// writes: otherwise opening throws `PersistentStoreError.busy` or `full`, and nothing has
  /// changed. Follows Core Data's `NSSQLiteManualVacuumOption`.
  public var vacuumsStore = false
  /// Whether a store is destroyed or replaced even if its file is damaged, belongs to another
  /// program, or is open elsewhere.
  ///
  /// False by default. Other processes that have it open lose what they save afterwards: their
  /// saves throw `PersistentStoreError.moved`. Follows Core Data's
  /// `NSPersistentStoreForceDestroyOption`.
  public var forcesDestroy = false
  /// The output for the SQL that a store runs; nil for what the process's arguments ask for.
  ///
  /// nil by default; see ``DebugOutput`` for the arguments. Level 1 prints statements, times and
  /// row counts, level 2 also bound values, level 3 also rows, and level 4 also query plans.
  public var sqlDebug: DebugOutput?
  /// The output for the steps of a migration; nil for what the process's arguments ask for.
  ///
  /// nil by default. Level 1 prints the steps and their times, level 2 also what happens to each
  /// entity.
  public var migrationDebug: DebugOutput?
  /// Whether opening a writable store leaves its journal mode and triggers unchanged: for one that
  /// is being migrated.
  var keepsFileAsItIs = false
  private var versions = Versions()
  /// Whether the store records a persistent history of its transactions.
  ///
  ///     var options = PersistentStoreOptions()
  ///     options.tracksPersistentHistory = true
  ///
  /// False by default. The history's tables are created if they are missing; from then on every
  /// save and every batch request records its changes and its author (`transactionAuthor`). A store
  /// that has such tables and is opened without this option is read-only, as in Core Data (except
  /// for one that is mirrored to CloudKit, see ``ignoredObstacles``): consumers of the history
  /// would miss changes that are not in it. So all programs that write to a store should set it
  /// alike; a program that has the store open while the tables are created continues without
  /// history. See ``PersistentHistoryChangeRequest``. For SQLite stores and stores on servers.
  /// Follows Core Data's `NSPersistentHistoryTrackingKey`.
  public var tracksPersistentHistory = false
  /// Write obstacles to ignore; see `PersistentStoreError.WriteObstacle`.
  ///
  /// The caller is then responsible for changes that Apple's framework fails to notice. If
  /// `.cloudKit` is included and `.persistentHistory` is not, a store mirrored to CloudKit keeps
  /// recording its history, from which CloudKit picks up changes.
  public var ignoredObstacles: Set<PersistentStoreError.WriteObstacle> = []

  /// Whether saves are recorded in the store's history, given whether it is mirrored to CloudKit.
  func keepsHistory(isMirrored: Bool) -> Bool {
    tracksPersistentHistory || isMirrored && !ignoredObstacles.contains(.persistentHistory)
  }

  /// The obstacles that do not prevent writing.
  func acceptedObstacles(isMirrored: Bool) -> Set<PersistentStoreError.WriteObstacle> {
    keepsHistory(isMirrored: isMirrored)
      ? ignoredObstacles.union([.persistentHistory]) : ignoredObstacles
  }

  /// Creates the default options.
  public init() {}

  /// The options that migrate a store of another version: the default of a container.
  ///
  ///     var options = PersistentStoreOptions.migrating
  ///     let versions = ManagedObjectModel.dogWalkVersions.sorted { $0.key < $1.key }
  ///     options.sourceModels = versions.map(\.value)
  public static let migrating: PersistentStoreOptions = {
    var options = PersistentStoreOptions()
    options.migratesAutomatically = true
    options.infersMapping = true
    return options
  }()

  /// Models, compared by their version hashes, and the mappings between them.
  private struct Versions: Sendable, Hashable {
    var models: [ManagedObjectModel] = []
    var mappings: [MappingModel] = []
    var policies: [String: EntityMigrationPolicy.Type] = [:]
    var stages: StagedMigrationManager?

    static func == (one: Versions, other: Versions) -> Bool {
      one.models.map(\.entityVersionHashesByName) == other.models.map(\.entityVersionHashesByName)
        && one.mappings == other.mappings && one.stages === other.stages
        && one.policies.mapValues(ObjectIdentifier.init)
          == other.policies.mapValues(ObjectIdentifier.init)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(models.map(\.entityVersionHashesByName))
      hasher.combine(mappings)
    }
  }
}

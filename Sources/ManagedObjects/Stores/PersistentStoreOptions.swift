public import DataModel
public import SystemLibraries

/// How a store is to be opened.
///
///     var options = PersistentStoreOptions()
///     options.isReadOnly = true
public struct PersistentStoreOptions: Sendable, Hashable {
  /// Whether the store is only read; then its file, its journal mode and what lies beside it stay
  /// as they are.
  ///
  /// False unless set. Whoever may not write to the file or its folder reads a copy of it, in
  /// `$TMPDIR`, while no program has it open with a log; see `isImmutable`.
  public var isReadOnly = false
  /// Whether nobody writes to the file as long as a store that is only read is open.
  ///
  /// False unless set. For what is shipped with a program: the file is read in place and without
  /// locks then, also where neither it nor its folder may be written to, where a copy of it is read
  /// else. With somebody writing after all, anything may be read.
  public var isImmutable = false
  /// Whether a file is made where there is none, and an empty one filled.
  ///
  /// True unless set.
  public var createsFile = true
  /// How many seconds to wait while another process writes.
  ///
  /// 20 unless set.
  public var busyTimeout = 20.0
  /// How many connections may read a SQLite store at the same time, beside the one that writes.
  ///
  /// 5 unless set, and at least 1. They are made when contexts first meet: a program with one
  /// context has none. Each takes a file descriptor or two and up to 2 MiB of memory; more than
  /// there are cores are of use only where the disk is what is waited for. One that a cursor has is
  /// its own, and not counted. A store without a write-ahead log, and one in memory, is read by one
  /// after the other.
  public var maximumReaderCount = 5
  /// How many of the last commands the store's undo log keeps, at least; see `StoreUndoLog`.
  ///
  /// 0 unless set: then none is kept, and one that is there stays as it is. For SQLite stores
  /// and those on a server; of one that is only read it can be looked at. It lies in tables of its
  /// own, which Core Data leaves alone.
  public var undoLogLimit = 0
  /// Whether the program ends soon.
  ///
  /// Then a server hears that something has been read only with the next statement, or as the
  /// program ends, which no one waits for; and SQLite is told to do without what pays only later.
  package var isForOneCommand = false
  /// Whether a store is opened that was made with another model, as its version hashes say.
  ///
  /// False unless set. It must have every table and column of this model all the same; else it is
  /// refused as before. The hashes stay as they are, so the app's own model still fits. Follows
  /// Core Data's `NSIgnorePersistentStoreVersioningOption`.
  public var ignoresModelVersioning = false
  /// Whether a store of another version of the model is migrated to this one when it is opened.
  ///
  /// False unless set; true of a container's options (``migrating``). One that is only read never
  /// is. It is done in place, as
  /// `PersistentStoreCoordinator.migrateStore(at:to:configurationName:from:options:progress:)`
  /// says; documents, and what an ``AtomicStore`` keeps, are replaced in one step. An
  /// ``IncrementalStore`` cannot be migrated: adding one throws
  /// `PersistentStoreError.unsupportedOperation`. Follows Core Data's
  /// `NSMigratePersistentStoresAutomaticallyOption`.
  public var migratesAutomatically = false
  /// Whether the mapping from one version of the model to the other is inferred.
  ///
  /// False unless set; true of a container's options. Without it a store of another version is
  /// migrated only by one of ``mappingModels``. Follows Core Data's
  /// `NSInferMappingModelAutomaticallyOption`.
  public var infersMapping = false
  /// The versions that a store to be migrated may have been made with, as its version hashes tell:
  /// the oldest first.
  ///
  /// A store goes over them in this order, where ``mappingModels`` lead from one to the next. None
  /// unless set. Needed for stores that hold no model themselves: those from before iOS 9, and
  /// those that versions of this library made which left it out.
  public var sourceModels: [ManagedObjectModel] {
    get { versions.models }
    set { versions.models = newValue }
  }
  /// Mappings by which a store of another version may be migrated: the first that leads from its
  /// model to this one, as their entities and hashes say.
  ///
  /// None unless set: then a mapping is inferred, where ``infersMapping`` says so. Only one that an
  /// inferred mapping cannot say is worth writing: a ``MigrationManager`` carries it out, object by
  /// object.
  public var mappingModels: [MappingModel] {
    get { versions.mappings }
    set { versions.mappings = newValue }
  }
  /// The policies that these mappings may name, by the names they have for them.
  public var entityMigrationPolicies: [String: EntityMigrationPolicy.Type] {
    get { versions.policies }
    set { versions.policies = newValue }
  }
  /// What migrates a store of another version in stages; nil for what migrates it in one.
  ///
  /// nil unless set; otherwise nothing else is tried. Follows Core Data's
  /// `NSPersistentStoreStagedMigrationManagerOptionKey`.
  public var stagedMigrationManager: StagedMigrationManager? {
    get { versions.stages }
    set { versions.stages = newValue }
  }
  /// Whether columns that the new version does not have may stay in their tables for now.
  ///
  /// False unless set. By an inferred mapping a table that loses columns is written anew, which
  /// takes time with its rows. So it is left until
  /// ``PersistentStoreCoordinator/finishDeferredMigration()``, which a program calls when it has
  /// time. Follows Core Data's `NSPersistentStoreDeferredLightweightMigrationOptionKey`.
  public var defersMigration = false
  /// Where a copy of a store is put before it is migrated; nil for none.
  ///
  /// nil unless set. A place where there is no file yet; where the migration fails, there is none
  /// afterwards either. With large values in files the name has to be another one than the store's,
  /// not just the extension, unless it is in another folder.
  public var migrationBackupURL: URL?
  /// Whether no two objects have one key, whatever their entities, as it is in a store of another
  /// kind that goes by way of a SQLite store.
  var keysAreOfAllEntities = false
  /// Whether a history's tombstones keep values as bytes, as on a server.
  var tombstonesAreBytes = false
  /// Pragmas of a SQLite store's connections, by their names: `["synchronous": "NORMAL"]`.
  ///
  /// None unless set. `journal_mode` is `WAL`, `DELETE` or `TRUNCATE`, and stays as it is as long
  /// as others have the store open; without a log (`WAL`) nobody reads while somebody saves.
  /// `synchronous` is `EXTRA` unless set; with `NORMAL` a power failure may take what was saved
  /// last, and never more. `page_size` is that of a file that is made, or written anew by
  /// ``vacuumsStore``. `cache_size`, `mmap_size`, `cache_spill`, `secure_delete`, `threads`,
  /// `journal_size_limit` and `fullfsync` are as in SQLite. One that would break what a store
  /// promises, or that is no such pragma, is refused with `PersistentStoreError.refusedPragma`,
  /// which says why. Follows Core Data's `NSSQLitePragmasOption`.
  public var sqlitePragmas: [String: String] = [:]
  /// Whether a SQLite store's indexes are looked through as it is opened (`ANALYZE`), so that
  /// fetches find the best of them.
  ///
  /// False unless set. Reads all indexes. Follows Core Data's `NSSQLiteAnalyzeOption`.
  public var analyzesStore = false
  /// Whether a SQLite store's file is written anew as it is opened (`VACUUM`), so that it is as
  /// small as it can be.
  ///
  /// False unless set. Needs as much room again, and that nobody writes: else opening throws
  /// `PersistentStoreError.busy` or `full`, and nothing has changed. Follows Core Data's
  /// `NSSQLiteManualVacuumOption`.
  public var vacuumsStore = false
  /// Whether a store is destroyed or replaced whatever its file is, damaged or another program's,
  /// and whoever has it open.
  ///
  /// False unless set. Others that have it open lose what they save from then on: their saves throw
  /// `PersistentStoreError.moved`. Follows Core Data's `NSPersistentStoreForceDestroyOption`.
  public var forcesDestroy = false
  /// Who is told of the SQL that a store runs; nil for whatever the process was asked for.
  ///
  /// nil unless set; ``DebugOutput`` says how a process is asked. At level 1 statements, times and
  /// numbers of rows are told, at 2 the values that they are run with, at 3 the rows, at 4 how
  /// SQLite finds them.
  public var sqlDebug: DebugOutput?
  /// Who is told of a migration's steps; nil for whatever the process was asked for.
  ///
  /// nil unless set. At level 1 the steps and their times are told, at 2 what becomes of each
  /// entity.
  public var migrationDebug: DebugOutput?
  /// Whether opening leaves the journal mode and the triggers of a store that may be written to as
  /// they are: for one that is being migrated.
  var keepsFileAsItIs = false
  private var versions = Versions()
  /// Whether the store keeps a history of its transactions, which others can follow.
  ///
  ///     var options = PersistentStoreOptions()
  ///     options.tracksPersistentHistory = true
  ///
  /// False unless set. The history's tables are made where there are none; from then on every save
  /// and every batch writes what it changes, and who made it (`transactionAuthor`). A store that
  /// has such tables and is opened without this is only read, as in Core Data (but for one that is
  /// mirrored to CloudKit, see ``ignoredObstacles``): a change without history is one that nobody
  /// who follows it learns of. So all programs that write to a store
  /// should say the same; one that has it open while the tables are made goes on without. See
  /// ``PersistentHistoryChangeRequest``. For SQLite stores, and stores on servers. Follows Core
  /// Data's `NSPersistentHistoryTrackingKey`.
  public var tracksPersistentHistory = false
  /// Obstacles to writing that are to be ignored; see `PersistentStoreError.WriteObstacle`.
  ///
  /// Changes that Apple's framework should see, and now does not, are the caller's to answer for.
  /// Where `.cloudKit` is among them and `.persistentHistory` is not, a store that is mirrored to
  /// CloudKit keeps its history, from which CloudKit takes changes up.
  public var ignoredObstacles: Set<PersistentStoreError.WriteObstacle> = []

  /// Whether what is saved goes into the history of a store, which may be mirrored to CloudKit.
  func keepsHistory(isMirrored: Bool) -> Bool {
    tracksPersistentHistory || isMirrored && !ignoredObstacles.contains(.persistentHistory)
  }

  /// The obstacles that do not keep a store from being written.
  func acceptedObstacles(isMirrored: Bool) -> Set<PersistentStoreError.WriteObstacle> {
    keepsHistory(isMirrored: isMirrored)
      ? ignoredObstacles.union([.persistentHistory]) : ignoredObstacles
  }

  /// Creates the options as they are unless set.
  public init() {}

  /// The options that migrate a store of another version: what a container has.
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

  /// Models, which are the same where their version hashes are, and what leads from one to another.
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

import ManagedObjects
package import SystemLibraries

/// Stores of older versions of the model.
extension WalkLog {
  /// The migration of a store of an older version before it was changed.
  package struct Migration: Sendable {
    /// The current version.
    package let version: Int
    /// The URL of the copy made before the migration.
    package let backup: URL
    /// Whether earlier commands cannot be undone any more, because the rows no longer match the
    /// undo log.
    package let losesUndo: Bool
  }

  /// The maximum number of attempts to find a free name for the copy.
  private static let mostAttempts = 20

  /// Migrates a store of an older version to the current one, in place, and keeps a copy.
  ///
  /// - Parameter original: the file that the copy is placed beside and named after.
  /// - Returns: the migration; nil if another process has migrated the store already.
  /// - Throws: `PersistentStoreError`, `MigrationError`, `ValidationError`.
  static func migrate(
    _ url: URL, from version: ModelVersion, copyBeside original: URL,
    options: PersistentStoreOptions, _ progress: @escaping (Double) -> Void
  ) throws -> Migration? {
    if original != url { try StoreLocation.makeFolder(for: original) }
    var options = version.migrating(options)
    var attempts = 0
    while true {
      attempts += 1
      let backup = version.backupURL(ofStoreAt: original)
      options.migrationBackupURL = backup
      do {
        let result = try PersistentStoreCoordinator.migrateStore(
          at: url, to: .dogWalk, from: [version.model], options: options, progress: progress)
        return result.map {
          Migration(
            version: ModelVersion.current.number, backup: backup, losesUndo: $0.droppedUndoLog)
        }
      } catch PersistentStoreError.failed(_, let error)
        where error.systemErrno == EEXIST && attempts < mostAttempts
      {
        // Another process took the name while this one waited, and was killed before it was done.
        continue
      }
    }
  }

  /// A migrated copy of a store of an older version, which is read in place of the store.
  ///
  /// It is removed when this object is deallocated, or by ``remove()`` in a process that exits
  /// earlier.
  final class MigratedCopy {
    /// The URL of the copy.
    let url: URL
    private let folder: CopyFolder
    private let original: URL
    private let version: ModelVersion
    /// Returns whether another process or context has written to the store since it was read.
    private var hasChanged: () -> Bool = { false }

    /// Creates the copy in a temporary folder of its own; nil if another process has migrated the
    /// store itself in the meantime.
    ///
    /// - Throws: `PersistentStoreError`, `MigrationError`, `ValidationError`; then nothing is
    ///   left behind.
    init?(
      of url: URL, from version: ModelVersion, _ progress: @escaping (Double) -> Void
    ) throws {
      folder = try CopyFolder(forCopyOf: url)
      self.url = folder.url.appending(
        path: url.isPostgreSQL ? "server.sqlite" : url.lastPathComponent)
      original = url
      self.version = version
      if !url.isPostgreSQL {
        let signature = FileSignature(of: url.path)
        hasChanged = { !FileSignature(of: url.path).isUnwritten(since: signature) }
      }
      do {
        try copyOriginal(to: self.url)
      } catch PersistentStoreError.incompatibleModel {
        remove()
        return nil
      } catch PersistentStoreError.full {
        throw noRoom
      }
      do {
        try PersistentStoreCoordinator.migrateStore(
          at: self.url, to: .dogWalk, from: [version.model],
          options: version.migrating(PersistentStoreOptions()), progress: progress)
      } catch PersistentStoreError.full {
        throw noRoom
      }
    }

    /// The error for a temporary folder without enough space for a copy.
    private var noRoom: PersistentStoreError {
      .noTemporaryCopy(
        original, folder: folder.url.deletingLastPathComponent(),
        reason: String(cString: strerror(ENOSPC)))
    }

    /// Copies the original store into a new file.
    func copyOriginal(to copy: URL, withoutUndoLog: Bool = false) throws {
      var options = PersistentStoreOptions()
      options.isReadOnly = true
      let coordinator = PersistentStoreCoordinator(managedObjectModel: version.model)
      guard original.isPostgreSQL else {
        return try coordinator.copy(
          coordinator.addPersistentStore(type: .sqlite, at: original, options: options), to: copy,
          withoutUndoLog: withoutUndoLog)
      }
      let store = try coordinator.addPersistentStore(
        type: .postgreSQL, at: original, options: options)
      let count = try coordinator.changeCount(of: store)
      try coordinator.write(store, to: copy, type: .sqlite)
      hasChanged = { (try? coordinator.changeCount(of: store)) != count }
    }

    /// Whether the store was changed or replaced since it was copied.
    var isOutdated: Bool { hasChanged() }

    deinit { remove() }

    /// Removes the copy.
    func remove() { folder.remove() }
  }
}

@available(*, unavailable) extension WalkLog.MigratedCopy: Sendable {}

extension ModelVersion {
  /// Returns options with the migration to the current version, if it cannot be inferred.
  fileprivate func migrating(_ options: PersistentStoreOptions) -> PersistentStoreOptions {
    var options = options
    if number == 1 {
      options.mappingModels = [TutorialMigration.mapping]
      options.entityMigrationPolicies = TutorialMigration.policies
    } else {
      options.stagedMigrationManager = WalkerMigration.manager(from: model)
    }
    return options
  }
}

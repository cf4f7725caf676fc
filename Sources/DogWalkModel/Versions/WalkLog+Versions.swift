import ManagedObjects
package import SystemLibraries

/// Stores of older versions of the model.
extension WalkLog {
  /// What was done to a store of an older version before it could be changed.
  package struct Migration: Sendable {
    /// The version that it is of now.
    package let version: Int
    /// Where a copy of it as it was lies.
    package let backup: URL
    /// Whether what was done before cannot be undone any more: rows are no longer as the undo log
    /// knew them.
    package let losesUndo: Bool
  }

  /// How often a name for the copy is looked for.
  private static let mostAttempts = 20

  /// Migrates a store of an older version to the current one, in place, and keeps a copy.
  ///
  /// - Parameter original: the file beside which the copy is put, named after it.
  /// - Returns: what was done; nil where another process was faster.
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

  /// A migrated copy of a store of an older version, to be read instead of it.
  ///
  /// It goes with this object, or with ``remove()`` in a process that ends before.
  final class MigratedCopy {
    /// Where it is.
    let url: URL
    private let folder: CopyFolder
    private let original: URL
    private let version: ModelVersion
    /// Whether somebody has written to the store since it was read.
    private var hasChanged: () -> Bool = { false }

    /// Makes the copy, in a folder of its own for temporary files; nil where another process has
    /// migrated the store itself by now.
    ///
    /// - Throws: `PersistentStoreError`, `MigrationError`, `ValidationError`; nothing is left then.
    init?(
      of url: URL, from version: ModelVersion, _ progress: @escaping (Double) -> Void
    ) throws {
      folder = try CopyFolder(forCopyOf: url)
      self.url = folder.url.appending(
        path: url.isPostgreSQL ? "server.sqlite" : url.lastPathComponent)
      original = url
      self.version = version
      if !url.isPostgreSQL {
        let traces = FileTraces(of: url.path)
        hasChanged = { !FileTraces(of: url.path).showNoWriting(since: traces) }
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

    /// What is said of a copy that the folder for temporary files has no room for.
    private var noRoom: PersistentStoreError {
      .noTemporaryCopy(
        original, folder: folder.url.deletingLastPathComponent(),
        reason: String(cString: strerror(ENOSPC)))
    }

    /// Copies the store as it is into a new file.
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

    /// Whether somebody has written to the store since, or put another in its place.
    var isOutdated: Bool { hasChanged() }

    deinit { remove() }

    /// Takes the copy away.
    func remove() { folder.remove() }
  }
}

@available(*, unavailable) extension WalkLog.MigratedCopy: Sendable {}

extension ModelVersion {
  /// Options with what leads from this version to the current one, where that cannot be inferred.
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

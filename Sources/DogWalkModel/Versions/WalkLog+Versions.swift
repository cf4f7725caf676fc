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
  }

  /// Migrates a store of an older version to the current one, in place, and keeps a copy.
  ///
  /// - Returns: what was done; nil where another process was faster.
  /// - Throws: `PersistentStoreError`, `MigrationError`, `ValidationError`.
  static func migrate(
    _ url: URL, from version: ModelVersion, options: PersistentStoreOptions,
    _ progress: @escaping (Double) -> Void
  ) throws -> Migration? {
    var options = options.migratingWalks
    let backup = version.backupURL(ofStoreAt: url)
    options.migrationBackupURL = backup
    let result = try PersistentStoreCoordinator.migrateStore(
      at: url, to: .dogWalk, from: [version.model], options: options, progress: progress)
    return result.map { _ in Migration(version: ModelVersion.current.number, backup: backup) }
  }

  /// A migrated copy of a store of an older version, to be read instead of it.
  ///
  /// It goes with this object, or with ``remove()`` in a process that ends before.
  final class MigratedCopy {
    /// Where it is.
    let url: URL
    private let folder: URL
    private let original: URL
    private let version: ModelVersion
    /// What the files of the store were like before they were read.
    private let traces: FileTraces

    /// Makes the copy, in a folder of its own for temporary files; nil where another process has migrated
    /// the store itself by now.
    ///
    /// - Throws: `PersistentStoreError`, `MigrationError`, `ValidationError`; nothing is left then.
    init?(
      of url: URL, from version: ModelVersion, _ progress: @escaping (Double) -> Void
    ) throws {
      folder = try TemporaryCopy.makeFolder(named: "dogwalk", forCopyOf: url)
      self.url = folder.appending(path: url.lastPathComponent)
      original = url
      self.version = version
      traces = FileTraces(of: url.path)
      do {
        try copyOriginal(to: self.url)
      } catch PersistentStoreError.incompatibleModel {
        remove()
        return nil
      }
      try PersistentStoreCoordinator.migrateStore(
        at: self.url, to: .dogWalk, from: [version.model],
        options: PersistentStoreOptions().migratingWalks, progress: progress)
    }

    /// Copies the store as it is into a new file.
    func copyOriginal(to copy: URL) throws {
      var options = PersistentStoreOptions()
      options.isReadOnly = true
      let coordinator = PersistentStoreCoordinator(managedObjectModel: version.model)
      try coordinator.copy(
        coordinator.addPersistentStore(type: .sqlite, at: original, options: options), to: copy)
    }

    /// Whether somebody has written to the store since, or put another in its place.
    var isOutdated: Bool { !FileTraces(of: original.path).showNoWriting(since: traces) }

    deinit { remove() }

    /// Takes the copy away.
    func remove() { try? FileManager.default.removeItem(at: folder) }
  }
}

@available(*, unavailable) extension WalkLog.MigratedCopy: Sendable {}

extension PersistentStoreOptions {
  /// The options with the mappings between versions that cannot be inferred.
  fileprivate var migratingWalks: PersistentStoreOptions {
    var options = self
    options.mappingModels = [TutorialMigration.mapping]
    options.entityMigrationPolicies = TutorialMigration.policies
    return options
  }
}

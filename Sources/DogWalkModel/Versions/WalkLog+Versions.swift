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

  /// Carries a store of an older version over to today's, in place, and keeps a copy.
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

  /// A copy of a store of an older version, carried over, to be read in its stead.
  ///
  /// It goes with this object, or with ``remove()`` in a process that ends before.
  final class MigratedCopy {
    /// Where it is.
    let url: URL
    private let folder: URL
    private let original: URL
    private let version: ModelVersion
    /// What the files of the store were like before they were read.
    private let traces: [FileTrace?]

    /// Makes the copy, in a folder of its own for temporary files; nil where another process has carried
    /// the store itself over by now.
    ///
    /// - Throws: `PersistentStoreError`, `MigrationError`, `ValidationError`; nothing is left then.
    init?(
      of url: URL, from version: ModelVersion, _ progress: @escaping (Double) -> Void
    ) throws {
      folder = try StoreLocation.makeTemporaryFolder(for: url)
      self.url = folder.appending(path: url.lastPathComponent)
      original = url
      self.version = version
      traces = FileTrace.ofStore(at: url)
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
    var isOutdated: Bool { FileTrace.ofStore(at: original) != traces }

    deinit { remove() }

    /// Takes the copy away.
    func remove() { try? FileManager.default.removeItem(at: folder) }
  }
}

@available(*, unavailable) extension WalkLog.MigratedCopy: Sendable {}

/// What tells whether a file was written to.
private struct FileTrace: Equatable {
  private let device, inode, size: UInt64
  private let seconds, nanoseconds: Int

  /// nil where there is no file.
  private init?(_ path: String) {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    (device, inode, size) = (UInt64(info.st_dev), UInt64(info.st_ino), UInt64(info.st_size))
    let time = info.modificationTime
    (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
  }

  /// Of a store's file, and of its log.
  static func ofStore(at url: URL) -> [FileTrace?] {
    [FileTrace(url.path), FileTrace(url.path + "-wal")]
  }
}

extension PersistentStoreOptions {
  /// The options with the mappings between versions that cannot be inferred.
  fileprivate var migratingWalks: PersistentStoreOptions {
    var options = self
    options.mappingModels = [TutorialMigration.mapping]
    options.entityMigrationPolicies = TutorialMigration.policies
    return options
  }
}

import DataModel
import SystemLibraries

/// A backup of a store before its migration, made with the write lock held.
struct MigrationBackup {
  private let url: URL

  /// Makes the backup if the options specify one; otherwise nil.
  ///
  /// - Parameters:
  ///   - url: the store's file.
  ///   - model: the model that it was made with.
  /// - Throws: `PersistentStoreError`; there is no backup then.
  init?(
    of url: URL, _ model: ManagedObjectModel, _ options: PersistentStoreOptions
  ) throws {
    guard let backup = options.migrationBackupURL else { return nil }
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    var options = options.forMigrating
    options.isReadOnly = true
    try coordinator.copy(
      coordinator.addPersistentStore(type: .sqlite, at: url, options: options), to: backup)
    self.url = backup
  }

  /// Removes the backup, with the files of its large values; those of other stores stay.
  func discard() {
    try? SQLiteStore.removeFiles(at: url.filePath.resolvingFinalSymlink, of: url)
  }
}

extension PersistentStoreOptions {
  /// The options for opening a store that is being migrated: without any change to it.
  var forMigrating: PersistentStoreOptions {
    var options = self
    options.migratesAutomatically = false
    options.ignoresModelVersioning = false
    options.createsFile = false
    options.undoLogLimit = 0
    options.keepsFileAsItIs = true
    return options
  }
}

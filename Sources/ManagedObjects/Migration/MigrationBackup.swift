import DataModel
import SystemLibraries

/// A copy of a store as it was before it was migrated, made while nobody else can write to it.
struct MigrationBackup {
  private let url: URL

  /// Makes the copy where the options want one; else nil.
  ///
  /// - Parameters:
  ///   - url: the store's file.
  ///   - model: the model that it was made with.
  /// - Throws: `PersistentStoreError`; there is no copy then.
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

  /// Takes the copy away again, with the files of its large values; those of other stores stay.
  func discard() {
    try? SQLiteStore.removeFiles(at: url.filePath.behindLinks, of: url)
  }
}

extension PersistentStoreOptions {
  /// The options with which a store is opened that is being migrated: as it is.
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

import CommandLineKit
import DataFormats
import DataModel
import ManagedObjects
import ModelCompiler
import SystemLibraries

/// A copy of a store that gets its name only after it was migrated; if that fails there is none.
///
/// It is made in a hidden folder next to its destination, together with its external files.
struct MigratedCopy {
  private let plan: MigrationPlan
  private let url: URL
  private let path: String

  /// - Throws: `Complaint` if a file with that name exists.
  init(of plan: MigrationPlan, at path: String) throws {
    self.plan = plan
    self.path = path
    url = URL(filePath: path)
    try Complaint.refuseToMake(over: path)
  }

  /// Copies the store, migrates the copy, and copies that to its destination.
  func make(_ migrate: (URL) throws -> Void) throws {
    let hidden = url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent)").path
    AbandonedDrafts.remove(of: hidden)
    guard let (draftPath, descriptor) = AbandonedDrafts.makeFolder(of: hidden, isPrivate: true)
    else {
      throw Complaint(making: path, errno: errno)
    }
    let folder = URL(filePath: draftPath)
    defer {
      try? FileManager.default.removeItem(at: folder)
      close(descriptor)
    }
    let draft = folder.appendingPathComponent(url.lastPathComponent)
    try copy(plan.url, of: plan.source.model, plan.sourceConfigurationName, to: draft)
    try migrate(draft)
    // The copy is checked, and synced with its external files, before it gets its name.
    try copy(draft, of: plan.destination.model, plan.configurationName, to: url)
  }

  private func copy(
    _ store: URL, of model: ManagedObjectModel, _ configurationName: String?, to copy: URL
  ) throws {
    var options = PersistentStoreOptions()
    options.isReadOnly = true
    do {
      let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
      let store = try coordinator.addPersistentStore(
        type: .sqlite, configurationName: configurationName, at: store, options: options)
      try coordinator.copy(store, to: copy)
    } catch let error as PersistentStoreError {
      throw Complaint(error, making: path, from: plan.url)
        ?? Complaint(about: error, migrating: plan.path)
    }
  }
}

@available(*, unavailable) extension MigratedCopy: Sendable {}

extension URL {
  /// The folder of a store's external files.
  var supportFolder: URL {
    deletingLastPathComponent()
      .appendingPathComponent(".\(deletingPathExtension().lastPathComponent)_SUPPORT")
  }
}

import CommandLineKit
import ManagedObjects
import ModelCompiler
import SystemLibraries

/// A copy of a store that gets its name when it is migrated; where that fails there is none.
///
/// It is made in a hidden folder beside its place, the files of its large values with it.
struct MigratedCopy {
  private let plan: MigrationPlan
  private let url: URL
  private let path: String

  /// - Throws: `Complaint` where there is something of that name.
  init(of plan: MigrationPlan, at path: String) throws {
    self.plan = plan
    self.path = path
    url = URL(filePath: path)
    for place in [url, url.supportFolder] where FileManager.default.fileExists(atPath: place.path) {
      throw Complaint(
        .cannotCreate,
        "cannot make the store \(path.escapingControls): \(place.lastPathComponent.escapingControls) "
          + "is there already",
        hint: "It was left as it is. Name a new file.")
    }
  }

  /// Copies the store, has the copy migrated, and puts it in its place.
  func make(_ migrate: (URL) throws -> Void) throws {
    let folder = url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent).migrating-\(getpid())")
    guard mkdir(folder.path, 0o700) == 0 else { throw Complaint(making: path, errno: errno) }
    defer { try? FileManager.default.removeItem(at: folder) }
    let draft = folder.appendingPathComponent(url.lastPathComponent)
    try copy(to: draft)
    try migrate(draft)
    // The large values first: a store is there when it is whole.
    if FileManager.default.fileExists(atPath: draft.supportFolder.path) {
      try move(draft.supportFolder, to: url.supportFolder)
    }
    try move(draft, to: url)
  }

  private func copy(to draft: URL) throws {
    var options = PersistentStoreOptions()
    options.isReadOnly = true
    do {
      let coordinator = PersistentStoreCoordinator(managedObjectModel: plan.source.model)
      let store = try coordinator.addPersistentStore(
        type: .sqlite, configurationName: plan.sourceConfigurationName, at: plan.url,
        options: options)
      try coordinator.copy(store, to: draft)
    } catch let error as PersistentStoreError {
      if case .full = error { throw Complaint(making: path, errno: ENOSPC) }
      throw Complaint(about: error, migrating: plan.path)
    }
  }

  private func move(_ file: URL, to place: URL) throws {
    guard rename(file.path, place.path) == 0 else { throw Complaint(making: path, errno: errno) }
  }
}

@available(*, unavailable) extension MigratedCopy: Sendable {}

extension URL {
  /// The folder in which a store keeps its large values.
  fileprivate var supportFolder: URL {
    deletingLastPathComponent()
      .appendingPathComponent(".\(deletingPathExtension().lastPathComponent)_SUPPORT")
  }
}

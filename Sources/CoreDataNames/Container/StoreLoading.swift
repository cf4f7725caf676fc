import Dispatch
import Foundation
import ManagedObjects

/// A store to be added, on another thread if its description asks for that.
///
/// Its members are not used elsewhere in the meantime.
struct StoreLoading: @unchecked Sendable {
  let coordinator: PersistentStoreCoordinator
  let description: NSPersistentStoreDescription
  /// Whether the folder of the store's file is created.
  let createsFolder: Bool
  /// Called with the error; nil if the store was added.
  let completion: (NSPersistentStoreDescription, (any Error)?) -> Void

  /// Adds the store now, or starts to add it.
  func start() {
    if description.shouldAddStoreAsynchronously {
      DispatchQueue.global().async { run() }
    } else {
      run()
    }
  }

  private func run() {
    do {
      if createsFolder, let url = description.storeDescription.url, url.isFileURL {
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      }
      try coordinator.add(description)
      completion(description, nil)
    } catch {
      completion(description, error)
    }
  }
}

import DogWalkModel
import ManagedObjects

extension StoreFolder {
  /// Replaces the store by another folder's, without waiting long for others.
  func replace(
    from source: StoreFolder, forcibly forces: Bool = false,
    through coordinator: PersistentStoreCoordinator = .init(managedObjectModel: .dogWalk)
  ) throws {
    try coordinator.replacePersistentStore(
      at: store, destinationOptions: options(forcibly: forces),
      withPersistentStoreFrom: source.store)
  }

  /// Destroys the store, without waiting long for others.
  func destroy(
    forcibly forces: Bool = false,
    through coordinator: PersistentStoreCoordinator = .init(managedObjectModel: .dogWalk)
  ) throws {
    try coordinator.destroyPersistentStore(
      at: store, type: .sqlite, options: options(forcibly: forces))
  }

  private func options(forcibly forces: Bool) -> PersistentStoreOptions {
    var options = PersistentStoreOptions()
    options.forcesDestroy = forces
    options.busyTimeout = 0.2
    return options
  }
}

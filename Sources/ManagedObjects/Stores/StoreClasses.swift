/// The store classes that programs have registered, by store type.
final class StoreClasses: @unchecked Sendable {
  static let shared = StoreClasses()
  private let lock = Lock()
  // Guarded by the lock.
  private var classes: [PersistentStore.StoreType: CustomStore.Type] = [:]

  func set(_ storeClass: CustomStore.Type?, for type: PersistentStore.StoreType) {
    lock.withLock { classes[type] = storeClass }
  }

  subscript(type: PersistentStore.StoreType) -> CustomStore.Type? {
    lock.withLock { classes[type] }
  }

  var types: [PersistentStore.StoreType] {
    lock.withLock { classes.keys.sorted { $0.rawValue < $1.rawValue } }
  }
}
